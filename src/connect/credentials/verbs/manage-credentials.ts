import type { Actor } from '#audit/entries/rules/entry';
import type { CredentialId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { StoredCredential } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { credentialEntry } from './credential-entry.ts';
import { untilForgotten } from './find-credential.ts';

type ManageEngine = Pick<Engine, 'credentials' | 'users' | 'now'>;

/** Names and dates: no one is shown the secret again. */
type ShownCredential = Pick<StoredCredential, 'id' | 'storedAt' | 'usedAt' | 'refusedAt'> & { server: string };

/** Those of this person, by the names of the servers. */
export const listCredentials = async ({ credentials }: ManageEngine, user: UserId): Promise<ShownCredential[]> =>
  (await credentials.list(user)).map(shown);

/** Everyone's, for the operator, with the names of the people. */
export async function listAllCredentials({
  credentials,
  users,
}: ManageEngine): Promise<(ShownCredential & { person: string })[]> {
  const stored = await credentials.list();
  const names = await users.names(stored.map(({ userId }) => userId));
  return stored.map((credential) => ({ ...shown(credential), person: names.get(credential.userId) ?? '' }));
}

/** Resolves when they are sent no more, at any gateway. `not-found` if they are not there, or of someone else than this person. */
export async function removeCredential(
  { credentials, now }: ManageEngine,
  by: UserId | 'operator',
  id: CredentialId,
): Promise<void> {
  const stored = await credentials.byId(id);
  const actor: Actor = by === 'operator' ? { kind: 'operator' } : { kind: 'user', id: by };
  const mayRemove = stored && (by === 'operator' || stored.userId === by);
  const entry = mayRemove && credentialEntry(stored, now(), actor, { type: 'credential.removed' });
  if (!entry || !(await credentials.remove(id, entry))) throw new Problem('not-found');
  await untilForgotten();
}

const shown = ({ id, serverName, storedAt, usedAt, refusedAt }: StoredCredential): ShownCredential => ({
  id,
  server: serverName,
  storedAt,
  usedAt,
  refusedAt,
});
