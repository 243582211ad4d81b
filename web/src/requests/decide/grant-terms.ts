import type { AppliedPolicy, ElicitationDetail } from '#requests/inbox/contract/inbox';

export type GrantTerms = NonNullable<AppliedPolicy['grant']>;

const hour = 3_600_000;

const usual = [hour, 4 * hour, 8 * hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour];

/** Durations for which the same call may be allowed, the shortest first, the policy's own bound last. Milliseconds. */
export const grantDurations = ({ longest }: GrantTerms): number[] => [
  ...usual.filter((duration) => duration < longest),
  longest,
];

/** May it be granted? Every approver must allow it: a single vote without it keeps the approval to one time. */
export const mayGrant = ({ policy, votes, notBefore }: ElicitationDetail): boolean =>
  policy.grant !== null &&
  notBefore === null &&
  votes.every(({ stands, action, allowFor }) => !stands || action === 'decline' || allowFor !== null);

/** Resulting duration with the choices of earlier votes: the shortest holds. */
export const shortestAllowed = ({ votes }: ElicitationDetail, own: number): number =>
  Math.min(own, ...votes.flatMap(({ stands, allowFor }) => (stands && allowFor !== null ? [allowFor] : [])));
