import type { SignedInUser } from '../../model/user.ts';
import { Problem } from '../../model/problem.ts';

/** Refuses where this person's password was not proven within so many milliseconds; null asks for nothing. */
export function refuseStaleSignIn(user: Partial<SignedInUser>, within: number | null, now: number): void {
  if (within !== null && (user.authenticatedAt ?? 0) + within <= now) throw new Problem('fresh-sign-in-needed');
}
