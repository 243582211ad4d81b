import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { missingProofs, readProofs, type Proof } from './proofs.ts';

/** How many behaviours each letter has. */
const letters = { F: 215, M: 80, P: 44, G: 76, E: 105 };

const every = Object.entries(letters).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => nameOf(letter, index + 1)),
);
const pages = [
  { page: 'docs/features.md', ids: every },
  { page: 'docs/workflows.md', ids: Array.from({ length: 32 }, (_, index) => `P${index + 1}`) },
];

describe.each(pages)('$page', ({ page, ids: all }) => {
  const text = readFileSync(page, 'utf8');
  const rows = readRows(text);

  test('has every behaviour once, and nothing else', () => {
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(all.toSorted());
  });

  test('says of each what holds, and names a test or says why it differs', () => {
    const bare = rows.filter(({ what, proofs, reasons }) => what === '' || proofs.length + reasons.length === 0);
    expect(bare).toEqual([]);
  });

  test('names tests that are there', () => {
    const proofs = cellsIn(text) // of rows without a number as well
      .flatMap(readProofs)
      .filter(({ titles }) => titles.length > 0);
    expect(proofs.length).toBeGreaterThan(50);
    expect(missingProofs(proofs)).toEqual([]);
  });
});

interface Row {
  ids: string[];
  what: string;
  proofs: Proof[];
  reasons: string[];
}

function nameOf(letter: string, number: number): string {
  return `${letter}-${String(number).padStart(2, '0')}`;
}

function readRows(page: string): Row[] {
  const lines = page.split('\n').filter((line) => /\| [FMPGE]-?\d[^|]*\|$/.test(line));
  return lines.map((line) => {
    const [, what = '', proof = '', ids = ''] = cellsIn(line);
    const parts = proof.split('<br>');
    return {
      ids: ids.split(', ').flatMap(expand),
      what,
      proofs: readProofs(proof),
      reasons: parts.filter((part) => /^(?:Differs|Not here): \S/.test(part)),
    };
  });
}

function cellsIn(table: string): string[] {
  return table.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** One id, as `P12` or `F-33`, or all from the first to the last: `F-33–F-36`. */
function expand(ids: string): string[] {
  if (/^P\d+$/.test(ids)) return [ids];
  const [, letter = '', first, last = first] = /^([FMPGE])-(\d+)(?:–\1-(\d+))?$/.exec(ids) ?? [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => nameOf(letter, Number(first) + index));
}
