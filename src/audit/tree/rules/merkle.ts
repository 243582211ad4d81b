import { Problem } from '#platform/model/problem';
import { sha256 } from '#platform/crypto/digest';

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

/*
 * The tree as tiles of height 8 (C2SP tlog-tiles): a tile of level 0 holds up to 256 leaf hashes, one of a level above
 * the roots of up to 256 full tiles below.
 */
export const tileWidth = 256;
const tileHeight = 8;
const hashLength = 32;

export interface TilePlace {
  level: number;
  n: number;
}

/** `hashes` are concatenated, 32 bytes each. A tile only grows until it is full. */
export interface Tile extends TilePlace {
  hashes: Buffer;
}

/** The unfinished tiles a tree of this size ends with. With them it can grow and its root is known. */
export function edgeTiles(size: number): TilePlace[] {
  const places: TilePlace[] = [];
  for (let [level, width] = [0, size]; width > 0; [level, width] = [level + 1, Math.floor(width / tileWidth)]) {
    if (width % tileWidth !== 0) places.push({ level, n: Math.floor(width / tileWidth) });
  }
  return places;
}

/** The tiles that prove the leaf, or the tree up to and with it unchanged, in a tree of this size. */
export function proofTiles(index: number, size: number): TilePlace[] {
  const places = edgeTiles(size);
  let [n, width] = [Math.floor(index / tileWidth), size];
  for (let level = 0; width > n * tileWidth; level += 1) {
    if (!places.some((place) => place.level === level && place.n === n)) places.push({ level, n });
    [n, width] = [Math.floor(n / tileWidth), Math.floor(width / tileWidth)];
  }
  return places;
}

/** The tiles that change when leaves are added to a tree of this size, whose edge is given. */
export function growTiles(edge: Tile[], size: number, leaves: Buffer[]): Tile[] {
  const changed: Tile[] = [];
  let [added, width] = [leaves, size];
  for (let level = 0; added.length > 0; level += 1) {
    const first = Math.floor(width / tileWidth);
    const begun = edge.find((tile) => tile.level === level && tile.n === first);
    const hashes = Buffer.concat([begun?.hashes ?? Buffer.alloc(0), ...added]);
    const grown = cutTiles(level, first, hashes);
    changed.push(...grown);
    added = grown.filter(isFull).map((tile) => fold(tile.hashes));
    width = first;
  }
  return changed;
}

/** Reads the tree from these tiles, which must hold every subtree that is asked for. */
export function nodesIn(tiles: Tile[]): Nodes {
  const hashesOf = new Map(tiles.map((tile) => [keyOf(tile), tile.hashes]));
  return (height, index) => {
    const level = Math.floor(height / tileHeight);
    const count = 2 ** (height % tileHeight);
    const n = Math.floor((index * count) / tileWidth);
    const from = ((index * count) % tileWidth) * hashLength;
    const hashes = hashesOf.get(keyOf({ level, n }))?.subarray(from, from + count * hashLength);
    if (hashes?.length !== count * hashLength)
      throw new Problem('internal', { cause: `tile ${level}/${n} is too short` });
    return fold(hashes);
  };
}

/** Caches each subtree, for many proofs at once. */
export function rememberNodes(nodes: Nodes): Nodes {
  const hashes = new Map<string, Buffer>();
  return (height, index) => {
    const key = `${height}/${index}`;
    const hash = hashes.get(key) ?? nodes(height, index);
    hashes.set(key, hash);
    return hash;
  };
}

export const widthOf = ({ hashes }: Tile): number => hashes.length / hashLength;

/** The path of a tile below the log's address; level `entries` is that of its bundle of entries. */
export function tilePath(level: number | 'entries', n: number, width: number): string {
  const digits = String(n).padStart(Math.ceil(String(n).length / 3) * 3, '0');
  const parts = digits.match(/.{3}/g) ?? [];
  const steps = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part));
  return `tile/${level}/${steps.join('/')}${width === tileWidth ? '' : `.p/${width}`}`;
}

/** Reads the tile's number and width from such a path; null if it is not one. */
export function parseTileNumber(path: string): { n: number; width: number } | null {
  const [, steps = '', last = '', part] = /^((?:x\d{3}\/){0,4})(\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? [];
  const [n, width] = [Number(steps.replaceAll(/[x/]/g, '') + last), Number(part ?? tileWidth)];
  const isPlain = last !== '' && !steps.startsWith('x000') && (part === undefined || width < tileWidth);
  return isPlain ? { n, width } : null;
}

const isFull = (tile: Tile): boolean => widthOf(tile) === tileWidth;
const keyOf = ({ level, n }: TilePlace): string => `${level}/${n}`;

function cutTiles(level: number, first: number, hashes: Buffer): Tile[] {
  const tiles: Tile[] = [];
  const bytes = tileWidth * hashLength;
  for (let at = 0; at < hashes.length; at += bytes) {
    tiles.push({ level, n: first + at / bytes, hashes: hashes.subarray(at, at + bytes) });
  }
  return tiles;
}

/** The root of a complete subtree of which these are the hashes. */
function fold(hashes: Buffer): Buffer {
  if (hashes.length === hashLength) return hashes;
  const middle = hashes.length / 2;
  return nodeHash(fold(hashes.subarray(0, middle)), fold(hashes.subarray(middle)));
}

/** Entries as public tools read them (C2SP tlog-tiles): each preceded by its length in two bytes. */
export const entryBundle = (entries: Uint8Array[]): Buffer =>
  Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));

function lengthOf({ length }: Uint8Array): Buffer {
  if (length > 0xffff) throw new Problem('internal', { cause: `an entry of ${length} bytes` });
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(length);
  return bytes;
}

/** The hash of a complete subtree: 2^height leaves, the index-th such from the left. Height 0 is a leaf hash. */
export type Nodes = (height: number, index: number) => Buffer;

/** The hash over two subtrees (RFC 6962, section 2.1). */
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.concat([nodePrefix, left, right]));

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
