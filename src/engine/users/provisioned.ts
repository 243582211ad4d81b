import type { ScimRule } from '../../model/sign-in-provider.ts';
import type { DirectoryRecord, ProvisionedUser, UserRecord } from '../../store/users/directory-record.ts';

/** A person whom a provider provisions, and has not deleted. */
export type ProvisionedRecord = Readonly<UserRecord> & { provisioned: ProvisionedUser };

export const isProvisionedBy = (issuer: string, user: Readonly<UserRecord>): user is ProvisionedRecord =>
  user.provisioned?.issuer === issuer && user.provisioned.deletedAt === null;

/** The people whom this provider provisions. */
export const provisionedBy = ({ users }: DirectoryRecord, issuer: string): ProvisionedRecord[] =>
  users.filter((user) => isProvisionedBy(issuer, user));

/** What ID tokens of this person have at the claim of the rule; null if the provider has not said it. */
export const claimValueOf = (
  { attribute }: ScimRule,
  user: Pick<ProvisionedUser, 'userName' | 'externalId'>,
): string | null => user[attribute];
