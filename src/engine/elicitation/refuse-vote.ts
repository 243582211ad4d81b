import { Problem } from '../../model/problem.ts';
import type { SignedInUser, User } from '../../model/user.ts';
import { mintShownToken, readShownToken } from '../../crypto/tokens/shown-token.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { policyTerms, readingTimeOf } from './policy-terms.ts';

/** Refuses a vote on another digest than the person saw. A closed request is reported first. */
export function refuseUnseen({ status, digest }: ElicitationRow, seenDigest: string): void {
  if (status !== 'open') throw new Problem('already-closed');
  if (seenDigest !== digest) throw new Problem('digest-mismatch');
}

/** For the page of an open request that takes time to read: the proof to bring back with the approval; else null. */
export function mintReading(engine: Engine, user: User, row: ElicitationRow): { token: string; time: number } | null {
  const time = readingTimeOf(engine, row, policyTerms(engine, row));
  if (row.status !== 'open' || time === 0) return null;
  return { time, token: mintShownToken(engine.ring, shownTo(user, row), engine.now()) };
}

/** Refuses an approval before the person had the time to read what they were shown; says how much of it is left. */
export function refuseUnread(
  engine: Engine,
  user: User,
  row: ElicitationRow,
  token: string | undefined,
  now: number,
): void {
  const time = readingTimeOf(engine, row, policyTerms(engine, row));
  if (time === 0) return;
  const at = token === undefined ? null : readShownToken(engine.ring, token, shownTo(user, row));
  if (at === null) throw new Problem('not-now', { refusal: { code: 'open-first' } });
  const seconds = Math.ceil((at + time - now) / 1000);
  if (seconds <= 0) return;
  throw new Problem('not-now', {
    refusal: { code: 'read-first', values: { seconds: `${seconds}` } },
    retryAfter: seconds,
  });
}

const shownTo = ({ id: user }: User, { id: elicitation, digest }: ElicitationRow) => ({ user, elicitation, digest });

/** Refuses if this person's password was not proven within so many milliseconds; null means no limit. */
export function refuseStaleSignIn(user: Partial<SignedInUser>, within: number | null, now: number): void {
  if (within !== null && (user.authenticatedAt ?? 0) + within <= now) throw new Problem('fresh-sign-in-needed');
}
