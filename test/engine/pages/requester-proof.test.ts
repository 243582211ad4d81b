import { describe, expect, test } from '@jest/globals';
import { isLoopback } from '../../../src/model/names.ts';
import { requesterProof } from '../../../src/engine/pages/requester-proof.ts';
import type { Question } from '../../../src/engine/elicitation/sealed-question.ts';
import type { User } from '../../../src/model/user.ts';

const question = (subject: string, verified: boolean, code: string | null): Question => ({
  message: 'Go on?',
  schema: null,
  url: null,
  facts: [],
  arguments: '{}',
  reason: null,
  audience: null,
  takesEdits: false,
  nonce: 'n',
  code,
  requester: { subject, verified },
  tool: { title: null, description: null, annotations: null, schemaDigest: null },
});
const user = (email: string): User => ({ kind: 'user', id: 'usr_1', email, name: 'Alice', role: 'reviewer' });
const local = 'http://127.0.0.1:4700';
const remote = 'https://approvals.example.com';

describe('how the opener of a page proves to be the requester', () => {
  test.each([
    [local, question('alice', false, '123456'), 'code'],
    [local, question('alice@example.com', true, null), 'closed'],
    [remote, question('alice@example.com', true, '123456'), 'session'],
    [remote, question('alice@example.com', false, '123456'), 'closed'],
    [remote, question('alice@example.com', false, null), 'closed'],
  ])('at %s it is the way that fits', (url, question, way) => {
    expect(requesterProof(url, question).way).toBe(way);
  });

  test.each([
    ['123456', true],
    ['123 456', true],
    ['123-456 ', true],
    ['123457', false],
    ['12345', false],
    ['1234567', false],
    ['', false],
    ['１２３４５６', false],
  ])('the code %j counts: %s', (code, isRight) => {
    expect(requesterProof(local, question('alice', false, '123456')).isGivenBy({ code })).toBe(isRight);
  });

  test('a code does not replace a sign-in, and a sign-in does not replace a code', () => {
    const alice = user('alice@example.com');
    const request = question('Alice@example.com', true, '123456');
    expect(requesterProof(remote, request).isGivenBy({ code: '123456', user: null })).toBe(false);
    expect(requesterProof(remote, request).isGivenBy({ user: alice })).toBe(true);
    expect(requesterProof(remote, request).isGivenBy({ user: user('bob@example.com') })).toBe(false);
    expect(requesterProof(local, request).isGivenBy({ user: alice })).toBe(false);
  });

  test('nothing opens what is closed', () => {
    const proof = requesterProof(remote, question('alice@example.com', false, '123456'));
    expect(proof.isGivenBy({ code: '123456', user: user('alice@example.com') })).toBe(false);
  });
});

test.each([
  ['http://localhost:4700', true],
  ['http://127.0.0.1', true],
  ['http://127.8.9.1:80', true],
  ['http://[::1]:4700', true],
  ['http://0.0.0.0:4700', false],
  ['https://localhost.example.com', false],
  ['https://127.0.0.1.example.com', false],
  ['http://10.0.0.1', false],
])('%s is this machine: %s', (url, isLocal) => {
  expect(isLoopback(url)).toBe(isLocal);
});
