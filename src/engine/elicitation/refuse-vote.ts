import { Problem } from '../../model/problem.ts';
import type { SignedInUser } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';

/** Refuses a vote on another digest than the person saw. A closed request is reported first. */
export function refuseUnseen({ status, digest }: ElicitationRow, seenDigest: string): void {
  if (status !== 'open') throw new Problem('already-closed');
  if (seenDigest !== digest) throw new Problem('digest-mismatch');
}

/** Refuses if this person's password was not proven within so many milliseconds; null means no limit. */
export function refuseStaleSignIn(user: Partial<SignedInUser>, within: number | null, now: number): void {
  if (within !== null && (user.authenticatedAt ?? 0) + within <= now) throw new Problem('fresh-sign-in-needed');
}
