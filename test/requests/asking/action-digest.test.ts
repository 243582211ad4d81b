import { expect, test } from '@jest/globals';
import { actionDigest, type BoundAction } from '#requests/asking/rules';
import { canonicalJson, sha256 } from '#platform/crypto/digest';

const action: BoundAction = {
  server: 'srv_payments',
  run: 'a1',
  message: 'Transfer 500 EUR to Alice?',
  mode: 'form',
  schema: { type: 'object', properties: { reason: { type: 'string' } } },
  url: null,
  facts: [{ label: 'Amount', path: '/amount' }],
  requester: { subject: 'auth0|alice', issuer: null, verified: true, verifiedBy: null },
  audience: 'approvers',
  policy: 'money@3',
  revision: 1,
  elicitation: 'eli_1',
  nonce: 'n1',
};

/** One other value for each field; the type demands that none is forgotten. */
const others: { [Field in keyof BoundAction]: BoundAction[Field] } = {
  server: 'srv_other',
  run: 'a2',
  message: 'Transfer 500 EUR to Alice? ',
  mode: 'url',
  schema: { type: 'object', properties: { reason: { type: 'string', minLength: 1 } } },
  url: 'https://example.com/',
  facts: [{ label: 'Fee', path: '/amount' }],
  requester: { subject: 'auth0|alice', issuer: 'https://other.example', verified: true, verifiedBy: null },
  audience: 'requester',
  policy: 'money@4',
  revision: 2,
  elicitation: 'eli_2',
  nonce: 'n2',
};

test.each(Object.entries(others))('AI-01: another %s is another action', (field, value) => {
  expect(actionDigest({ ...action, [field]: value })).not.toBe(actionDigest(action));
});

test('AI-01: every field is bound', () => {
  expect(Object.keys(others).toSorted()).toEqual(Object.keys(action).toSorted());
  const digests = Object.entries(others).map(([field, value]) => actionDigest({ ...action, [field]: value }));
  expect(new Set(digests).size).toBe(Object.keys(action).length);
});

test('AI-01: values that change places make another action', () => {
  expect(actionDigest({ ...action, server: action.run, run: action.server })).not.toBe(actionDigest(action));
});

test('the order of the fields makes no difference', () => {
  const reversed = Object.fromEntries(Object.entries(action).toReversed()) as unknown as BoundAction;
  expect(actionDigest(reversed)).toBe(actionDigest(action));
});

test('the digest says what it is a digest of, so that no other hash of the same bytes passes for it', () => {
  const digest = actionDigest(action);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(digest).toBe(sha256(`assentry/action/v1\0${canonicalJson(action)}`).toString('hex'));
  expect(digest).not.toBe(sha256(canonicalJson(action)).toString('hex'));
});
