import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openOperator } from '#server/open-operator';
import { openMailBox } from '../../notify/mail-box.ts';
import { openReceiver, reach } from '../../notify/receiver.ts';
import { nodeUrl } from '../../support/databases/node-login.ts';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode } from '../bench-node.ts';
import { createHttpCaller } from '../lifecycle/http-caller.ts';
import { runRound } from '../lifecycle/rounds.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { nodeOptions, type Prepared } from '../prepared.ts';
import { startProbe } from '../start-probe.ts';
import { percentile } from '../statistics.ts';
import { fillDirectory } from './fill-directory.ts';

/** What becomes of very many requests that anyone may decide. */
export interface NotificationFlood {
  requests: number;
  people: number;
  /** Seconds until all were opened, and then until all notifications were planned. */
  opened: number;
  planned: number;
  /** Milliseconds from the answer to an opening until a webhook had it, of one request a second from the flood's end on. */
  webhook: { p50: number; most: number };
  mails: number;
  /** Entries of the log for each request, of those whose mails were sent. */
  entries: number;
  /** Milliseconds of the slowest answer of /healthz. */
  silent: number;
  /** The most bytes that the node had from the system at any time. */
  memory: number;
}

const inFlight = 32;
const probes = 20;

/** An agent opens as many requests as it can, which anyone may decide; all people want mails, and a webhook gets all. */
export async function measureNotificationFlood(
  database: BenchDatabase,
  prepared: Prepared,
  { installation, flood }: Scale,
): Promise<NotificationFlood> {
  const url = database.url('flood');
  const { people } = installation;
  await fillDirectory(url, installation);
  const operator = await openOperator({ ...nodeOptions, databaseUrl: nodeUrl(url) });
  const [mails, receiver] = [await openMailBox(), await openReceiver()];
  await operator.webhooks.add(receiver.url);
  const node = await startBenchNode(url, { tells: { smtp: mails.settings, webhooks: reach } });
  const caller = await createHttpCaller(node.url, prepared);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const health = await startProbe(new URL('/healthz', node.url));
  try {
    const seconds = secondsOf();
    await runRound(
      inFlight,
      Array.from({ length: flood }, () => async () => void (await caller.open())),
    );
    const opened = seconds();
    const whenPlanned = until(async () => {
      const { rows } = await client.query(
        'SELECT r.place = h.place AS done FROM outbox_reader r, outbox_head h WHERE r.name = $1',
        ['notifications'],
      );
      return (rows as { done: boolean }[])[0]?.done === true;
    }, seconds);
    const delays: number[] = [];
    for (let at = 0; at < probes; at += 1) {
      const { id } = await caller.open();
      const since = performance.now();
      while (!receiver.received.some(({ body }) => body.includes(id))) await sleep(10);
      delays.push(performance.now() - since);
      await sleep(1000 - Math.min(1000, performance.now() - since));
    }
    const { rows } = await client.query<{ entries: string }>(`
      SELECT count(*)::float8 / count(DISTINCT elicitation_id) AS entries FROM audit_entry
       WHERE elicitation_id IN (
         SELECT elicitation_id FROM notification WHERE channel = 'email' GROUP BY 1 HAVING bool_and(state = 'sent'))`);
    return {
      requests: flood,
      people,
      opened,
      planned: (await whenPlanned) - opened,
      webhook: { p50: percentile(delays, 0.5), most: percentile(delays, 1) },
      mails: mails.received.length,
      entries: Number(rows[0]?.entries),
      silent: percentile(await health.stop(), 1),
      memory: (await node.usage()).memory,
    };
  } finally {
    caller.close();
    await client.end();
    await node.stop();
    await operator.close();
    await mails.stop();
    await receiver.stop();
  }
}

const secondsOf = (): (() => number) => {
  const start = performance.now();
  return () => (performance.now() - start) / 1000;
};

async function until(isDone: () => Promise<boolean>, seconds: () => number): Promise<number> {
  while (!(await isDone())) await sleep(200);
  return seconds();
}
