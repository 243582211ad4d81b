import { describe, expect, test } from '@jest/globals';
import { isLoopback } from '#platform/model/names';
import { requesterProof } from '#requests/pages/verbs/proof';
import type { Question } from '#requests/asking/verbs/question';
import { readIdentity } from '#platform/model/identity';

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
const names = (...written: string[]) => written.map(readIdentity);
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
    const alice = names('alice@example.com');
    const request = question('Alice@example.com', true, '123456');
    expect(requesterProof(remote, request).isGivenBy({ code: '123456', names: [] })).toBe(false);
    expect(requesterProof(remote, request).isGivenBy({ names: alice })).toBe(true);
    expect(requesterProof(remote, request).isGivenBy({ names: names('bob@example.com') })).toBe(false);
    expect(requesterProof(local, request).isGivenBy({ names: alice })).toBe(false);
  });

  const [issuer, other] = ['https://id.example.com', 'https://evil.example.com'];

  test.each([
    ['the same issuer and subject', { issuer, subject: 'al-42' }, `${issuer}#al-42`, true],
    [
      'the same address at the same issuer',
      { issuer, subject: 'alice@example.com' },
      `${issuer}#alice@example.com`,
      true,
    ],
    ['an address that an issuer gave to someone', { issuer, subject: 'alice@example.com' }, 'alice@example.com', false],
    [
      'the same address at another issuer',
      { issuer: other, subject: 'alice@example.com' },
      `${issuer}#alice@example.com`,
      false,
    ],
    ['the same subject at another issuer', { issuer: other, subject: 'al-42' }, `${issuer}#al-42`, false],
    ['a subject of an issuer, where the server named none', { subject: 'al-42' }, `${issuer}#al-42`, false],
    ['a subject in another case', { issuer, subject: 'AL-42' }, `${issuer}#al-42`, false],
    ['another mailbox of the same address', { subject: 'alice+agent@example.com' }, 'alice@example.com', false],
  ])('of a person, %s is enough: %j as %s: %s', (_what, requester, name, isEnough) => {
    const request = { ...question('', true, null), requester: { ...requester, verified: true } };
    expect(requesterProof(remote, request).isGivenBy({ names: names(name) })).toBe(isEnough);
  });

  test('nothing opens what is closed', () => {
    const proof = requesterProof(remote, question('alice@example.com', false, '123456'));
    expect(proof.isGivenBy({ code: '123456', names: names('alice@example.com') })).toBe(false);
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
