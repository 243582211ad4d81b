import { expect, test } from '@jest/globals';
import pg from 'pg';
import { certificate } from '../../notify/certificate.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { writeEntries } from '../../support/nodes/log.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { openSyslogReceiver } from './syslog-receiver.ts';

test('if the node that streams is killed in the middle of a delivery, another goes on; nothing is lost', async () => {
  const receiver = await openSyslogReceiver();
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tls = { ca: certificate.cert };
  const streams = { streams: [{ name: 'siem', format: 'jsonl', url: receiver.url } as const], secret: null, tls };
  await writeEntries(2000, client);
  receiver.stick(700);
  const doomed = await spawnNode(database.url, { streams });
  await until(() => receiver.isStuck()).finally(() => doomed.kill());
  receiver.recover();
  const { rows } = await client.query<{ place: string }>('SELECT place FROM audit_stream');
  expect(Number(rows[0]?.place)).toBeLessThanOrEqual(700);

  const next = await startTestServer({ databaseUrl: database.url, streams, now: () => Date.now() + 31_000 });
  const sizeOf = async (): Promise<number> => {
    if (await next.engine.merkleLog.isWaiting()) return 0;
    const [state] = await next.engine.streams.list();
    return state && state.delivered === state.size ? state.size : 0;
  };
  const size = await until(sizeOf);
  await next.stop();
  const indexes = receiver.messages.map(({ text }) => (JSON.parse(text) as { index: number }).index);
  expect(size).toBeGreaterThanOrEqual(2000);
  expect([...new Set(indexes)]).toEqual(Array.from({ length: size }, (_, index) => index));
  expect(receiver.faults).toEqual([]);
  await receiver.stop();
  await client.end();
  await database.drop();
});
