import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { textOf } from '../../sdk/mcp/peers.ts';
import { compiled } from '../../support/compiled.ts';
import { startFakePayments } from '../../support/connect/fake-payments.ts';
import { query } from '../../support/databases/embedded.ts';
import { startClaimProxy } from '../../support/nodes/claim-proxy.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor } from '../../support/nodes/visitor.ts';
import { until } from '../../support/poll.ts';
import { drawn } from '../../support/runs.ts';
import { codeIn, withUrl, type Asked } from '../agents.ts';

let ahead = 0;
const now = () => Date.now() + ahead;
const provider = await startFakePayments({ now });
const server = await startTestServer({ outcomeProviders: [provider.settings({ servers: ['payments'] })], now });
/** On the author's way to the node: claims, and then records of what has run. */
const claims = await startClaimProxy(server.url);
const records = await startClaimProxy(claims.url, '/complete');
const env = { ASSENTRY_URL: records.url, ASSENTRY_API_KEY: await server.newServerKey() };
const folder = await mkdtemp(path.join(os.tmpdir(), 'assentry-paying-'));
const ledger = path.join(folder, 'ledger');
const authors: ChildProcess[] = [];
const leaving: AbortController[] = [];
afterEach(async () => {
  for (const each of leaving.splice(0)) each.abort();
  await Promise.all(authors.splice(0).map(kill));
});
afterAll(async () => {
  for (const proxy of [records, claims]) await proxy.stop();
  await server.stop();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

interface Author {
  process: ChildProcess;
  /** The rest of its first line that begins so. */
  says(beginning: string): Promise<string>;
}

function startAuthor(...args: string[]): Author {
  const program = compiled('test/connect/outcomes/paying-author.ts');
  const child = spawn(process.execPath, [program, '--ledger', ledger, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  authors.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const says = (beginning: string) => until(() => lines.find((line) => line.startsWith(beginning)));
  return { process: child, says: async (beginning) => (await says(beginning)).slice(beginning.length) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGKILL');
  await closed;
}

/** How often this order was shipped. */
const shipped = async (order: string): Promise<number> =>
  (await readFile(ledger, 'utf8').catch(() => '')).split('\n').filter((line) => line === order).length;

async function pay({ url, message }: Asked): Promise<void> {
  const address = await leaveBy(newVisitor(), url, codeIn(message));
  const session = provider.sessions().find((other) => other.url === address);
  const paid = provider.pays(session?.id ?? '');
  expect(await provider.deliver(paid, `${server.url}/providers/fake-payments/events`)).toEqual([200]);
}

async function decline({ url, message }: Asked): Promise<void> {
  const visitor = newVisitor();
  await letIn(visitor, url, codeIn(message));
  await visitor.send(url, { action: 'decline' });
}

interface Place {
  /** Resolves when the author is there. */
  reached(author: Author): Promise<unknown>;
  /** How often the order is shipped when the author dies there. */
  shipped: 0 | 1;
  /** What the same call gets then: the tool runs, its result is there, or no one knows whether it has run. */
  next: 'runs' | 'replays' | 'outcome-unknown';
}

const stopped = ({ says }: Author) => says('stopped');

const places: Record<string, Place> = {
  'before its claim arrives': { reached: () => claims.hold('request').reached, shipped: 0, next: 'runs' },
  'before it knows its claim': { reached: () => claims.hold('response').reached, shipped: 0, next: 'outcome-unknown' },
  'before the effect': { reached: stopped, shipped: 0, next: 'outcome-unknown' },
  'after the effect': { reached: stopped, shipped: 1, next: 'outcome-unknown' },
  'before its record arrives': { reached: () => records.hold('request').reached, shipped: 1, next: 'outcome-unknown' },
  'before it knows its record': { reached: () => records.hold('response').reached, shipped: 1, next: 'replays' },
};

/** Sessions at the provider, and payments that requests were accepted by. */
async function count(): Promise<{ sessions: number; accepted: number }> {
  const state = `SELECT count(*)::int FROM elicitation WHERE status = 'accepted'`;
  return { sessions: provider.sessions().length, accepted: Number(await query(server.databaseUrl, state)) };
}

const drawnPlaces = (name: string) => drawn(name, Object.keys(places), { least: 1 });

test.each(drawnPlaces('an author killed around a payment'))(
  'a program that names its call and is killed %s ships what was paid at most once, and goes on',
  async (place) => {
    const { reached, shipped: before, next } = places[place] as Place;
    const [order, { sessions, accepted }] = [randomUUID(), await count()];
    const dying = startAuthor('--order', order, '--stop', place);
    const arrives = reached(dying);
    await pay(JSON.parse(await dying.says('asked ')) as Asked);
    await arrives;
    await kill(dying.process);
    expect(await shipped(order)).toBe(before);
    if (next === 'outcome-unknown') ahead += 700_000; // longer than a silent run counts as alive
    const end = await startAuthor('--order', order).says('ended ');
    expect(end).toBe(next === 'outcome-unknown' ? next : `shipped ${order}`);
    expect(await shipped(order)).toBe(next === 'runs' ? 1 : before);
    expect(await count()).toEqual({ sessions: sessions + 1, accepted: accepted + 1 });
  },
);

/** The result of a call, whose person does this when they are asked. */
async function callTool(url: string, order: string, answer: (request: Asked) => Promise<void>): Promise<string> {
  const versionNegotiation = { mode: 'legacy' as const };
  const client = new Client({ name: 'agent', version: '2.0.0' }, { capabilities: withUrl, versionNegotiation });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    void answer(params as Asked);
    return { action: 'accept' };
  });
  const leave = new AbortController();
  leaving.push(leave);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const call = client.callTool({ name: 'ship', arguments: { order } }, { signal: leave.signal });
  return call.then((result) => textOf(result as CallToolResult)).finally(() => client.close());
}

test.each(drawnPlaces('a tool killed around a payment'))(
  'a tool that is killed %s ships what was paid at most once; the next session is asked again, and may decline',
  async (place) => {
    const { reached, shipped: before } = places[place] as Place;
    const [order, { sessions, accepted }] = [randomUUID(), await count()];
    const dying = startAuthor('--stop', place);
    const url = await dying.says('ready at ');
    const arrives = reached(dying);
    const lost = callTool(url, order, pay).catch((error: unknown) => error);
    await arrives;
    await kill(dying.process);
    leaving.at(-1)?.abort();
    expect(await lost).toBeInstanceOf(Error);
    const text = await callTool(await startAuthor().says('ready at '), order, decline);
    expect(text).toMatch(/not paid|declined/i);
    expect(await shipped(order)).toBe(before);
    expect(await count()).toEqual({ sessions: sessions + 1, accepted: accepted + 1 });
  },
);
