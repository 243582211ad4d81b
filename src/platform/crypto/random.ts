import { randomInt, timingSafeEqual, randomBytes } from 'node:crypto';
import { sha256 } from './digest.ts';
import { type Id, type IdKind, idPrefixes } from '../model/id.ts';

/** A secret for a session cookie or a one-time link: the person holds it, the database only its hash. */
export function newOneTimeSecret(): { secret: string; hash: Buffer } {
  const secret = randomSecret();
  return { secret, hash: hashSecret(secret) };
}

// A plain hash is enough: no one can guess 256 random bits, so there is nothing to slow down.
export const hashSecret = (secret: string): Buffer => sha256(secret);

/** Six digits for a person to copy. They can be guessed, so code that accepts them must count the tries. */
export const newOneTimeCode = (): string => randomInt(1_000_000).toString().padStart(6, '0');

/** Compares in a time that depends only on the lengths. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);

/**
 * Random bytes for values that may become known: ids, nonces and salts, never keys. They are drawn in bulk, because a draw
 * costs more than the bytes; each is used once and then erased from the stock.
 */
export function drawBytes(length: number): Buffer {
  if (length > stockSize) return randomBytes(length);
  if (at + length > stockSize) {
    stock = randomBytes(stockSize);
    at = 0;
  }
  const drawn = Buffer.from(stock.subarray(at, at + length));
  stock.fill(0, at, (at += length));
  return drawn;
}

const stockSize = 1024;
let stock = Buffer.alloc(0);
let at = stockSize;

/** A new id of 128 random bits. */
export const newId = <K extends IdKind>(kind: K): Id<K> => idFrom(kind, drawBytes(16));

/** The id of these 16 bytes, which must be as hard to guess as random ones. */
export const idFrom = <K extends IdKind>(kind: K, bytes: Buffer): Id<K> =>
  `${idPrefixes[kind]}_${bytes.toString('base64url')}` as Id<K>;

/** 32 random bytes as base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
