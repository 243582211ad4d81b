import { Problem } from '#platform/model/problem/problem';
import { nodeHash, type Nodes } from './merkle-tree.ts';

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

/** The same, with each subtree cached, for many proofs at once. */
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
