import { nodeHash } from './merkle-tree.ts';

export interface TreeHead {
  size: number;
  root: Uint8Array;
}

/** Whether the proof leads from this leaf at this index to the root (RFC 9162, section 2.1.3.2). */
export function isIncluded(leaf: Uint8Array, index: number, proof: Uint8Array[], { size, root }: TreeHead): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [at, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hash = nodeHash(hash, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equals(hash, root);
}

/** Whether the newer tree begins with all of the older (RFC 9162, section 2.1.4.2). */
export function isConsistent(older: TreeHead, newer: TreeHead, proof: Uint8Array[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && equals(older.root, newer.root);
  if (older.size === 0) return proof.length === 0;
  let [at, last] = [older.size - 1, newer.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  const [first, ...rest] = at === 0 ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let [was, is] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      [was, is] = [nodeHash(sibling, was), nodeHash(sibling, is)];
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      is = nodeHash(is, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equals(was, older.root) && equals(is, newer.root);
}

const isOdd = (count: number): boolean => count % 2 === 1;
const half = (count: number): number => Math.floor(count / 2); // shifts would cut at 32 bits
const equals = (first: Uint8Array, other: Uint8Array): boolean => Buffer.compare(first, other) === 0;
