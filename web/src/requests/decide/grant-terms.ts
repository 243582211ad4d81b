import type { AppliedPolicy, ElicitationDetail } from '#requests/inbox/contract/inbox';

export type GrantTerms = NonNullable<AppliedPolicy['grant']>;

const hour = 3_600_000;

const usual = [hour, 4 * hour, 8 * hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour];

/** For how long the same may be allowed, the shortest first; the policy's own bound is the last. Milliseconds. */
export const grantDurations = ({ longest }: GrantTerms): number[] => [
  ...usual.filter((duration) => duration < longest),
  longest,
];

/** Everyone who approves must allow it: a single vote without it keeps the approval to one time. */
export const mayGrant = ({ policy, votes, notBefore }: ElicitationDetail): boolean =>
  policy.grant !== null &&
  notBefore === null &&
  votes.every(({ stands, action, allowFor }) => !stands || action === 'decline' || allowFor !== null);

/** For how long it would be, with what others allowed before: the shortest holds. */
export const shortestAllowed = ({ votes }: ElicitationDetail, own: number): number =>
  Math.min(own, ...votes.flatMap(({ stands, allowFor }) => (stands && allowFor !== null ? [allowFor] : [])));
