import { expect, test } from '@jest/globals';
import { startServing, type Started } from '#cli/start-serving';
import type { ServerOptions } from '#server/options';
import { Problem } from '#platform/model/problem';

const settings = { databaseUrl: 'postgresql://127.0.0.1/assentry', environment: 'test' } as ServerOptions;

test('a node whose database fails at the last step of its start does not stay, half started', async () => {
  let isServing = true;
  const server: Started = {
    url: 'http://127.0.0.1:4700',
    setUpAddress: () => Promise.reject(new Problem('database-unavailable')),
    leave() {},
    stop: async () => void (isServing = false),
  };
  await expect(startServing(settings, async () => server)).rejects.toMatchObject({ code: 'database-unavailable' });
  expect(isServing).toBe(false);
});
