import { randomBytes } from 'node:crypto';
import { type Id, type IdKind, idPrefixes } from '../../model/id.ts';

/**
 * Random bytes for what may be known once it is used: ids, nonces and salts, never keys. They are drawn many at a time,
 * because a draw costs more than the bytes; each is given once, and the stock forgets it.
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
