import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { pino } from 'pino';
import { problemHandler } from '#platform/http/routes/route';
import { openTestStore } from '../../support/databases/rows.ts';

/** Gives up after a moment, as every statement of ours does after a while. */
const waitingFor = (sql: string | null): Promise<unknown> =>
  store.database.prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL lock_timeout = '20ms'`;
    return sql ? tx.$executeRawUnsafe(sql) : tx.group.create({ data: { id: 'group_1', name: 'Finance' } });
  });

const store = await openTestStore();
const owner = new pg.Client({ connectionString: store.url });
await owner.connect();
const publicUrl = 'https://assentry.example.com';
const app = express();
app.get('/raw', (_request, _response, next) => void waitingFor('SELECT pg_advisory_xact_lock(77)').catch(next));
app.get('/model', (_request, _response, next) => void waitingFor(null).catch(next));
const server = createServer(
  app.use(problemHandler({ log: pino({ level: 'silent' }), onProblem() {}, publicUrl: () => publicUrl })),
).listen(0, '127.0.0.1');
afterAll(async () => {
  server.close();
  await owner.end();
  await store.close();
});
await once(server, 'listening');

test.each(['/raw', '/model'])(
  'a writer that waits in vain for another writer is told to try again (%s)',
  async (path) => {
    await owner.query('BEGIN');
    await owner.query('SELECT pg_advisory_xact_lock(77)');
    await owner.query('LOCK TABLE app_group IN EXCLUSIVE MODE');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    await owner.query('ROLLBACK');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toEqual({
      type: `${publicUrl}/errors/write-conflict`,
      title: 'Try again: too many changes arrived together, and nothing was changed.',
      status: 503,
      code: 'write-conflict',
      errorId: expect.stringMatching(/^err_[0-9a-f]{16}$/),
    });
  },
);
