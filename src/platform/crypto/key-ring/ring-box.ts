import { createSecretKey, type KeyObject } from 'node:crypto';
import { Problem } from '../../model/problem/problem.ts';
import { decrypt, encrypt } from '../aes-gcm.ts';
import { equalBytes } from '../random/compare.ts';
import { hmacSha256 } from '../digest/hmac.ts';
import { deriveKey, expandKey, type KeyLabel, kidPattern, type KeyRing, provingKids } from './key-ring.ts';
import { drawBytes } from '../random/random.ts';

/*
 * A box is sealed under the ring itself: version, length of the kid, kid, salt, then nonce ‖ ciphertext ‖ tag.
 * The salt gives each box a key of its own, so that no count of boxes wears out a ring key's nonces.
 */
const version = 1;
const saltLength = 16;

/** Seals under the active secret, for one use in one context. */
export function closeBox(ring: KeyRing, label: KeyLabel, context: string[], plaintext: string | Uint8Array): Buffer {
  const salt = drawBytes(saltLength);
  const header = Buffer.concat([Buffer.of(version, ring.active.length), Buffer.from(ring.active, 'latin1'), salt]);
  const key = boxKey(ring, ring.active, salt, label, context);
  return Buffer.concat([header, encrypt(key, header, plaintext)]);
}

/** Opens a box of the same use and context; anything else is `sealed-unreadable`. */
export function openBox(ring: KeyRing, label: KeyLabel, context: string[], box: Uint8Array): Buffer {
  const { kid, salt, header, encrypted } = readBox(box);
  return decrypt(boxKey(ring, kid, salt, label, context), header, encrypted);
}

/** The same under the active secret; null if it is sealed under that one already. */
export const closeAgain = (ring: KeyRing, label: KeyLabel, context: string[], box: Uint8Array): Buffer | null =>
  kidOfBox(box) === ring.active ? null : closeBox(ring, label, context, openBox(ring, label, context, box));

/** The kid a box says it was sealed under; nothing is verified. */
export const kidOfBox = (box: Uint8Array): string => readBox(box).kid;

const boxKey = (ring: KeyRing, kid: string, salt: Uint8Array, label: KeyLabel, context: string[]): KeyObject =>
  createSecretKey(expandKey(ring.secret(kid), salt, label, ...context));

function readBox(box: Uint8Array) {
  const bytes = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
  const saltAt = 2 + (bytes[1] ?? 0);
  const encryptedAt = saltAt + saltLength;
  const kid = bytes.toString('latin1', 2, saltAt);
  if (bytes[0] !== version || bytes.length < encryptedAt || !kidPattern.test(kid))
    throw new Problem('sealed-unreadable');
  return {
    kid,
    salt: bytes.subarray(saltAt, encryptedAt),
    header: bytes.subarray(0, encryptedAt),
    encrypted: bytes.subarray(encryptedAt),
  };
}

/*
 * A MAC under the ring: length of the kid, kid, HMAC-SHA256. It is made under the active secret, and holds after that
 * secret is retired.
 */
export const ringMac = (ring: KeyRing, label: KeyLabel, bytes: Uint8Array): Buffer =>
  macUnder(ring, ring.active, label, bytes);

/** Whether a secret of this ring made this MAC for these bytes. */
export function holdsMac(ring: KeyRing, label: KeyLabel, bytes: Uint8Array, mac: Uint8Array): boolean {
  const kid = kidOfMac(mac);
  return provingKids(ring).includes(kid) && equalBytes(macUnder(ring, kid, label, bytes), mac);
}

/** The kid that a MAC names; nothing is verified. */
export const kidOfMac = (mac: Uint8Array): string => Buffer.from(mac.subarray(1, 1 + (mac[0] ?? 0))).toString('latin1');

function macUnder(ring: KeyRing, kid: string, label: KeyLabel, bytes: Uint8Array): Buffer {
  const mac = hmacSha256(deriveKey(ring, kid, label), bytes);
  return Buffer.concat([Buffer.of(kid.length), Buffer.from(kid, 'latin1'), mac]);
}
