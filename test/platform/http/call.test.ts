import { expect, test } from '@jest/globals';
import { addressOfCall, type AnswerOf, type CallOf } from '#platform/http/contract/call';
import { roleRoutes, type CustomRole, type NewRole } from '#people/roles/contract';
import type { WaitingChange } from '#people/changes/contract';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

test.each([
  ['/api/roles', {}, '/api/roles'],
  ['/api/users/{id}/passkeys', { params: { id: '../a b?c#d' } }, '/api/users/..%2Fa%20b%3Fc%23d/passkeys'],
  ['/api/policies/{name}/versions/{version}', { params: { name: 'p', version: 3 } }, '/api/policies/p/versions/3'],
  ['/api/elicitations', { query: { text: 'a&b=c', after: undefined } }, '/api/elicitations?text=a%26b%3Dc'],
])('the address of %s', (path, parts, address) => {
  expect(addressOfCall({ path }, parts)).toBe(address);
});

test('a call takes what its contract has, and its answer is typed by the contract', () => {
  const body: Same<CallOf<typeof roleRoutes.addRole>['body'], NewRole> = true;
  const answer: Same<AnswerOf<typeof roleRoutes.addRole>, CustomRole> = true;
  const none: Same<AnswerOf<typeof roleRoutes.removeRole>, null> = true;
  const either: Same<Extract<AnswerOf<typeof roleRoutes.changeRole>, WaitingChange>, WaitingChange> = true;
  // @ts-expect-error -- a role is named
  const unnamed: CallOf<typeof roleRoutes.removeRole> = {};
  // @ts-expect-error -- it takes no body
  const more: CallOf<typeof roleRoutes.removeRole> = { params: { id: 'r' }, body: {} };
  expect([body, answer, none, either, unnamed, more]).toHaveLength(6);
});
