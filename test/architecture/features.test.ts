import { describe, expect, test } from '@jest/globals';
import { missingProofs, readRows, type Proof } from './proofs.ts';

/**
 * How many behaviours each letter has. The ids are of behaviours that others document about elicitation: F a server
 * framework, M a library of clients and servers, P an agent framework, G an SDK in Go, E a guide to the protocol.
 */
const letters = { F: 215, M: 80, P: 44, G: 76, E: 105 };

const every = Object.entries(letters).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}-${String(index + 1).padStart(2, '0')}`),
);
const files = [
  { file: 'features', ids: every },
  { file: 'workflows', ids: Array.from({ length: 32 }, (_, index) => `P${index + 1}`) },
];

interface Section {
  title: string;
  rows: Row[];
}

interface Row {
  holds: string;
  ids: string[];
  proofs: Proof[];
  /** What is different here, and why. */
  differs?: string;
  /** Why there is nothing to test. */
  notHere?: string;
}

describe.each(files)('test/proofs/$file.json', ({ file, ids: all }) => {
  const rows = readRows<Section[]>(file).flatMap((section) => section.rows);

  test('has every behaviour once, and nothing else', () => {
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(all.toSorted());
  });

  test('says of each what holds, and names a test or says why it differs', () => {
    const bare = rows.filter((row) => !row.holds || (row.proofs.length === 0 && !row.differs && !row.notHere));
    expect(bare).toEqual([]);
  });

  test('names tests that are there', () => {
    const proofs = rows.flatMap((row) => row.proofs);
    expect(proofs.length).toBeGreaterThan(50);
    expect(missingProofs(proofs)).toEqual([]);
  });
});
