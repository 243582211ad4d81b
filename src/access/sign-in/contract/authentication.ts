import type { UserId } from '#platform/model/id';

/** Ways to sign in to the console. */
export const signInMethods = ['password', 'link', 'passkey', 'oidc'] as const;

export type SignInMethod = (typeof signInMethods)[number];

/** Second factors that prove a person after another one, in the same session. */
export const secondFactors = ['totp', 'recovery-code'] as const;

export type SecondFactor = (typeof secondFactors)[number];

/**
 * Assurance of a sign-in, the least first: none, as with a link that someone gave them; one factor of their own; or more
 * than one.
 */
export const assurances = ['none', 'single-factor', 'multi-factor'] as const;

export type Assurance = (typeof assurances)[number];

/** A person's last proof of identity. */
export interface Authentication {
  method: SignInMethod;
  /** Milliseconds since 1970; 0 if the identity provider does not say when. */
  at: number;
  /** When this session began; absent where no browser is meant. */
  begunAt?: number | undefined;
  assurance: Assurance;
  /** The `iss` of the identity provider at which they did; absent for other methods. */
  provider?: string | undefined;
  /** The provider's assurance; absent if it did not say. */
  acr?: string | undefined;
  /** The factor proven after it in this session; absent for none. */
  secondFactor?: SecondFactor | undefined;
  /** For someone who has more than one factor: when more than one was last proven in this session, or null for never. */
  multiFactor?: { at: number | null } | undefined;
  /** The administrator who issued the credential; null if it is the person's own, or the operator's. */
  by: UserId | null;
}

/** Milliseconds for which a proof is fresh enough for what no one may do in a browser that was left open. */
export const freshFor = 10 * 60_000;

/** Was more than one factor proven within so many milliseconds, if the person has more than one? */
export const isWholeFresh = ({ multiFactor }: Authentication, within: number, now: number): boolean =>
  multiFactor === undefined || (multiFactor.at !== null && multiFactor.at + within > now);

/** Has a factor of the person's own been proven within so many milliseconds? */
export const isFresh = (authentication: Authentication | undefined, within: number, now: number): boolean =>
  authentication !== undefined && authentication.assurance !== 'none' && provenAt(authentication) + within > now;

/** Does the identity provider of this sign-in not say when the person proved who they are (no `auth_time`, as Dex and Google)? */
export const isUntimed = ({ method, at }: Authentication): boolean => method === 'oidc' && at === 0;

/** If the provider does not say when, the person's later proof here counts. */
const provenAt = (authentication: Authentication): number =>
  isUntimed(authentication) ? (authentication.multiFactor?.at ?? 0) : authentication.at;

/**
 * How a person proves who they are at an act, outside of a trial: not again; by one factor of their own, or by every factor
 * that they have, within ten minutes; or as the act itself demands, because it brings the proof or a policy asks for it.
 */
export const proofs = ['none', 'fresh', 'every-factor', 'with-act'] as const;

export type Proof = (typeof proofs)[number];
