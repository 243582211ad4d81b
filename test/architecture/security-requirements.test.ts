import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { missingProofs, readProofs } from './proofs.ts';

/** How many requirements each kind has: 98 in all. */
const kinds = { AI: 24, MT: 12, CB: 11, WB: 10, AU: 11, AZ: 4, CR: 8, WH: 3, AV: 5, AD: 7, CF: 3 };
const ids = Object.entries(kinds).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`),
);

const page = readFileSync('docs/security-requirements.md', 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| [A-Z]{2}-\d\d \|/.test(line))
  .map((line) => {
    const [, id = '', what = '', state = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { id, what, state, proofs: readProofs(proof), hasReason: proof.includes(`${state}: `) };
  });
const inState = (state: string) => rows.filter((row) => row.state === state);

test('the page has every requirement once', () => {
  expect(ids.length).toBe(98);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('each says what must hold, and that it holds by a test, or why not', () => {
  const isClear = ({ what, state, proofs, hasReason }: (typeof rows)[number]): boolean => {
    const needsProof = state === 'Holds' || state === 'Partly';
    const needsReason = state !== 'Holds';
    const isKnown = ['Holds', 'Partly', 'Not yet', 'Does not apply'].includes(state);
    return what !== '' && isKnown && (proofs.length > 0 || !needsProof) && (hasReason || !needsReason);
  };
  expect(rows.filter((row) => !isClear(row))).toEqual([]);
});

test('the tests it names are there', () => {
  expect(missingProofs(rows.flatMap(({ proofs }) => proofs))).toEqual([]);
});

test('it counts its rows', () => {
  const [, ...counts] =
    /Of (\d+) requirements (\d+) hold, (\d+) holds? partly, (\d+) do(?:es)? not hold yet[^,]*, and (\d+) do not apply/.exec(
      page,
    ) ?? [];
  const states = ['Holds', 'Partly', 'Not yet', 'Does not apply'].map((state) => inState(state).length);
  expect(counts.map(Number)).toEqual([rows.length, ...states]);
});

test.each([
  ['security', 40],
  ['gateway', 30],
])('each attack on the page %s has what stops it, and a test that tries it', (name, least) => {
  const [, part = ''] = readFileSync(`docs/${name}.md`, 'utf8').split(
    '| what someone tries | what stops it | test |\n',
  );
  const [table = ''] = part.split('\n\n');
  const attacks = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter(([, what]) => what !== '---');
  expect(attacks.length).toBeGreaterThan(least);
  const isClear = ([, what, stop, proof = '']: string[]): boolean => !!what && !!stop && readProofs(proof).length > 0;
  expect(attacks.filter((row) => !isClear(row))).toEqual([]);
  expect(missingProofs(attacks.flatMap(([, , , proof = '']) => readProofs(proof)))).toEqual([]);
});
