import type { CredentialId, ServerId, UserId } from '#platform/model/id';

/**
 * What happened to what a server behind the gateway is shown in the name of one person. The secret is in no entry.
 * `requester` stands for issuer and subject: a keyed hash, the same as in the entries of their requests.
 */
export type CredentialEvent = CredentialFacts &
  (
    | { type: 'credential.stored'; isReplacing: boolean }
    /** The gateway got it for the first time. */
    | { type: 'credential.used' }
    /** The gateway says that the server did not take it. */
    | { type: 'credential.refused' }
    | { type: 'credential.removed' }
  );

export interface CredentialFacts {
  credential: CredentialId;
  server: ServerId;
  serverName: string;
  user: UserId;
  requester: string;
}
