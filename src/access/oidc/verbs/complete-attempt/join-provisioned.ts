import type { ProvenIdentity } from '../../contract/identity-provider/identity-provider.ts';
import { SignInProblem } from '../../../sign-in/contract/problem.ts';
import type { SignInProvider } from '../../contract/identity-provider/sign-in-provider.ts';
import type { User } from '#people/directory/contract/user';
import type { DirectoryRecord } from '#people/directory/store/directory-record/directory-record';
import { changeDirectory } from '#people/directory/verbs/directory/change-directory';
import { claimValueOf, provisionedBy, type ProvisionedRecord } from '../../../scim/verbs/users/provisioned.ts';
import type { FederationEngine } from '../sign-in/begin-attempt.ts';
import { connected } from '../identities/identities.ts';

/**
 * Connects an identity that no one has with the person whom its provider provisions under the same value of the claim that
 * the settings name; null if there is no such person. They are the provider's own, and an address has no part in it.
 */
export async function joinProvisioned(
  engine: FederationEngine,
  { issuer, scim }: SignInProvider,
  { subject, claims }: ProvenIdentity,
): Promise<User | null> {
  const value = scim && claims[scim.claim];
  if (typeof value !== 'string') return null;
  const personIn = (directory: DirectoryRecord): ProvisionedRecord | undefined =>
    provisionedBy(directory, issuer).find(({ provisioned }) => claimValueOf(scim!, provisioned) === value);
  const person = personIn(await engine.directory.read());
  if (!person) return null;
  if (person.disabledAt !== null) throw new SignInProblem('access-ended');
  const at = engine.now();
  await changeDirectory(engine, { kind: 'provider', issuer }, (directory) => {
    const current = personIn(directory);
    if (current?.id !== person.id || current.identities.some((identity) => identity.issuer === issuer))
      throw new SignInProblem('identity-taken');
    return connected(engine, person.id, { issuer, subject }, { directory, by: null, at });
  });
  return engine.users.byId(person.id);
}
