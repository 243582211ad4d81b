import { auditEntry, type Actor, type AuditEntry } from '#core/audit/entry';
import type { CredentialEvent, CredentialFacts } from '#core/audit/events/credential-event';
import { newId } from '#core/crypto/random';
import type { StoredCredential } from '../../store/users/credentials.ts';

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
