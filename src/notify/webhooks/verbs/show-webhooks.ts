import { openWebhook } from '../rules/webhook-box.ts';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import type { WebhookFormat } from '../../chat/contract/channels.ts';
import type { WebhookId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { StoredWebhook } from '../store.ts';
import { readable } from '#requests/state/verbs/change/readable';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { Administrator } from '#people/directory/verbs/directory/change-directory';

/** A webhook without its secrets: of its address only the machine. */
export interface ShownWebhook {
  id: WebhookId;
  /** Empty if it is sealed under a secret that this node does not have. */
  host: string;
  /** Null if it cannot be read. */
  format: WebhookFormat | null;
  addedAt: number;
}

type Reading = Pick<Engine, 'webhooks' | 'ring'>;

/** All webhooks, the oldest first; problem `forbidden` for anyone but administrators and the operator. */
export async function listWebhooks(engine: Reading, by: Administrator): Promise<ShownWebhook[]> {
  assertMay(by, 'change-webhooks');
  return (await engine.webhooks.list()).map((webhook) => showStored(engine, webhook));
}

/** Problem `not-found` if there is none. */
export async function showWebhook(engine: Reading, id: WebhookId): Promise<ShownWebhook> {
  const webhook = await engine.webhooks.find(id);
  if (!webhook) throw new Problem('not-found');
  return showStored(engine, webhook);
}

function showStored({ ring }: Reading, { id, sealed, addedAt }: StoredWebhook): ShownWebhook {
  const target = readable(() => openWebhook(ring, id, sealed));
  return { id, host: target ? new URL(target.url).host : '', format: target?.format ?? null, addedAt };
}
