import type { ScimRule } from '../../../oidc/contract/identity-provider/sign-in-provider.ts';
import type {
  DirectoryRecord,
  ProvisionedUser,
  UserRecord,
} from '#people/directory/store/directory-record/directory-record';

/** A person whom a provider provisions, and has not deleted. */
export type ProvisionedRecord = Readonly<UserRecord> & { provisioned: ProvisionedUser };

export const isProvisionedBy = (issuer: string, user: Readonly<UserRecord>): user is ProvisionedRecord =>
  user.provisioned?.issuer === issuer && user.provisioned.deletedAt === null;

/** The people whom this provider provisions. */
export const provisionedBy = ({ users }: DirectoryRecord, issuer: string): ProvisionedRecord[] =>
  users.filter((user) => isProvisionedBy(issuer, user));

/** Under which claim and value SCIM looks for someone who has signed in before; null if that is the subject, or not said. */
export const scimClaimOf = ({ claim }: ScimRule, value: unknown): string | null =>
  claim !== 'sub' && typeof value === 'string' ? JSON.stringify([claim, value]) : null;

/** What ID tokens of this person have at the claim of the rule; null if the provider has not said it. */
export const claimValueOf = (
  { attribute }: ScimRule,
  user: Pick<ProvisionedUser, 'userName' | 'externalId'>,
): string | null => user[attribute];
