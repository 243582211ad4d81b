import { auditEntry, type Actor, type AuditEntry } from '#audit/entries/rules/entry';
import type { CredentialEvent, CredentialFacts } from '#audit/entries/rules/events';
import { newId } from '#platform/crypto/random/random';
import type { StoredCredential } from '../store.ts';

type Subject = Pick<StoredCredential, 'id' | 'serverId' | 'serverName' | 'userId' | 'hash'>;

/** The entry of what happened to these credentials. */
export const credentialEntry = (
  credential: Subject,
  at: number,
  actor: Actor,
  what: { type: Exclude<CredentialEvent['type'], 'credential.stored'> } | StoredEvent,
): AuditEntry => auditEntry(newId('entry'), at, actor, { ...what, ...factsOf(credential) });

interface StoredEvent {
  type: 'credential.stored';
  isReplacing: boolean;
}

const factsOf = ({ id, serverId, serverName, userId, hash }: Subject): CredentialFacts => ({
  credential: id,
  server: serverId,
  serverName,
  user: userId,
  requester: Buffer.from(hash).toString('hex'),
});
