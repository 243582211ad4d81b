import { createHash } from 'node:crypto';
import { leafHash } from '#audit/entries/rules/entry';

export const entryAt = (index: number): Buffer => Buffer.from(`entry ${index}`);

export const leavesOf = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, index) => leafHash(entryAt(index)));

/** The definition of RFC 6962, section 2.1, and nothing cleverer. */
export function plainRoot(leaves: Buffer[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  const parts = [Buffer.of(1), plainRoot(leaves.slice(0, split)), plainRoot(leaves.slice(split))];
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

/** Every copy of these bytes in which one bit is another. */
export function* flipped(bytes: Uint8Array): Generator<Buffer> {
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield copy;
  }
}
