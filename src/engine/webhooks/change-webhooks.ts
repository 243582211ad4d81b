import { auditEntry } from '../../audit/entry.ts';
import { newId } from '../../crypto/random.ts';
import { openWebhook, sealWebhook } from '../../crypto/webhooks/webhook-box.ts';
import { newWebhookSecret } from '../../crypto/webhooks/webhook-signature.ts';
import type { WebhookId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { Alone } from '../../model/user.ts';
import type { Engine } from '../engine.ts';
import {
  actorOf,
  guardPower,
  outdatedChange,
  refuseOthers,
  type Administrator,
  type DirectoryEngine,
} from '../users/change-directory.ts';
import { showWebhook, type ShownWebhook } from './show-webhooks.ts';
import { webhookAddress } from './webhook-address.ts';

export type WebhookEngine = DirectoryEngine & Pick<Engine, 'webhooks' | 'ring'>;

/** A webhook that was made and is told nothing yet. */
export interface NewWebhook {
  webhook: WebhookId;
  url: string;
  /** Address and secret, sealed, in base64. */
  sealed: string;
}

/** A new webhook to this address, and its secret, which is to be shown once; only the sealed one is stored. */
export function newWebhook({ ring }: Pick<Engine, 'ring'>, url: string): { secret: string; record: NewWebhook } {
  const webhook = newId('webhook');
  const secret = newWebhookSecret();
  const { href } = webhookAddress(url);
  const sealed = sealWebhook(ring, webhook, { url: href, secret }).toString('base64');
  return { secret, record: { webhook, url: href, sealed } };
}

/** From then on the program at this address is told of requests. Has the problems of `guardPower`. */
export async function addWebhook(
  engine: WebhookEngine,
  by: Administrator,
  { webhook: id, url, sealed }: NewWebhook,
): Promise<ShownWebhook & { alone: Alone | null }> {
  const { host } = webhookAddress(url);
  const box = Buffer.from(sealed, 'base64');
  if (openWebhook(engine.ring, id, box).url !== url) throw outdatedChange();
  const { also, alone } = guardPower(engine, by);
  const addedAt = engine.now();
  const entry = auditEntry(newId('entry'), addedAt, actorOf(by), { type: 'webhook.added', webhook: id, host });
  await engine.webhooks.add({ id, sealed: box, addedAt }, entry, also);
  return { ...(await showWebhook(engine, id)), alone: alone() };
}

/** Tells the program nothing more, not even what is due. One administrator is enough. */
export async function removeWebhook(engine: WebhookEngine, by: Administrator, id: WebhookId): Promise<void> {
  refuseOthers(by);
  const { host } = await showWebhook(engine, id);
  const entry = auditEntry(newId('entry'), engine.now(), actorOf(by), { type: 'webhook.removed', webhook: id, host });
  if (!(await engine.webhooks.remove(id, entry))) throw new Problem('not-found');
}
