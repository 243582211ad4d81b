import { afterAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { call as callRaw, type RawClient } from '../../mcp-v2/peers.ts';
import { compiled } from '../../../support/compiled.ts';
import { until } from '../../../support/poll.ts';
import { runs } from '../../../support/runs.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import type { Kept } from './abandoned-server.ts';
import { callTool, makeClient } from '../peers.ts';

const ids = Array.from({ length: runs(200) }, (_, index) => String(index));

let skipped = 0;
let lines: Interface;
const clients: Client[] = [];

const nextLine = async (): Promise<unknown> => JSON.parse(String((await once(lines, 'line'))[0]));

const server = await startTestServer({ now: () => Date.now() + skipped });
const database = new pg.Client({ connectionString: server.databaseUrl });
await database.connect();
const child = spawn(process.execPath, [compiled('test/sdk/mcp/channels/abandoned-server.ts')], {
  env: {
    PATH: process.env['PATH'] ?? '',
    ASSENTRY_URL: server.url,
    ASSENTRY_API_KEY: await server.newServerKey('abandoned'),
  },
  stdio: ['pipe', 'pipe', 'inherit'],
});
afterAll(async () => {
  child.kill();
  await database.end();
  await server.stop();
});
if (child.stdout) lines = createInterface({ input: child.stdout });
const urls = (await nextLine()) as { old: string; relay: string; modern: string };
async function keeps(): Promise<Kept> {
  child.stdin?.write('\n');
  return (await nextLine()) as Kept;
}

/** How many questions of this tool there are, by how they stand. */
async function questions(tool: string): Promise<Record<string, number>> {
  const sql = `SELECT concat_ws(' ', status, cause, CASE WHEN status = 'open' THEN caller END) AS stand, count(*)::int
    FROM elicitation WHERE tool = $1 GROUP BY stand`;
  const { rows } = await database.query<{ stand: string; count: number }>(sql, [tool]);
  return Object.fromEntries(rows.map(({ stand, count }) => [stand, count]));
}
const sum = (counts: Record<string, number>): number => Object.values(counts).reduce((all, count) => all + count, 0);
const within = { within: 60_000 };

async function connect(url: string, user?: Parameters<typeof makeClient>[0]): Promise<Client> {
  const client = makeClient(user);
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  clients.push(client);
  return client;
}

/** All calls at once, given up together when `isTime`. */
async function abandon(client: Client, tool: string, isTime: () => unknown): Promise<void> {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const options = { signal: leaving.signal, timeout: 90_000, onprogress: () => {} };
  const calls = Promise.allSettled(ids.map((id) => callTool(client, tool, { id }, options)));
  await until(isTime, within);
  leaving.abort();
  await calls;
}

const callAll = (client: Client, tool: string) => Promise.all(ids.map((id) => callTool(client, tool, { id })));
const callAllRaw = (tool: string, client: RawClient) =>
  Promise.all(ids.map((id) => callRaw(urls.modern, tool, { id }, {}, client)));

const extensions = { 'io.modelcontextprotocol/tasks': {} };

/** Two hundred calls each that no one comes back to, and how their questions stand then. */
const channels: Record<string, { leave(): Promise<unknown>; stand: string }> = {
  push: {
    stand: 'cancelled caller_gone',
    async leave() {
      let shown = 0;
      const client = await connect(urls.old, () => ((shown += 1), new Promise<never>(() => {})));
      await abandon(client, 'push', () => shown === ids.length);
    },
  },
  hold: {
    stand: 'open gone',
    leave: async () =>
      abandon(await connect(urls.old), 'hold', async () => sum(await questions('hold')) === ids.length),
  },
  link: {
    stand: 'open gone',
    async leave() {
      const client = await connect(urls.old);
      await callAll(client, 'link');
      await abandon(client, 'link', async () => (await keeps()).inFlight >= ids.length);
    },
  },
  relay: { stand: 'open waiting', leave: async () => callAll(await connect(urls.relay), 'relay') },
  round: { stand: 'open waiting', leave: () => callAllRaw('round', {}) },
  task: { stand: 'open waiting', leave: () => callAllRaw('task', { capabilities: { elicitation: {}, extensions } }) },
};

test('two hundred abandoned calls on every channel leave nothing waiting, and every question comes to an end', async () => {
  const before = await keeps();
  for (const [channel, { leave, stand }] of Object.entries(channels)) {
    await leave();
    await until(async () => (await questions(channel))[stand] === ids.length, within).catch(() => {});
    expect([channel, await questions(channel)]).toEqual([channel, { [stand]: ids.length }]);
  }
  for (const client of clients) {
    await (client.transport as StreamableHTTPClientTransport).terminateSession();
    await client.close();
  }
  const isQuiet = async () => {
    const { timers, sockets, ...rest } = await keeps();
    return sum(rest) === 0 && timers <= before.timers && sockets <= before.sockets;
  };
  await until(isQuiet, within).catch(() => {});
  const after = await keeps();
  expect(after).toEqual({ inFlight: 0, executions: 0, heard: 0, timers: after.timers, sockets: after.sockets });
  expect(after.timers).toBeLessThanOrEqual(before.timers);
  expect(after.sockets).toBeLessThanOrEqual(before.sockets);
  skipped += 600_001;
  for (const [channel, { stand }] of Object.entries(channels)) {
    const end = stand.startsWith('open') ? 'expired' : stand;
    await until(async () => (await questions(channel))[end] === ids.length, within).catch(() => {});
    expect([channel, await questions(channel)]).toEqual([channel, { [end]: ids.length }]);
  }
});
