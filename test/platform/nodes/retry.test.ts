import { expect, test } from '@jest/globals';
import { retryOnConflict } from '#platform/nodes/verbs/retry';

test('a change that another overtakes is decided again until it is stored', async () => {
  let rounds = 0;
  expect(await retryOnConflict(() => Promise.resolve(++rounds < 20 ? null : rounds))).toBe(20);
});

test('a change that is overtaken twenty times is given up, and nothing else is tried', async () => {
  let rounds = 0;
  const losing = retryOnConflict(() => Promise.resolve(++rounds > 20 ? rounds : null));
  await expect(losing).rejects.toMatchObject({ code: 'write-conflict' });
  expect(rounds).toBe(20);
});

test('an error of an attempt ends the change at once', async () => {
  let rounds = 0;
  const failing = retryOnConflict(() => Promise.reject(new TypeError(String(++rounds))));
  await expect(failing).rejects.toThrow('1');
});
