import type { KeyEntry } from '#access/keys/contract/key';
import { queryOptions } from '@tanstack/react-query';
import { testServer } from '#platform/model/names';
import { readInbox } from '../../../requests/inbox/inbox.ts';

/** The latest test request: one that waits, else one that has ended; null if none was ever sent. */
export const testRequestQuery = queryOptions({
  queryKey: ['inbox', 'test'],
  queryFn: async ({ signal }) => {
    const read = (view: string) =>
      readInbox(new URLSearchParams({ view, server: testServer.name, limit: '1' }), signal);
    const [open, ended] = await Promise.all([read('all'), read('done')]);
    return open.items[0] ?? ended.items[0] ?? null;
  },
});

/** Can a server call by now? */
export const hasKey = (keys: readonly Pick<KeyEntry, 'revokedAt'>[]): boolean =>
  keys.some(({ revokedAt }) => revokedAt === null);
