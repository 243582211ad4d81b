import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { Problem } from '../model/problem.ts';
import { drawBytes } from './random.ts';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** AES-256-GCM with a fresh random 96-bit nonce; returns nonce ‖ ciphertext ‖ tag. */
export function encrypt(key: KeyObject, bound: Uint8Array, plaintext: string | Uint8Array): Buffer {
  const nonce = drawBytes(nonceLength);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(bound);
  const bytes = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Opens the result of `encrypt`. Anything else is `sealed-unreadable`. */
export function decrypt(key: KeyObject, bound: Uint8Array, encrypted: Uint8Array): Buffer {
  if (encrypted.length < nonceLength + tagLength) throw new Problem('sealed-unreadable');
  const nonce = encrypted.subarray(0, nonceLength);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
    .setAAD(bound)
    .setAuthTag(encrypted.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(nonceLength, -tagLength)), decipher.final()]);
  } catch {
    throw new Problem('sealed-unreadable');
  }
}
