import type { TOTP } from 'otpauth';

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
  const totp = await openTotp(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: toleratedSteps });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

/** What an app reads from a QR code, by the key URI format. */
export const keyUri = async (secret: string, account: string): Promise<string> =>
  (await openTotp(secret, account)).toString();

/** Loaded with the first use. */
async function openTotp(secret: string, label = ''): Promise<TOTP> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ issuer: 'Assentry', label, secret, algorithm: 'SHA1', digits: totpDigits, period: 30 });
}
