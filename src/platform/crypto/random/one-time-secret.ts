import { randomInt } from 'node:crypto';
import { sha256 } from '../digest/digest.ts';
import { randomSecret } from './random.ts';

/** A secret for a session cookie or a one-time link: the person holds it, the database only its hash. */
export function newOneTimeSecret(): { secret: string; hash: Buffer } {
  const secret = randomSecret();
  return { secret, hash: hashSecret(secret) };
}

// A plain hash is enough: no one can guess 256 random bits, so there is nothing to slow down.
export const hashSecret = (secret: string): Buffer => sha256(secret);

/** Six digits for a person to copy. They can be guessed, so code that accepts them must count the tries. */
export const newOneTimeCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');
