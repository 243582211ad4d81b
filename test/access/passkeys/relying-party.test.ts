import { expect, test } from '@jest/globals';
import { relyingPartyOf } from '#access/passkeys/rules';

test.each([
  ['https://approvals.example.com', { id: 'approvals.example.com', origin: 'https://approvals.example.com' }],
  ['https://approvals.example.com:8443', { id: 'approvals.example.com', origin: 'https://approvals.example.com:8443' }],
  ['http://localhost:4700', { id: 'localhost', origin: 'http://localhost:4700' }],
  ['http://127.0.0.1:4700', { id: 'localhost', origin: 'http://localhost:4700' }],
  ['http://[::1]:4700', { id: 'localhost', origin: 'http://localhost:4700' }],
  ['https://192.0.2.1', null],
  ['https://[2001:db8::1]', null],
])('the passkeys of %s are for %j', (publicUrl, party) => {
  expect(relyingPartyOf(publicUrl)).toEqual(party);
});
