/** The site for which passkeys are made: browsers and authenticators bind every signature to it. */
export interface RelyingParty {
  /** A domain name. */
  id: string;
  origin: string;
}

/** A person has so many passkeys at most. */
export const maxPasskeys = 20;

/** Milliseconds in which what was given out to be signed must come back. */
export const challengeLife = 5 * 60_000;

/** Why a signature was refused; only the log says so. */
const passkeyFaults = [
  'passkey-unknown',
  'passkey-unproven',
  'passkey-malformed',
  'passkey-challenge',
  'passkey-origin',
  'passkey-no-verification',
  'passkey-signature',
  'passkey-counter',
  'passkey-syncable',
] as const;
export type PasskeyFault = (typeof passkeyFaults)[number];
