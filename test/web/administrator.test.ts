import { expect, test } from '@jest/globals';
import { Problem } from '#platform/model/problem';
import { checkAdministrator, serverFaults } from '../../web/src/people/users/administrator.ts';

const words = { name: 'name', email: 'email', password: (length: number) => `${length}` };
const fine = { name: 'Ada', email: ' ada@example.com ', password: 'correct horse b' };

test.each([
  [fine, {}],
  [{ ...fine, name: ' ' }, { name: 'name' }],
  [{ ...fine, email: 'ada' }, { email: 'email' }],
  [{ ...fine, password: '😀'.repeat(14) }, { password: '14' }],
])('%j has the faults %j', (draft, faults) => {
  expect(checkAdministrator(draft, words)).toEqual(faults);
});

test('what the server finds is sorted by field', () => {
  const problem = new Problem('INVALID_INPUT', { errors: [{ path: ['password'], message: 'Use more.' }] });
  expect(serverFaults(problem)).toEqual({ password: 'Use more.' });
  expect(serverFaults(null)).toEqual({});
});
