import { everyAccount, type Accounts } from '#people/accounts/contract';
import { refusalWithout, type Permission as RolePermission } from '#people/directory/contract/permission';
import { isTrial } from '../../contract/policy.ts';
import { usersOf } from '#requests/voting/contract/quorum/quorum';
import type { User } from '#people/directory/contract/user';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import { mayIn } from '../../deciding/verbs/rules/assert-may.ts';
import { permission, type Objection, type Permission } from '#requests/state/verbs/permissions/permissions';

type Standing = Pick<PolicyRecord, 'publishedVersion' | 'shadowVersion'>;
type Version = Pick<VersionRecord, 'version' | 'state' | 'authorId'>;
type Rule = (
  user: User,
  version: Version,
  policy: Standing,
  accounts: Accounts | undefined,
  environment: string | undefined,
) => Objection[];

/**
 * The objections to each step of one version of a policy, for someone whose role lets them: `changePolicies` and `guardPower`
 * refuse everyone else. The verbs refuse by them, and the page shows them.
 */
export const againstVersion = {
  edit: (user, { state, authorId }) => [
    [state !== 'draft', 'not-now', 'not-a-draft'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  submit: (user, { state, authorId }) => [
    [state !== 'draft', 'not-now', 'already-submitted'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  // Four eyes: no one reviews what they wrote, nor what the issuer of their sign-in wrote, under whatever account.
  review: (user, { state, authorId }, _policy: unknown, accounts) => [
    [state !== 'in-review', 'not-now', 'not-in-review'],
    [
      everyAccount(accounts, usersOf({ by: user.id, issuer: user.credentialIssuer })).includes(authorId ?? ''),
      'not-now',
      'own-version',
    ],
  ],
  publish: (_user: unknown, { version, state }: Version, { publishedVersion }: Standing) => [
    [state !== 'approved', 'not-now', 'not-approved'],
    [version === publishedVersion, 'not-now', 'is-published'],
    // A rollback is a new version, so that it is reviewed.
    [version < (publishedVersion ?? 0), 'not-now', 'newer-published'],
  ],
  restore: (_user, { version, state }, { publishedVersion }) => [
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'is-draft'],
  ],
  // What it finds tells of requests. A version that no longer changes is enough in a trial; nodes hold it in memory.
  shadow: (_user, { version, state }, { publishedVersion }, _accounts, environment) => [
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'submit-first'],
    [state === 'rejected', 'not-now', 'was-rejected'],
    [state === 'in-review' && !isTrial(environment), 'not-now', 'not-approved'],
  ],
} satisfies Record<string, Rule>;

/** Whether someone may review a version, whose policy belongs to this space; `accounts` are of everyone who has several. */
export const mayReview = (
  directory: Parameters<typeof mayIn>[0],
  user: User,
  version: Version & Pick<PolicyRecord, 'spaceId'>,
  accounts: Accounts | undefined,
): boolean =>
  mayIn(directory, user, 'write-policies', version.spaceId) &&
  permission(againstVersion.review(user, version, null, accounts)).allowed;

interface VersionReader {
  mayDo: (permission: RolePermission) => boolean;
  accounts: Accounts | undefined;
  environment: string;
}

/** Everything a person may do on the page of one version; `mayDo` is what their role lets them do where the policy is. */
export function versionPermissions(
  user: User,
  version: Version,
  policy: Standing,
  { mayDo, accounts, environment }: VersionReader,
) {
  const rules = Object.entries<Rule>(againstVersion);
  const permissions = rules.map(([step, rule]) => {
    const needed = step === 'publish' ? 'publish-policies' : 'write-policies';
    const without: Objection = [!mayDo(needed), 'forbidden', refusalWithout(needed)];
    return [step, permission([without, ...rule(user, version, policy, accounts, environment)])];
  });
  return Object.fromEntries(permissions) as Record<keyof typeof againstVersion, Permission>;
}
