import { freshFor, isUntimed, isWholeFresh, type Proof } from '../../contract/authentication/authentication.ts';
import { isTrial } from '#policies/contract/policy';
import { Problem } from '#platform/model/problem/problem';
import type { SignedInUser } from '#people/directory/contract/user';
import type { InCommit } from '#platform/database/database/in-commit';
import { factorsIn } from '../../store/sessions/sessions.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { assertFreshSignIn } from '#requests/state/verbs/permissions/assert-vote';

/**
 * Refuses to change what lets a person in, or who votes for them, unless every factor that they have was proven within ten
 * minutes. Else someone at a browser left open who has the password could stay for ever.
 */
export function assertStrongSignIn(user: Partial<SignedInUser>, now: number): void {
  assertFreshSignIn(user, freshFor, now);
  assertFreshFactor(user, now);
}

/** Refuses an act without the proof that it takes. In a trial only what lets a person in, and the emergency override, take one. */
export function assertProof(
  { environment, now }: Pick<Engine, 'environment' | 'now'>,
  user: Partial<SignedInUser>,
  proof: Proof | undefined,
): void {
  if (isTrial(environment)) return;
  if (proof === 'fresh') assertFreshSignIn(user, freshFor, now());
  if (proof === 'every-factor') assertStrongSignIn(user, now());
}

/**
 * The same to add a factor; but someone without one, whose provider does not say when they proved who they are, may add the
 * first within ten minutes of their sign-in. Nothing else could ever let them in.
 */
export function assertMayAddFactor(user: Partial<SignedInUser>, now: number): void {
  if (!isJustSignedIn(user, now)) assertStrongSignIn(user, now);
}

/** The same now, and again in the commit: a factor that was added meanwhile must be proven. */
export function guardAddingFactor(user: Partial<SignedInUser>, now: number): InCommit {
  assertMayAddFactor(user, now);
  return guardFreshFactor(user, now);
}

const isJustSignedIn = ({ authentication }: Partial<SignedInUser>, now: number): boolean =>
  authentication !== undefined &&
  isUntimed(authentication) &&
  authentication.multiFactor === undefined &&
  (authentication.begunAt ?? 0) + freshFor > now;

/** The same now, and again in the commit of what is changed. */
export function guardStrongSignIn(user: Partial<SignedInUser>, now: number): InCommit {
  assertStrongSignIn(user, now);
  return guardFreshFactor(user, now);
}

/** The same where the password is proven at this very moment. */
function assertFreshFactor({ authentication }: Partial<SignedInUser>, now: number): void {
  if (authentication && !isWholeFresh(authentication, freshFor, now))
    throw new Problem('second-factor-needed', {
      detail: 'Confirm your second factor: this needs a proof of the last ten minutes.',
    });
}

/** The same now, and again in the commit: in another session, a factor may be added or this session be ended meanwhile. */
export function guardFreshFactor(user: Partial<SignedInUser>, now: number): InCommit {
  assertFreshFactor(user, now);
  return async (tx) => {
    const { id, proof, authentication } = user;
    const proven = id && proof && (await factorsIn(tx, id, proof.hash));
    if (!proven || !authentication) throw new Problem('unauthenticated');
    assertFreshFactor({ authentication: { ...authentication, multiFactor: proven.multiFactor } }, now);
  };
}
