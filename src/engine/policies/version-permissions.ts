import { may, refusalWithout, type Permission as RolePermission } from '../../model/permission.ts';
import { usersOf } from '../../model/quorum.ts';
import type { User } from '../../model/user.ts';
import type { PolicyRecord, VersionRecord } from '../../store/policies.ts';
import { permission, type Objection, type Permission } from '../elicitation/permissions.ts';

type Standing = Pick<PolicyRecord, 'publishedVersion' | 'shadowVersion'>;
type Version = Pick<VersionRecord, 'version' | 'state' | 'authorId'>;
type Rule = (user: User, version: Version, policy: Standing) => Objection[];

/** The objections to each step of one version of a policy. The verbs refuse by them, and the page shows them. */
export const againstVersion = {
  edit: (user, { state, authorId }) => [
    changing(user),
    [state !== 'draft', 'not-now', 'not-a-draft'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  submit: (user, { state, authorId }) => [
    changing(user),
    [state !== 'draft', 'not-now', 'already-submitted'],
    [authorId !== user.id, 'not-now', 'draft-of-other'],
  ],
  // Four eyes: no one reviews what they wrote, nor what the issuer of their sign-in wrote.
  review: (user, { state, authorId }) => [
    changing(user),
    [state !== 'in-review', 'not-now', 'not-in-review'],
    [usersOf({ by: user.id, issuer: user.credentialIssuer }).includes(authorId ?? ''), 'not-now', 'own-version'],
  ],
  publish: (user: Pick<User, 'role'>, { version, state }: Version, { publishedVersion }: Standing) => [
    publishing(user),
    [state !== 'approved', 'not-now', 'not-approved'],
    [version === publishedVersion, 'not-now', 'is-published'],
    // A rollback is a new version, so that it is reviewed.
    [version < (publishedVersion ?? 0), 'not-now', 'newer-published'],
  ],
  restore: (user, { version, state }, { publishedVersion }) => [
    changing(user),
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'is-draft'],
  ],
  // Only a version that no longer changes can run in shadow mode: nodes hold it in memory.
  shadow: (user, { version, state }, { publishedVersion }) => [
    changing(user),
    [version === publishedVersion, 'not-now', 'is-published'],
    [state === 'draft', 'not-now', 'submit-first'],
    [state === 'rejected', 'not-now', 'was-rejected'],
  ],
} satisfies Record<string, Rule>;

/** Everything a person may do on the page of one version. */
export function versionPermissions(user: User, version: Version, policy: Standing) {
  const rules = Object.entries<Rule>(againstVersion);
  const permissions = rules.map(([step, rule]) => [step, permission(rule(user, version, policy))]);
  return Object.fromEntries(permissions) as Record<keyof typeof againstVersion, Permission>;
}

const changing = ({ role }: Pick<User, 'role'>): Objection => without(role, 'write-policies');

const publishing = ({ role }: Pick<User, 'role'>): Objection => without(role, 'publish-policies');

const without = (role: User['role'], needed: RolePermission): Objection => [
  !may(role, needed),
  'forbidden',
  refusalWithout(needed),
];
