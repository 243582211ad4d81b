import { sealCredential } from '../rules.ts';
import { principalHash, principalHashes } from '#platform/crypto/key-ring/lookup-hash';
import { newId } from '#platform/crypto/random/random';
import type { CredentialId, UserId } from '#platform/model/id';
import { credentialRule, isCredential } from '#platform/model/names';
import { invalidInput, Problem } from '#platform/model/problem/problem';
import type { StoredCredential, Ticket } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { credentialEntry } from './credential-entry.ts';
import type { LinkedPerson } from './credential-link.ts';
import { untilForgotten } from './find-credential.ts';

type StoreEngine = Pick<Engine, 'credentials' | 'ring' | 'now'>;

/**
 * Stores what this person entered with their link, which is used up by it. The caller has checked that they are who the
 * link is for. `INVALID_INPUT` for what no header can hold, `token-invalid` if the link was used meanwhile.
 */
export async function storeCredential(
  engine: StoreEngine,
  user: UserId,
  { server, person, nonceHash }: LinkedPerson,
  secret: string,
): Promise<void> {
  const hash = principalHash(engine.ring, server.id, person);
  const hashes = principalHashes(engine.ring, server.id, person);
  const place = { serverId: server.id, serverName: server.name, userId: user, hash };
  if (!(await put(engine, place, { ticket: { nonceHash }, hashes, secret }))) throw new Problem('token-invalid');
}

/** Replaces the credentials of this person; resolves when the former are sent no more. `not-found` if they are not theirs; the others as for `storeCredential`. */
export async function replaceCredential(
  engine: StoreEngine,
  user: UserId,
  id: CredentialId,
  secret: string,
): Promise<void> {
  const stored = await engine.credentials.byId(id);
  const isReplaced =
    stored?.userId === user && (await put(engine, stored, { ticket: { replaces: id }, hashes: [stored.hash], secret }));
  if (!isReplaced) throw new Problem('not-found');
  await untilForgotten();
}

async function put(
  { credentials, ring, now }: StoreEngine,
  { serverId, serverName, userId, hash }: Pick<StoredCredential, 'serverId' | 'serverName' | 'userId' | 'hash'>,
  { ticket, hashes, secret }: { ticket: Ticket; hashes: Uint8Array[]; secret: string },
): Promise<boolean> {
  if (!isCredential(secret)) throw invalidInput(['secret'], credentialRule);
  const at = now();
  const place = { id: newId('credential'), serverId, userId, hash };
  const row = { ...place, sealed: sealCredential(ring, place, secret), storedAt: at };
  return credentials.put(row, ticket, hashes, (isReplacing) =>
    credentialEntry(
      { ...place, serverName },
      at,
      { kind: 'user', id: userId },
      { type: 'credential.stored', isReplacing },
    ),
  );
}
