import { expect, test } from '@jest/globals';
import { auditEntry } from '#audit/entries/rules/entry';
import { createEvidence, rowDigest } from '#audit/entries/rules/evidence';
import { createKeyRing } from '#platform/crypto/key-ring';
import { someProgress } from '../../support/requests/request-facts.ts';

const [first, second] = ['k1', 'k2'].map((kid) => ({
  kid,
  secret: `${kid}: a secret of enough characters for a ring`,
}));
const evidenceOf = (...secrets: (typeof first)[]) =>
  createEvidence(createKeyRing(secrets.flatMap((secret) => secret ?? [])), () => {});

const entry = auditEntry(
  'aud_1',
  1,
  { kind: 'operator' },
  { type: 'key.created', server: 'payments', kid: 'k', expiresAt: null, tools: ['*'] },
);
const digest = rowDigest('api_key', ['k', null, new Date(1), Buffer.from('hash'), { b: 1, a: undefined }]);
const sealed = evidenceOf(first).seal(entry, { key_k: digest });

test('an entry proves the rows it carries for as long as its secret is in the ring', () => {
  expect(evidenceOf(first).proves(sealed, 'key_k', digest)).toBe(true);
  expect(evidenceOf(second, first).proves(sealed, 'key_k', digest)).toBe(true);
  expect(evidenceOf(second).proves(sealed, 'key_k', digest)).toBe(false);
});

test.each([
  ['another row', sealed, 'key_other', digest],
  ['another digest', sealed, 'key_k', digest.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
  ['the id of another entry', { ...sealed, id: 'aud_2' }, 'key_k', digest],
  [
    'another body',
    { ...sealed, body: Buffer.from(sealed.body.toString().replace('payments', 'others')) },
    'key_k',
    digest,
  ],
  ['a MAC of no length', { ...sealed, mac: Buffer.alloc(0) }, 'key_k', digest],
  ['no entry', null, 'key_k', digest],
])('with %s it proves nothing, and the operator is told', (_name, proof, id, message) => {
  const reported: string[] = [];
  const evidence = createEvidence(createKeyRing([first ?? { kid: '', secret: '' }]), (row) => reported.push(row));
  expect(evidence.proves(proof, id, message)).toBe(false);
  expect(() => evidence.require(proof, id, message)).toThrow(expect.objectContaining({ code: 'unproven' }));
  expect(reported).toEqual([id, id]);
});

test('the digest of a row is another for another value, whatever its type', () => {
  const digests = [null, 0, 1, '', '1', false, true, [], {}, Buffer.alloc(0), Buffer.from('1'), [1], { a: 1 }].map(
    (item) => rowDigest('t', [item]),
  );
  expect(new Set(digests).size).toBe(digests.length);
  expect(rowDigest('t', [{ a: 1, b: 2 }])).toBe(rowDigest('t', [{ b: 2, a: 1 }]));
  expect(rowDigest('t', ['a'])).not.toBe(rowDigest('u', ['a']));
});

test('an entry is about a row that it seals, or about a later question of a call', () => {
  const evidence = evidenceOf(first);
  expect(evidence.seal(entry, { key_k: digest }, 'key_k').subjectId).toBe('key_k');
  expect(() => evidence.seal(entry, { key_k: digest }, 'key_other')).toThrow(
    expect.objectContaining({ code: 'internal', cause: expect.stringContaining('key_other') }),
  );
  const fields = { ...someProgress, toolCall: 'call_1', elicitation: 'eli_1', attempt: 'a' } as const;
  const claimed = { type: 'call.claimed', ...fields } as const;
  const later = auditEntry('aud_2', 1, { kind: 'operator' }, claimed);
  expect(evidence.seal(later, {}, 'call_1').subjectId).toBe('call_1');
});
