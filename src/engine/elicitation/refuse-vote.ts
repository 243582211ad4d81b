import { Problem } from '../../model/problem.ts';
import type { SignedInUser } from '../../model/user.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';

/** A person decides on what they saw: another digest changes nothing. A closed request says so first. */
export function refuseUnseen({ status, digest }: ElicitationRow, seen: string): void {
  if (status !== 'open') throw new Problem('already-closed');
  if (seen !== digest) throw new Problem('digest-mismatch');
}

/** Refuses if this person's password was not proven within so many milliseconds; null asks for nothing. */
export function refuseStaleSignIn(user: Partial<SignedInUser>, within: number | null, now: number): void {
  if (within !== null && (user.authenticatedAt ?? 0) + within <= now) throw new Problem('fresh-sign-in-needed');
}
