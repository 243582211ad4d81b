import { sealCredentialAgain } from '#connect/credentials/rules';
import { closeAgain } from '#platform/crypto/key-ring/ring-box';
import { rewrapKeys } from '#platform/crypto/seal/seal';
import { sealTotpAgain } from '#access/factors/rules';
import { sealViewAgain } from '#requests/inbox/rules';
import { keyedTables, type KeyedTable, type SealedKeys } from '../store.ts';
import { readable } from '#requests/state/verbs/change/readable';
import type { SecretsEngine } from './manage-secrets.ts';

/** Requests whose keys are sealed again in one statement. */
const batchSize = 200;

/**
 * Seals the keys of every request and every call that passed under the active secret; the content stays unchanged. It can be interrupted at any moment
 * and continues when it runs again. Requests whose secret is not known here stay as they are and are `unreadable`.
 * `onProgress` gets the number done.
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

/** Addresses of webhooks and browsers, the keys of push, and people's credentials, authenticator apps and views. */
async function rewrapTargets({
  webhooks,
  devices,
  credentials,
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
