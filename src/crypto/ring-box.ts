import { randomBytes } from 'node:crypto';
import { Problem } from '../model/problem.ts';
import { decrypt, encrypt } from './aes-gcm.ts';
import { expandKey, type KeyLabel, kidPattern, type KeyRing } from './key-ring.ts';

/*
 * A box is sealed under the ring itself: version, length of the kid, kid, salt, then nonce ‖ ciphertext ‖ tag.
 * The salt gives each box a key of its own, so that no count of boxes wears out a ring key's nonces.
 */
const version = 1;
const saltLength = 16;

/** Seals under the active secret, for one use in one context. */
export function closeBox(ring: KeyRing, label: KeyLabel, context: string[], plaintext: string | Uint8Array): Buffer {
  const salt = randomBytes(saltLength);
  const header = Buffer.concat([Buffer.of(version, ring.active.length), Buffer.from(ring.active, 'latin1'), salt]);
  const key = expandKey(ring.secret(ring.active), salt, label, ...context);
  return Buffer.concat([header, encrypt(key, header, plaintext)]);
}

/** Opens a box of the same use and context; anything else is `sealed-unreadable`. */
export function openBox(ring: KeyRing, label: KeyLabel, context: string[], box: Uint8Array): Buffer {
  const { kid, salt, header, encrypted } = readBox(box);
  return decrypt(expandKey(ring.secret(kid), salt, label, ...context), header, encrypted);
}

/** The kid a box says it was sealed under; nothing is verified. */
export const kidOfBox = (box: Uint8Array): string => readBox(box).kid;

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
