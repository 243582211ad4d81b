import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { missingProofs, readRows, type Proof } from './proofs.ts';

/** How many requirements each kind has: 98 in all. */
const kinds = { AI: 24, MT: 12, CB: 11, WB: 10, AU: 11, AZ: 4, CR: 8, WH: 3, AV: 5, AD: 7, CF: 3 };
const ids = Object.entries(kinds).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => `${kind}-${String(index + 1).padStart(2, '0')}`),
);

interface Requirement {
  id: string;
  requirement: string;
  state: string;
  proofs: Proof[];
  reason?: string;
}

interface Attack {
  attack: string;
  stop: string;
  proofs: Proof[];
}

const rows = readRows<{ requirements: Requirement[] }[]>('security-requirements').flatMap(
  ({ requirements }) => requirements,
);

test('every requirement is there once', () => {
  expect(ids.length).toBe(98);
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test('each says what must hold, and that it holds by a test, or why not', () => {
  const isClear = ({ requirement, state, proofs, reason }: Requirement): boolean => {
    const needsProof = state === 'Holds' || state === 'Partly';
    const needsReason = state !== 'Holds';
    const isKnown = ['Holds', 'Partly', 'Not yet', 'Does not apply'].includes(state);
    return requirement !== '' && isKnown && (proofs.length > 0 || !needsProof) && (!!reason || !needsReason);
  };
  expect(rows.filter((row) => !isClear(row))).toEqual([]);
});

test('the tests they name are there', () => {
  expect(missingProofs(rows.flatMap(({ proofs }) => proofs))).toEqual([]);
});

test.each([
  ['Assentry', 40],
  ['The gateway', 30],
])('each attack on %s has what stops it, and a test that tries it', (name, least) => {
  const sections = readRows<{ title: string; attacks: Attack[] }[]>('attacks');
  const attacks = sections.find(({ title }) => title === name)?.attacks ?? [];
  expect(attacks.length).toBeGreaterThan(least);
  expect(attacks.filter(({ attack, stop, proofs }) => !attack || !stop || proofs.length === 0)).toEqual([]);
  expect(missingProofs(attacks.flatMap(({ proofs }) => proofs))).toEqual([]);
});

test('the pages made from them are up to date', () => {
  expect(() => execFileSync(process.execPath, ['scripts/proof-pages.mjs', '--check'])).not.toThrow();
});
