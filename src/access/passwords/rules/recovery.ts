import { randomBytes } from 'node:crypto';
import { equalBytes } from '#platform/crypto/random';
import { slowHash } from './passwords.ts';
import { type KeyRing, closeBox, openBox } from '#platform/crypto/key-ring';

/** How many codes a person gets at once. */
const recoveryCodeCount = 10;

/** Crockford's base32, without letters that look like digits. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The stored codes: each hashed as a password is, with one salt for all. Base64url. */
export interface RecoveryHashes {
  salt: string;
  hashes: string[];
}

/** New codes of fifty random bits each, and what is stored of them. */
export async function newRecoveryCodes(): Promise<{ codes: string[]; recovery: RecoveryHashes }> {
  const salt = randomBytes(16);
  const codes = Array.from({ length: recoveryCodeCount }, newCode);
  const hashes = await Promise.all(codes.map(async (code) => (await slowHash(code, salt)).toString('base64url')));
  return { codes: codes.map(grouped), recovery: { salt: salt.toString('base64url'), hashes } };
}

/** The place of this code among them, however it is grouped or spelled; null for a wrong one. */
export async function placeOfCode({ salt, hashes }: RecoveryHashes, typed: string): Promise<number | null> {
  const hash = await slowHash(normalize(typed), Buffer.from(salt, 'base64url'));
  const place = hashes.findIndex((each) => equalBytes(Buffer.from(each, 'base64url'), hash));
  return place < 0 ? null : place;
}

const newCode = (): string => [...randomBytes(10)].map((byte) => letters.charAt(byte % letters.length)).join('');

const grouped = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

const normalize = (typed: string): string =>
  typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');

/** Seals the secret of the one-time link with this hash, until it has been mailed. */
export const sealLink = (ring: KeyRing, hash: Uint8Array, secret: string): Buffer =>
  closeBox(ring, 'link', [hex(hash)], secret);

/** Opens the result of `sealLink` for this hash. Anything else is `sealed-unreadable`. */
export const openLink = (ring: KeyRing, hash: Uint8Array, box: Uint8Array): string =>
  openBox(ring, 'link', [hex(hash)], box).toString('utf8');

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
