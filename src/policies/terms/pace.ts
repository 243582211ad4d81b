import { z } from 'zod';
import { durationSchema, orNull, wholeSchema, allOf, defineTerm } from '../document/rules/term.ts';

/** The most approvals of one person in a time. */
export interface PaceRule {
  /** The most approvals within `within`; null for no limit. */
  approvals: number | null;
  /** The most approvals in a row that were hardly read; null for no limit. */
  hasty: number | null;
  /** Milliseconds. */
  within: number;
}

/** The most approvals of one person in a time; all rules hold. */
export const pace = defineTerm({
  key: 'pace',
  schema: z
    .strictObject({
      approvals: wholeSchema(2, 100)
        .describe('So many approvals of one person within `within`; then they pause until the first is that long ago.')
        .optional()
        .transform(orNull),
      hasty: wholeSchema(2, 100)
        .describe(
          'So many approvals of one person in a row, each under five seconds after it was seen; then they pause.',
        )
        .optional()
        .transform(orNull),
      within: durationSchema('10s', '1h').describe('How long, such as 5m.'),
    })
    .refine(
      ({ approvals, hasty }) => approvals !== null || hasty !== null,
      'Must have `approvals` or `hasty`, or both.',
    )
    .transform((rule): PaceRule[] => [rule])
    .describe('How fast one person may approve, whatever the policies of the requests.')
    .default([]),
  stricter: allOf<PaceRule>,
  clauses: (rules) => rules.map((rule) => ({ kind: 'pace', ...rule })),
});

/** An approval that a person gave, whatever its policy. */
export interface GivenApproval {
  at: number;
  /** Came so soon after the request was shown that no one can have read it. */
  isHasty: boolean;
}

/**
 * The end of a person's pause after these approvals, the latest first; null if they can go on. After too many, until the
 * first of them is long enough ago; after too many hasty ones in a row, since the last of them. A pause that a hasty run
 * caused does not begin again if the next request was read.
 */
export function pausedUntil(
  approvals: readonly GivenApproval[],
  rules: readonly PaceRule[],
  now: number,
): number | null {
  const ends = rules.flatMap((rule) => [endOfBurst(approvals, rule), endOfRun(approvals, rule)]);
  const last = Math.max(...ends.map((end) => end ?? 0), 0);
  return last > now ? last : null;
}

/** Number of approvals that the rules look at, the latest first. */
export const lookedAt = (rules: readonly PaceRule[]): number =>
  Math.max(0, ...rules.flatMap(({ approvals, hasty }) => [approvals ?? 0, hasty ?? 0]));

function endOfBurst(approvals: readonly GivenApproval[], { approvals: most, within }: PaceRule): number | null {
  const first = most === null ? undefined : approvals[most - 1];
  return first ? first.at + within : null;
}

function endOfRun(approvals: readonly GivenApproval[], { hasty, within }: PaceRule): number | null {
  const [latest] = approvals;
  if (hasty === null || latest === undefined || approvals.length < hasty) return null;
  return approvals.slice(0, hasty).every(({ isHasty }) => isHasty) ? latest.at + within : null;
}
