import type { Authentication } from '#access/sign-in/contract/authentication';
import type { Risk } from '#requests/asking/contract/elicitation';
import { isTrial } from '#policies/contract/policy';

/** Proofs that an approval can need of its person, the least first. */
export const presences = ['none', 'fresh-sign-in', 'passkey'] as const;

/** Or a sign-in of late at an identity provider that vouches for it with this `acr`. */
interface VouchedSignIn {
  acr: string;
}
export type Presence = (typeof presences)[number] | VouchedSignIn;

/**
 * The proof that policies need of every person, and whether one of them is silent, so that the default of the
 * installation counts.
 */
export interface PresenceTerm {
  needed: Presence;
  hasDefault: boolean;
}

/** An `acr` as a token can have it, and as a client asks for one of them: no spaces. */
export const acrPattern = /^[\x21-\x7e]{1,200}$/;

export const isVouched = (presence: Presence): presence is VouchedSignIn => typeof presence === 'object';

/** A proof of one of them is enough for those before it: a passkey signs this one vote. */
const rankOf = (presence: Presence): number =>
  isVouched(presence) ? 2 : { none: 0, 'fresh-sign-in': 1, passkey: 3 }[presence];

/** The least that is no weaker than both. A sign-in has one `acr`, so two different ones are answered by a passkey. */
export function stricterPresence(first: Presence, other: Presence): Presence {
  const [rank, otherRank] = [rankOf(first), rankOf(other)];
  if (rank !== otherRank) return rank > otherRank ? first : other;
  return isVouched(first) && isVouched(other) && first.acr !== other.acr ? 'passkey' : first;
}

/** Is a sign-in of late enough, as far as the `acr` is concerned? */
export const isVouchedFor = (presence: Presence, authentication: Pick<Authentication, 'acr'> | undefined): boolean =>
  !isVouched(presence) || authentication?.acr === presence.acr;

interface Approval {
  risk: Risk;
  environment: string;
  /** Has the person a passkey that can sign it? */
  hasPasskey: boolean;
}

/** Outside of a trial, an approval at high risk is signed by a person who can, unless a policy says what it needs. */
export const mayNeedPasskey = ({ hasDefault }: PresenceTerm, approval: Omit<Approval, 'hasPasskey'>): boolean =>
  hasDefault && approval.risk === 'high' && !isTrial(approval.environment);

/** The proof that this approval needs of this person. */
export const presenceFor = (term: PresenceTerm, { hasPasskey, ...approval }: Approval): Presence =>
  hasPasskey && mayNeedPasskey(term, approval) ? 'passkey' : term.needed;
