import type { User } from '#people/directory/contract/user';
import type { StoredPasskey } from '../store.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';

/** Those with which this person can sign votes in this session. */
export const signingPasskeys = async (
  { passkeys }: Pick<Engine, 'passkeys'>,
  user: Pick<User, 'id' | 'credentialIssuer'>,
): Promise<StoredPasskey[]> => (await passkeys.listOf(user.id)).filter((passkey) => maySign(passkey, user));

/** One that was added under a password whose link an administrator made signs only what counts for them as well. */
export const maySign = ({ issuedBy }: StoredPasskey, { credentialIssuer }: Pick<User, 'credentialIssuer'>): boolean =>
  issuedBy === null || issuedBy === credentialIssuer;
