import { hashSecret } from '#platform/crypto/random';
import type { RecoveryHashes } from '../passwords/rules/recovery.ts';
import { type KeyRing, closeAgain, closeBox, openBox } from '#platform/crypto/key-ring';
import type { TOTP } from 'otpauth';

/** The one place where an authenticator app's secret opens: this row, of this person. */
interface TotpPlace {
  id: string;
  userId: string;
}

/** The secret that makes codes, and the hashes of its recovery codes. */
export interface TotpSecrets {
  /** Base32. */
  secret: string;
  recovery: RecoveryHashes;
}

/** Seals them under a key of their own. */
export const sealTotp = (ring: KeyRing, place: TotpPlace, secrets: TotpSecrets): Buffer =>
  closeBox(ring, 'totp', partsOf(place), JSON.stringify(secrets));

/** Opens the result of `sealTotp` for this place. Anything else is `sealed-unreadable`. */
export const openTotp = (ring: KeyRing, place: TotpPlace, box: Uint8Array): TotpSecrets =>
  JSON.parse(openBox(ring, 'totp', partsOf(place), box).toString('utf8')) as TotpSecrets;

/** Seals the secret under the active one; null if it is sealed under that one already. */
export const sealTotpAgain = (ring: KeyRing, place: TotpPlace, box: Uint8Array): Buffer | null =>
  closeAgain(ring, 'totp', partsOf(place), box);

/** An enrolment that has begun in the session with this secret, for the browser to bring back. */
interface TotpEnrolment {
  secret: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export const sealEnrolment = (ring: KeyRing, session: string, enrolment: TotpEnrolment): string =>
  closeBox(ring, 'totpEnrolment', [hashOf(session)], JSON.stringify(enrolment)).toString('base64url');

/** Opens it in the session in which it began. Anything else is `sealed-unreadable`. */
export const openEnrolment = (ring: KeyRing, session: string, text: string): TotpEnrolment =>
  JSON.parse(
    openBox(ring, 'totpEnrolment', [hashOf(session)], Buffer.from(text, 'base64url')).toString('utf8'),
  ) as TotpEnrolment;

const partsOf = ({ id, userId }: TotpPlace): string[] => [id, userId];
const hashOf = (session: string): string => hashSecret(session).toString('hex');

/** Codes of authenticator apps: TOTP (RFC 6238) with what all apps can do, SHA-1, six digits and thirty seconds. */
export const totpDigits = 6;

/** Steps by which the clock of a phone may be off. */
const toleratedSteps = 1;

/** A secret of 160 random bits, in base32 as people type it into an app. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ size: 20 }).base32;
}

/** The step in which this secret makes this code, at this time or nearly so; null for a wrong code. */
export async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const totp = await openTotpSecret(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: toleratedSteps });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** The key URI that an authenticator app reads from a QR code. */
export const keyUri = async (secret: string, account: string): Promise<string> =>
  (await openTotpSecret(secret, account)).toString();

/** Loaded with the first use. */
async function openTotpSecret(secret: string, label = ''): Promise<TOTP> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer: 'Assentry', label, secret, algorithm: 'SHA1', digits: totpDigits, period: 30 });
}
