import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

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
  const rows = readRows(readFileSync(page, 'utf8'));

  test('has every behaviour once, and nothing else', () => {
    expect(rows.flatMap(({ ids }) => ids).toSorted()).toEqual(all.toSorted());
  });

  test('says of each what holds, and names a test or says why it differs', () => {
    const bare = rows.filter(({ what, proofs, reasons }) => what === '' || proofs.length + reasons.length === 0);
    expect(bare).toEqual([]);
  });

  test('names tests that are there', () => {
    const proofs = rows.flatMap((row) => row.proofs);
    expect(proofs.length).toBeGreaterThan(50);
    const missing = proofs.filter(({ file, titles }) => titles.some((title) => !titlesIn(file).has(title)));
    expect(missing).toEqual([]);
    expect(proofs.filter(({ titles }) => titles.length === 0)).toEqual([]);
  });
});

interface Proof {
  file: string;
  /** The test, after the group it stands in where its own title would not tell. */
  titles: string[];
}

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
    const [, what = '', proof = '', ids = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const parts = proof.replaceAll('\\|', '|').split('<br>');
    return {
      ids: ids.split(', ').flatMap(expand),
      what,
      proofs: parts.flatMap(readProof),
      reasons: parts.filter((part) => /^(?:Differs|Not here): \S/.test(part)),
    };
  });
}

/** One id, as `P12` or `F-33`, or all from the first to the last: `F-33–F-36`. */
function expand(ids: string): string[] {
  if (/^P\d+$/.test(ids)) return [ids];
  const [, letter = '', first, last = first] = /^([FMPGE])-(\d+)(?:–\1-(\d+))?$/.exec(ids) ?? [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => nameOf(letter, Number(first) + index));
}

function readProof(part: string): Proof[] {
  if (!part.startsWith('`')) return [];
  const [file = '', ...titles] = part.slice(1, -1).split('` › `');
  return [{ file, titles }];
}

/** What stands first in a call whose second argument is a function: the titles of tests and of groups of them. */
function titlesIn(file: string): Set<string> {
  const path = `test/${file}.test.ts`;
  if (!existsSync(path)) return new Set();
  const title = /\(\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async\s*)?(?:\(|\w+\s*=>)/g;
  return new Set(
    [...readFileSync(path, 'utf8').matchAll(title)].map(([, , text = '']) => text.replaceAll(/\\(.)/g, '$1')),
  );
}
