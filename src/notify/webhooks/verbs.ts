import { auditEntry } from '#audit/entries/rules/entry';
import { assertMay } from '#people/directory/verbs/may';
import { newId } from '#platform/crypto/random';
import { openWebhook, sealWebhook, newWebhookSecret } from './rules.ts';
import { factsOf, type WebhookFormat } from '../chat/contract.ts';
import type { WebhookManner } from './contract/webhook.ts';
import type { WebhookId } from '#platform/model/id';
import { invalidInput, Problem } from '#platform/model/problem';
import type { Alone } from '#people/directory/contract/user';
import type { Engine } from '#platform/nodes/verbs/engine';
import {
  actorOf,
  guardPower,
  outdatedChange,
  type Administrator,
  type DirectoryEngine,
} from '#people/directory/verbs/directory';
import { faultOfAddress } from '#platform/model/names';
import type { StoredWebhook } from './store.ts';
import { readable } from '#requests/state/verbs/change';
import type { Webhook } from './contract/webhooks.ts';

export type WebhookEngine = DirectoryEngine & Pick<Engine, 'webhooks' | 'ring'>;

/** A new webhook that gets nothing yet. */
export interface NewWebhook extends WebhookManner {
  webhook: WebhookId;
  url: string;
  /** The target with its secret, sealed, in base64. */
  sealed: string;
}

export interface WebhookRequest extends WebhookManner {
  url: string;
  /** PagerDuty's integration key. */
  key?: string | undefined;
}

/**
 * A new webhook, and the signing secret of a standard one, to be shown once; only the sealed one is stored. Problem
 * `INVALID_INPUT` names the fault.
 */
export function newWebhook(
  { ring }: Pick<Engine, 'ring'>,
  { url, format, language, key }: WebhookRequest,
): { secret: string | null; record: NewWebhook } {
  const webhook = newId('webhook');
  const integration = readKey(format, key);
  const secret = format === 'standard' ? newWebhookSecret() : null;
  const { href } = webhookAddress(url);
  const target = { url: href, format, language };
  const sealed = sealWebhook(ring, webhook, { ...target, secret: secret ?? integration });
  return { secret, record: { webhook, ...target, sealed: sealed.toString('base64') } };
}

function readKey(format: WebhookFormat, key: string | undefined): string | null {
  const form = factsOf(format).key;
  const isRight = form ? form.test(key ?? '') : key === undefined;
  if (isRight) return key ?? null;
  const message = 'Give the integration key of a service, of 32 letters and digits, to PagerDuty and to nothing else.';
  throw invalidInput(['key'], message);
}

/** Sends notifications of requests to this address from now on. Has the problems of `guardPower`. */
export async function addWebhook(
  engine: WebhookEngine,
  by: Administrator,
  { webhook: id, url, format, language, sealed }: NewWebhook,
): Promise<Webhook & { alone: Alone | null }> {
  const { host } = webhookAddress(url);
  const box = Buffer.from(sealed, 'base64');
  const target = openWebhook(engine.ring, id, box);
  if (target.url !== url || target.format !== format || target.language !== language) throw outdatedChange();
  const { also, alone } = guardPower(engine, by, 'change-webhooks');
  const addedAt = engine.now();
  const entry = auditEntry(newId('entry'), addedAt, actorOf(by), { type: 'webhook.added', webhook: id, host });
  await engine.webhooks.add({ id, sealed: box, addedAt }, entry, also);
  return { ...(await showWebhook(engine, id)), alone: alone() };
}

/** Stops all sending to this address, also of due notifications. One administrator is enough. */
export async function removeWebhook(engine: WebhookEngine, by: Administrator, id: WebhookId): Promise<void> {
  assertMay(by, 'change-webhooks');
  const { host } = await showWebhook(engine, id);
  const entry = auditEntry(newId('entry'), engine.now(), actorOf(by), { type: 'webhook.removed', webhook: id, host });
  if (!(await engine.webhooks.remove(id, entry))) throw new Problem('not-found');
}

const maxAddressLength = 2000;

/** The address of a webhook; problem `INVALID_INPUT` at `name` if it cannot be kept secret on its way. */
export function webhookAddress(text: string, name = 'url'): URL {
  const fault = faultOfAddress(text) ?? faultOf(new URL(text));
  if (fault !== null) throw invalidInput([name], fault);
  return new URL(text);
}

function faultOf({ protocol, username, password, hash, href }: URL): string | null {
  if (protocol !== 'https:') return 'Give an https address.';
  if (username !== '' || password !== '') return 'Leave out the name and the password: the signature says who sends.';
  if (hash !== '') return 'Leave out what follows the #: it is never sent.';
  return href.length > maxAddressLength ? `Give an address of at most ${maxAddressLength} characters.` : null;
}

type Reading = Pick<Engine, 'webhooks' | 'ring'>;

/** All webhooks, the oldest first; problem `forbidden` for anyone but administrators and the operator. */
export async function listWebhooks(engine: Reading, by: Administrator): Promise<Webhook[]> {
  assertMay(by, 'change-webhooks');
  return (await engine.webhooks.list()).map((webhook) => showStored(engine, webhook));
}

/** One webhook; problem `not-found` if there is none. */
export async function showWebhook(engine: Reading, id: WebhookId): Promise<Webhook> {
  const webhook = await engine.webhooks.find(id);
  if (!webhook) throw new Problem('not-found');
  return showStored(engine, webhook);
}

/** The webhook for display. Host and format are empty if this node lacks the secret that seals it. */
function showStored({ ring }: Reading, { id, sealed, addedAt }: StoredWebhook): Webhook {
  const target = readable(() => openWebhook(ring, id, sealed));
  return { id, host: target ? new URL(target.url).host : '', format: target?.format ?? null, addedAt };
}
