import { sha256 } from '#platform/crypto/digest/digest';

/** The hash of a complete subtree: 2^height leaves, the index-th such from the left. Height 0 is a leaf hash. */
export type Nodes = (height: number, index: number) => Buffer;

/** The hash over two subtrees (RFC 6962, section 2.1). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  sha256(Buffer.concat([nodePrefix, left, right]));

const nodePrefix = Buffer.of(1);

/** The root of the tree of the first `size` leaves; of no leaves it is the hash of nothing. */
export const rootHash = (nodes: Nodes, size: number): Buffer => (size === 0 ? sha256('') : rangeHash(nodes, 0, size));

/** The hashes that lead from one leaf to the root, the leaf's sibling first (RFC 6962, section 2.1.1). */
export const inclusionProof = (nodes: Nodes, index: number, size: number): Buffer[] => path(nodes, index, 0, size);

/** The hashes that show the first `from` leaves unchanged in the first `to` (RFC 6962, section 2.1.2). */
export const consistencyProof = (nodes: Nodes, from: number, to: number): Buffer[] =>
  from === 0 ? [] : subproof(nodes, from, { from: 0, to }, true);

function path(nodes: Nodes, index: number, from: number, to: number): Buffer[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return index < middle
    ? [...path(nodes, index, from, middle), rangeHash(nodes, middle, to)]
    : [...path(nodes, index, middle, to), rangeHash(nodes, from, middle)];
}

function subproof(nodes: Nodes, old: number, { from, to }: { from: number; to: number }, isRoot: boolean): Buffer[] {
  if (old === to) return isRoot ? [] : [rangeHash(nodes, from, to)];
  const middle = from + splitOf(to - from);
  return old <= middle
    ? [...subproof(nodes, old, { from, to: middle }, isRoot), rangeHash(nodes, middle, to)]
    : [...subproof(nodes, old, { from: middle, to }, false), rangeHash(nodes, from, middle)];
}

function rangeHash(nodes: Nodes, from: number, to: number): Buffer {
  const width = to - from;
  const split = splitOf(width);
  if (split * 2 === width || width === 1) return nodes(Math.log2(width), from / width);
  return nodeHash(rangeHash(nodes, from, from + split), rangeHash(nodes, from + split, to));
}

/** The largest power of two below. */
function splitOf(width: number): number {
  let split = 1;
  while (split * 2 < width) split *= 2;
  return split;
}
