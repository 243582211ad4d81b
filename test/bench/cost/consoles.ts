import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import pg from 'pg';
import { newOneTimeSecret } from '#platform/crypto/random';
import { sessionCookie } from '#platform/http/routes/authenticate';
import type { BenchDatabase } from '../bench-database.ts';
import { startBenchNode, type BenchNode } from '../bench-node.ts';
import { createHttpCaller } from '../lifecycle/http-caller.ts';
import type { Prepared } from '../prepared.ts';
import type { Scale } from '../lifecycle/scale.ts';
import { median } from '../statistics.ts';

/** What a change costs while so many consoles are open, each with a session of its own. */
export interface Consoles {
  open: number;
  /** Milliseconds from the answer to the one who made the change until the last console has heard of it: median and most. */
  reached: { p50: number; most: number };
  /** Milliseconds of PostgreSQL's CPU for each change, the change itself included; null if the system does not tell. */
  postgres: number | null;
  /** What the node sends for each change. */
  statements: number;
}

export async function measureConsoles(
  database: BenchDatabase,
  prepared: Prepared,
  { consoles: { open, changes } }: Scale,
): Promise<Consoles> {
  const node = await startBenchNode(database.url('consoles'));
  const caller = await createHttpCaller(node.url, prepared); // signs in, too
  const consoles = await openConsoles(node, await makeSessions(database.url('consoles'), open));
  try {
    await reachAll(consoles, caller.open); // warm
    const before = { ...(await node.usage()), postgres: database.cpu() };
    const times: number[] = [];
    for (let at = 0; at < changes; at += 1) times.push(await reachAll(consoles, caller.open));
    const after = { ...(await node.usage()), postgres: database.cpu() };
    const [first, last] = [before.postgres, after.postgres];
    return {
      open,
      reached: { p50: median(times), most: Math.max(...times) },
      postgres: first === null || last === null ? null : (last - first) / 1000 / changes,
      statements: (after.statements - before.statements) / changes,
    };
  } finally {
    consoles.forEach(({ close }) => close());
    caller.close();
    await node.stop();
  }
}

/** Copies of the session that there is, with secrets of their own. */
async function makeSessions(connectionString: string, count: number): Promise<string[]> {
  const secrets = Array.from({ length: count }, newOneTimeSecret);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(copies, [secrets.map(({ hash }) => hash)]);
  } finally {
    await client.end();
  }
  return secrets.map(({ secret }) => secret);
}

const copies = `
  INSERT INTO session (hash, id, user_id, agent, address, created_at, last_seen_at, authenticated_at, expires_at)
  SELECT hash, 'copy-' || place, user_id, agent, address, created_at, last_seen_at, authenticated_at, expires_at
    FROM (SELECT * FROM session LIMIT 1) AS s (own, id, user_id, agent, address, created_at, last_seen_at, authenticated_at, expires_at),
      unnest($1::bytea[]) WITH ORDINALITY AS made(hash, place)`;

interface Console {
  /** Resolves with the time at which the next change arrives. */
  next(): Promise<number>;
  close(): void;
}

async function openConsoles({ url }: BenchNode, secrets: string[]): Promise<Console[]> {
  const consoles: Console[] = [];
  for (const secret of secrets) consoles.push(await openConsole(url, secret));
  return consoles;
}

async function openConsole(url: string, secret: string): Promise<Console> {
  const headers = { cookie: `${sessionCookie(url).name}=${secret}` };
  const asking: ClientRequest = request(new URL('/api/stream', url), { agent: false, headers }).end();
  let hear: (at: number) => void = () => {};
  const ready = new Promise<void>((resolve) => {
    asking.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: ready')) resolve();
        if (text.includes('event: inbox')) hear(performance.now());
      });
      response.on('error', () => {}); // closed by us
    });
  });
  await Promise.race([
    ready,
    once(asking, 'close').then(() => Promise.reject(new TypeError('A console was refused.'))),
  ]);
  asking.on('error', () => {});
  return {
    next: () => new Promise((resolve) => (hear = resolve)),
    close: () => void asking.destroy(),
  };
}

/** Milliseconds from the answer until the last one has heard. */
async function reachAll(consoles: Console[], change: () => Promise<unknown>): Promise<number> {
  const heard = Promise.all(consoles.map(({ next }) => next()));
  await change();
  const answered = performance.now();
  return Math.max(0, Math.max(...(await heard)) - answered);
}
