import { sealClientAgain } from '#connect/auto/rules';
import { sealCredentialAgain } from '#connect/credentials/rules';
import { closeAgain, sealRetained } from '#platform/crypto/key-ring';
import { rewrapKeys } from '#platform/crypto/seal';
import { sealTotpAgain } from '#access/factors/rules';
import { sealViewAgain } from '#requests/inbox/rules';
import {
  keyedTables,
  type KeyedTable,
  type SealedKeys,
  activeKid,
  type LoadedSecrets,
  type StoredSecret,
  type Uses,
} from './store.ts';
import { readable } from '#requests/state/verbs/change';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditEntry } from '#audit/entries/rules/entry';
import { newId } from '#platform/crypto/random';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';

/** Requests whose keys are sealed again in one statement. */
const batchSize = 200;

/**
 * Seals the keys of every request and every call that passed under the active secret; the content stays unchanged. It can be
 * interrupted at any moment and continues when it runs again. Requests whose secret is unknown here stay unchanged and count as
 * `unreadable`. `onProgress` gets the number done.
 */
export async function rewrapSecrets(engine: SecretsEngine, onProgress: (done: number) => void) {
  const { secrets, ring } = engine;
  const result = { rewrapped: 0, unreadable: [] as string[] };
  for (const { kid, retained } of await secrets.all()) {
    const now = retained && closeAgain(ring, 'retained', [kid], retained);
    if (now) await secrets.rewrapRetained(kid, now);
  }
  await rewrapTargets(engine);
  for (const table of keyedTables) {
    for (let after = ''; ;) {
      const rows = await secrets.notUnder(table, ring.active, after, batchSize);
      if (rows.length === 0) break;
      const changes = rows.map((was) => ({ was, now: sealedAgain(engine, table, was) }));
      result.unreadable.push(...changes.filter(({ now }) => now === null).map(({ was }) => was.id));
      result.rewrapped += await secrets.rewrap(
        table,
        changes.flatMap(({ was, now }) => (now ? [{ was, now }] : [])),
      );
      onProgress(result.rewrapped);
      after = rows.at(-1)?.id ?? after;
    }
  }
  return result;
}

/**
 * Reseals addresses of webhooks and browsers, the keys of push, clients at issuers, and people's credentials, authenticator apps
 * and views.
 */
async function rewrapTargets({
  webhooks,
  devices,
  credentials,
  connections,
  registeredClients,
  secondFactors,
  savedViews,
  ring,
}: SecretsEngine): Promise<void> {
  for (const { id, sealed } of await webhooks.list()) {
    const now = readable(() => closeAgain(ring, 'webhook', [id], sealed));
    if (now) await webhooks.rewrap(id, { was: sealed, now });
  }
  for (const { id, sealed } of await devices.list()) {
    const now = readable(() => closeAgain(ring, 'device', [id], sealed));
    if (now) await devices.rewrap(id, { was: sealed, now });
  }
  for (const credential of await credentials.list()) {
    const now = readable(() => sealCredentialAgain(ring, credential, credential.sealed));
    if (now) await credentials.rewrap(credential.id, { was: credential.sealed, now });
  }
  for (const withdrawal of await connections.withdrawals()) {
    const now = readable(() => sealCredentialAgain(ring, withdrawal, withdrawal.sealed));
    if (now) await connections.rewrapWithdrawal(withdrawal.id, { was: withdrawal.sealed, now });
  }
  for (const client of await registeredClients.list()) {
    const now = readable(() => sealClientAgain(ring, client, client.sealed));
    if (now) await registeredClients.rewrap(client, { was: client.sealed, now });
  }
  for (const totp of await secondFactors.listTotps()) {
    const now = readable(() => sealTotpAgain(ring, totp, totp.sealed));
    if (now) await secondFactors.rewrapTotp(totp.id, { was: totp.sealed, now });
  }
  for (const view of await savedViews.list()) {
    const now = readable(() => sealViewAgain(ring, view, view.sealed));
    if (now) await savedViews.rewrap(view.id, { was: view.sealed, now });
  }
  const was = await devices.keys();
  const now = was && readable(() => closeAgain(ring, 'pushKeys', [], was));
  if (was && now) await devices.rewrapKeys({ was, now });
}

const sealedAgain = ({ ring }: SecretsEngine, table: KeyedTable, row: SealedKeys): SealedKeys | null =>
  readable(() => ({ id: row.id, ...rewrapKeys(ring, table, row) }));

export type SecretsEngine = Pick<
  Engine,
  | 'secrets'
  | 'webhooks'
  | 'registeredClients'
  | 'devices'
  | 'credentials'
  | 'connections'
  | 'secondFactors'
  | 'savedViews'
  | 'nodes'
  | 'ring'
  | 'now'
>;

/** A secret for the operator: never the secret itself. */
interface ShownSecret extends Uses {
  kid: string;
  state: 'active' | 'new' | 'replaced' | 'retired';
  activeAt: number | null;
  retiredAt: number | null;
  /** Number of serving nodes that know it. */
  nodes: number;
}

export async function listSecrets({
  secrets,
  nodes,
}: SecretsEngine): Promise<{ secrets: ShownSecret[]; nodes: number }> {
  const [stored, living] = await Promise.all([secrets.all(), nodes.live()]);
  const shown: ShownSecret[] = [];
  for (const secret of stored) {
    const { kid, activeAt, retiredAt } = secret;
    const knowing = living.filter(({ kids }) => kids.includes(kid)).length;
    const uses = await secrets.uses(kid);
    shown.push({ kid, state: stateOf(secret, stored), activeAt, retiredAt, nodes: knowing, ...uses });
  }
  return { secrets: shown, nodes: living.length };
}

function stateOf({ kid, activeAt, retiredAt }: StoredSecret, stored: StoredSecret[]): ShownSecret['state'] {
  if (retiredAt !== null) return 'retired';
  if (activeKid(stored) === kid) return 'active';
  return activeAt === null ? 'new' : 'replaced';
}

/**
 * Makes every node seal with another secret, if all of them know it, and resolves when all of them do. The default is the new
 * secret, which has never sealed.
 */
export async function rotateSecret(engine: SecretsEngine, newKid?: string): Promise<{ kid: string; before: string }> {
  let rotation = { kid: '', before: '' };
  await engine.secrets.change(async ({ stored, nodes }) => {
    const kid = newKid ?? onlyNew(stored);
    const { activeAt, retiredAt } = findSecret(stored, kid);
    if (retiredAt !== null || activeAt !== null)
      throw refuse(`Add a new secret and rotate to that: ${kid} has sealed before.`);
    if (!engine.ring.kids.includes(kid)) throw refuse(`Give this command the secret ${kid}, too: it does not know it.`);
    const unaware = nodes.filter(({ kids }) => !kids.includes(kid)).length;
    if (unaware > 0)
      throw refuse(`Restart every node with the secret ${kid} first: ${unaware} of ${nodes.length} do not know it.`);
    rotation = { kid, before: activeKid(stored) ?? '' };
    const entry = auditEntry(newId('entry'), engine.now(), { kind: 'operator' }, { type: 'secret.activated', kid });
    return { kid, change: { activeAt: new Date(latest(stored, engine.now())) }, entry };
  });
  engine.ring.use(rotation.kid);
  await untilAllUse(engine, rotation.kid);
  return rotation;
}

/** Time of a rotation. Of two the later one counts, whatever the callers' clocks. */
const latest = (stored: StoredSecret[], now: number): number =>
  Math.max(now, ...stored.map(({ activeAt }) => (activeAt ?? 0) + 1));

function onlyNew(stored: StoredSecret[]): string {
  const fresh = stored.filter(({ activeAt, retiredAt }) => activeAt === null && retiredAt === null);
  const [first] = fresh;
  if (!first)
    throw refuse(
      'Add a secret with a key id of its own to ASSENTRY_SECRETS on every node, restart them one by one, then run this again.',
    );
  if (fresh.length > 1) throw refuse(`Say which one: ${fresh.map(({ kid }) => kid).join(', ')}.`);
  return first.kid;
}

/** Milliseconds; a living node learns of it far sooner. */
const timeoutMs = 60_000;

async function untilAllUse({ nodes }: SecretsEngine, kid: string): Promise<void> {
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(100)) {
    if ((await nodes.live()).every(({ activeKid: used }) => used === kid)) return;
  }
  throw refuse(`Look at the logs of your nodes: within a minute, some of them did not seal with ${kid}.`);
}

/**
 * Retires a secret permanently. Refuses while a node seals with it, while values are sealed under it, or while links made under
 * it are valid, unless `endLinks`.
 */
export async function retireSecret(engine: SecretsEngine, kid: string, { endLinks = false } = {}): Promise<void> {
  await engine.secrets.change(async (hand) => {
    const { retiredAt } = findSecret(hand.stored, kid);
    if (retiredAt !== null) throw refuse(`Nothing is left to do: ${kid} is already retired.`);
    assertUnused(kid, hand);
    const { sealed, links } = await hand.uses(kid);
    if (sealed > 0) throw refuse(`Run "assentry secrets rewrap" first: ${kid} still seals ${sealed}.`);
    if (links > 0 && !endLinks)
      throw refuse(
        `Wait until they have ended, or give --end-links: ${links} links or tokens made under ${kid} still open something.`,
      );
    const retained = sealRetained(engine.ring, kid);
    const entry = auditEntry(newId('entry'), engine.now(), { kind: 'operator' }, { type: 'secret.retired', kid });
    return { kid, change: { retiredAt: new Date(engine.now()), retained }, entry };
  });
}

function assertUnused(kid: string, { stored, nodes }: LoadedSecrets): void {
  if (activeKid(stored) === kid) throw refuse(`Rotate to another secret first: ${kid} is the one that seals.`);
  const using = nodes.filter((node) => node.activeKid === kid).length;
  if (using > 0) throw refuse(`Wait a moment: ${using} of ${nodes.length} nodes still seal with ${kid}.`);
}

function findSecret(stored: StoredSecret[], kid: string): StoredSecret {
  const secret = stored.find((each) => each.kid === kid);
  if (!secret) throw new Problem('not-found', { detail: `There is no secret with the key id ${kid}.` });
  return secret;
}

const refuse = (detail: string): Problem => new Problem('not-now', { detail });
