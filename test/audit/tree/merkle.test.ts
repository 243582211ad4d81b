import { describe, expect, test } from '@jest/globals';
import { leafHash } from '#audit/entries/rules/entry';
import {
  isConsistent,
  isIncluded,
  consistencyProof,
  inclusionProof,
  rootHash,
  edgeTiles,
  growTiles,
  nodesIn,
  parseTileNumber,
  proofTiles,
  tilePath,
  widthOf,
  type Tile,
  type TilePlace,
} from '#audit/tree/rules/merkle';
import { flipped, leavesOf, plainRoot } from './trees.ts';

/** A log that grows by these batches, keeping its tiles as a table would. */
function growLog(leaves: Buffer[], batches: number[]): Map<string, Tile> {
  const tiles = new Map<string, Tile>();
  let size = 0;
  for (const count of batches) {
    const edge = pick(tiles, edgeTiles(size));
    for (const tile of growTiles(edge, size, leaves.slice(size, size + count))) tiles.set(placeOf(tile), tile);
    size += count;
  }
  return tiles;
}

const placeOf = ({ level, n }: TilePlace): string => `${level}/${n}`;
const pick = (tiles: Map<string, Tile>, places: TilePlace[]): Tile[] =>
  places.flatMap((place) => tiles.get(placeOf(place)) ?? []);

const all = leavesOf(1300);
const whole = growLog(all, [1300]);
const everything = nodesIn([...whole.values()]);
/** Reads no more than what a prover of this leaf, or of the tree up to it, may load. */
const nodesFor = (index: number, size: number) => nodesIn(pick(whole, proofTiles(index, size)));
const roots = new Map<number, Buffer>();
function rootAt(size: number): Buffer {
  const root = roots.get(size) ?? rootHash(nodesIn(pick(whole, edgeTiles(size))), size);
  roots.set(size, root);
  return root;
}

describe('the tree', () => {
  test('has the roots that everyone else computes for the well-known eight entries', () => {
    const entries = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const leaves = entries.map((hex) => leafHash(Buffer.from(hex, 'hex')));
    const roots = entries.map((_, at) => {
      const grown = growTiles([], 0, leaves.slice(0, at + 1));
      return rootHash(nodesIn(grown), at + 1).toString('hex');
    });
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ]);
    expect(rootHash(nodesIn([]), 0).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  test('is the one of the definition at every size, whatever batches it grew by', () => {
    const batched = growLog(all, [1, 1, 253, 1, 1, 255, 300, 2, 486]);
    expect(batched).toEqual(whole);
    for (const size of [0, 1, 2, 3, 7, 100, 255, 256, 257, 511, 512, 513, 767, 768, 1024, 1025, 1299, 1300]) {
      expect([size, rootAt(size)]).toEqual([size, plainRoot(all.slice(0, size))]);
    }
  });
});

describe('proofs', () => {
  const small = Array.from({ length: 66 }, (_, size) => size);
  const large = [255, 256, 257, 511, 512, 513, 1300];

  test('every leaf of every size is included, and nowhere else', () => {
    const faults: unknown[] = [];
    for (const size of [...small, ...large]) {
      const root = rootAt(size);
      const step = size > 66 ? 17 : 1;
      for (let index = 0; index < size; index += step) {
        const proof = inclusionProof(nodesFor(index, size), index, size);
        const leaf = all[index] ?? Buffer.alloc(0);
        const isIn = isIncluded(leaf, index, proof, { size, root });
        const wrong = [
          isIncluded(leaf, index + 1, proof, { size, root }),
          isIncluded(leaf, index - 1, proof, { size, root }),
          isIncluded(all[index + 1] ?? root, index, proof, { size, root }),
          isIncluded(leaf, index, [...proof, root], { size, root }),
          proof.length > 0 && isIncluded(leaf, index, proof.slice(1), { size, root }),
          isIncluded(leaf, index, proof, { size: size + 1, root: rootAt(size + 1 > 1300 ? 1 : size + 1) }),
        ];
        if (!isIn || wrong.includes(true)) faults.push([size, index, isIn, ...wrong]);
      }
    }
    expect(faults).toEqual([]);
  });

  test('every size begins with every smaller one, and with no other tree', () => {
    const faults: unknown[] = [];
    for (const to of [...small, ...large]) {
      for (let from = 0; from <= to; from += to > 66 ? 41 : 1) {
        const proof = consistencyProof(from === 0 ? everything : nodesFor(from - 1, to), from, to);
        const [older, newer] = [from, to].map((size) => ({ size, root: rootAt(size) })) as [Head, Head];
        if (!isConsistent(older, newer, proof)) faults.push([from, to]);
        if (from === 0 || from === to) continue;
        const forged = { ...older, root: plainRoot([...all.slice(1, from), all[0] ?? newer.root]) };
        const wrong = [
          from > 1 && isConsistent(forged, newer, proof),
          isConsistent(older, { ...newer, root: older.root }, proof),
          isConsistent(older, newer, [...proof, newer.root]),
          isConsistent(older, newer, proof.slice(1)),
          isConsistent(newer, older, proof),
        ];
        if (wrong.includes(true)) faults.push([from, to, ...wrong]);
      }
    }
    expect(faults).toEqual([]);
  });

  test('a smaller tree is never newer, even with the same root', () => {
    const root = rootAt(1);
    expect(isConsistent({ size: 2, root }, { size: 1, root }, [])).toBe(false);
  });

  test('no bit of them can be another', () => {
    for (const [index, size] of [
      [0, 7],
      [6, 7],
      [300, 513],
    ] as const) {
      const root = rootAt(size);
      const proof = inclusionProof(nodesFor(index, size), index, size);
      const chain = consistencyProof(everything, index, size);
      for (const [at, item] of proof.entries()) {
        const others = [...flipped(item)].map((other) => proof.with(at, other));
        expect(others.filter((each) => isIncluded(all[index] as Buffer, index, each, { size, root }))).toEqual([]);
      }
      for (const [at, item] of chain.entries()) {
        const heads = [index, size].map((each) => ({ size: each, root: rootAt(each) })) as [Head, Head];
        const others = [...flipped(item)].map((other) => chain.with(at, other));
        expect(others.filter((each) => isConsistent(...heads, each))).toEqual([]);
      }
    }
  });
});

interface Head {
  size: number;
  root: Buffer;
}

describe('tiles', () => {
  test('of a log of 70 000 entries are as many and as wide as the format says', () => {
    const leaf = leafHash(Buffer.alloc(0));
    const tiles = growTiles(
      [],
      0,
      Array.from({ length: 70_000 }, () => leaf),
    );
    const widths = [0, 1, 2].map((level) => tiles.filter((tile) => tile.level === level).map(widthOf));
    expect(widths[0]).toEqual([...Array.from({ length: 273 }, () => 256), 112]);
    expect(widths.slice(1)).toEqual([[256, 17], [1]]);
    expect(edgeTiles(70_000)).toEqual([
      { level: 0, n: 273 },
      { level: 1, n: 1 },
      { level: 2, n: 0 },
    ]);
    expect(tiles.filter((tile) => tile.level > 2)).toEqual([]);
  });

  test('are only ever added to', () => {
    const edge = pick(growLog(all, [300]), edgeTiles(300));
    for (const tile of growTiles(edge, 300, all.slice(300, 1000))) {
      const before = edge.find((item) => placeOf(item) === placeOf(tile));
      if (before) expect(tile.hashes.subarray(0, before.hashes.length)).toEqual(before.hashes);
    }
  });

  test.each([
    [0, 0, 256, 'tile/0/000'],
    [1, 1_234_067, 256, 'tile/1/x001/x234/067'],
    ['entries', 999, 7, 'tile/entries/999.p/7'],
    [63, 1000, 255, 'tile/63/x001/000.p/255'],
  ] as const)('tile %s %s of width %s is at %s', (level, n, width, path) => {
    expect(tilePath(level, n, width)).toBe(path);
    expect(parseTileNumber(path.split('/').slice(2).join('/'))).toEqual({ n, width });
  });

  test.each([
    '',
    '0',
    '00',
    '0000',
    '000.p/0',
    '000.p/01',
    '000.p/256',
    '001/000',
    'x001',
    'x000/001',
    '../000',
    '000/',
    'x01/000',
  ])('there is none at %j', (path) => {
    expect(parseTileNumber(path)).toBeNull();
  });
});
