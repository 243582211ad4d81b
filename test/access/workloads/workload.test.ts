import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fitsWorkload, overlap, subjectPattern, type WorkloadTerms } from '#access/workloads/contract';

const issuer = 'https://issuer.example.com';
const audience = 'assentry';
const terms = (parts: Partial<WorkloadTerms>): WorkloadTerms => ({
  issuer,
  audience,
  subject: 'a',
  claims: {},
  ...parts,
});
const fits = (workload: WorkloadTerms, subject: string): boolean =>
  fitsWorkload(workload, { issuer, audience: [audience], subject, claims: {}, expiresAt: 0 });

const part = fc.stringMatching(/^[ab]{1,3}$/);
const pattern = fc
  .tuple(fc.array(fc.tuple(part, fc.constantFrom('', '*'))), fc.constantFrom(':', '/'))
  .map(([parts, separator]) => parts.map((each) => each.join('')).join(separator))
  .filter((text) => subjectPattern.test(text));
/** For each part the longer of two beginnings, and what a `*` may stand for. */
const amongBoth = (first: string, other: string): string => {
  const others = other.split(/[:/]/);
  const parts = first.split(/[:/]/).map((text, at) => {
    const both = [text, others[at] ?? ''];
    const exact = both.find((each) => !each.endsWith('*'));
    return exact ?? `${both.map((each) => each.slice(0, -1)).toSorted((a, b) => b.length - a.length)[0]}x`;
  });
  return parts.join(/[:/]/.exec(first)?.[0] ?? '');
};

test('two patterns overlap exactly if there is a subject that fits both', () => {
  fc.assert(
    fc.property(pattern, pattern, (subject, other) => {
      const [first, second] = [terms({ subject }), terms({ subject: other })];
      const among = amongBoth(subject, other);
      expect([subject, other, overlap(first, second)]).toEqual([
        subject,
        other,
        fits(first, among) && fits(second, among),
      ]);
      expect(overlap(second, first)).toBe(overlap(first, second));
    }),
    { numRuns: 5_000 },
  );
});

test.each<[Partial<WorkloadTerms>, Partial<WorkloadTerms>, boolean]>([
  [{}, {}, true],
  [{ issuer: `${issuer}/` }, {}, false],
  [{ audience: 'other' }, {}, false],
  [{ claims: { namespace: 'one' } }, { claims: { namespace: 'two' } }, false],
  [{ claims: { namespace: 'one' } }, { claims: { namespace: 'one', pod: 'two' } }, true],
  [{ claims: { namespace: 'one' } }, { claims: { pod: 'two' } }, true],
  [{ claims: { toString: 'one' } }, {}, true],
])('%j and %j: %s', (first, other, isBoth) => {
  expect(overlap(terms(first), terms(other))).toBe(isBoth);
});
