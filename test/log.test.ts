import { expect, test } from '@jest/globals';
import { Problem } from '#platform/model/problem';
import { describeForLog } from '#platform/process/log';

test('CR-07: an error is logged without what its driver hangs on it', () => {
  const cause = Object.assign(new Error('the connection ended'), { code: '57P01', client: { secretKey: 'canary' } });
  const error = Object.assign(new Error('no answer', { cause }), { parameters: ['canary'] });
  const logged = describeForLog(error);
  expect(logged).toMatchObject({ type: 'Error', message: 'no answer', cause: { code: '57P01' } });
  expect(JSON.stringify(logged)).not.toContain('canary');
});

test.each([['a word'], [null], [undefined]])('even %p can be logged', (thrown) => {
  expect(describeForLog(thrown)).toMatchObject({ message: String(thrown) });
});

test('while the database is away, a line has the reason and no stacks', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const logged = JSON.stringify(describeForLog(new Problem('database-unavailable', { cause })));
  expect(logged).toContain('connect ECONNREFUSED');
  expect(logged).not.toContain('stack');
  expect(describeForLog(new Problem('internal', { cause }))).toMatchObject({ stack: expect.any(String) });
});
