import { afterAll, afterEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import type { LogStream } from '#audit/streams/contract';
import { certificate } from '../../notify/certificate.ts';
import { openReceiver } from '../../notify/receiver.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { freshDatabase } from '../../support/databases/database.ts';
import { writeEntries } from '../../support/nodes/log.ts';
import { until } from '../../support/poll.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { openSyslogReceiver, type SyslogReceiver } from './syslog-receiver.ts';
import { json } from '../../support/json.ts';

let ahead = 0;
const closers: (() => Promise<void>)[] = [];
const secret = `whsec_${randomBytes(32).toString('base64')}`;
/** One log; each test has streams of its own, at nodes of its own. */
const database = await freshDatabase();
const client = new pg.Client({ connectionString: database.url });
afterAll(async () => {
  await client.end();
  await database.drop();
});
await client.connect();
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function receive(...options: Parameters<typeof openSyslogReceiver>): Promise<SyslogReceiver> {
  const receiver = await openSyslogReceiver(...options);
  closers.push(() => receiver.stop());
  return receiver;
}

const trust = { ca: certificate.cert };

/** A node with this stream. */
async function startNode(stream: LogStream, tls: object = trust): Promise<TestServer> {
  const streams = { streams: [stream], secret, tls };
  const node = await startTestServer({
    databaseUrl: database.url,
    streams,
    now: () => Date.now() + ahead,
    metricsToken: 'm'.repeat(32),
  });
  closers.push(() => node.stop());
  return node;
}

const stateOf = async ({ engine }: TestServer, name: string) =>
  (await engine.streams.list()).find((stream) => stream.name === name);

/** Each place of the log from the first to the last, once every entry has one and has arrived; null before. */
async function placesOf(node: TestServer, name: string): Promise<number[] | null> {
  if (await node.engine.merkleLog.isWaiting()) return null;
  const state = await stateOf(node, name);
  const isThrough = state !== undefined && state.delivered === state.size && state.fault === null;
  return isThrough ? Array.from({ length: state.size }, (_, index) => index) : null;
}

const indexesOf = ({ messages }: SyslogReceiver): number[] =>
  messages.map(({ text }) => (JSON.parse(text) as { index: number }).index);

const ready = ({ url }: TestServer) => json<Record<string, unknown>>(fetch(`${url}/readyz`));

test('entries arrive in the order of the log with their places, once though two nodes stream, and without content', async () => {
  const receiver = await receive();
  const stream = { name: 'siem', format: 'jsonl', url: receiver.url } as const;
  const [node] = [await startNode(stream), await startNode(stream)];
  await writeEntries(600, client);
  const canary = randomBytes(6).toString('hex');
  const content = { arguments: { canary }, message: canary, reason: canary, requester: { subject: canary } };
  await askingAt(node.url, await node.newServerKey()).open(content);
  const places = await until(() => placesOf(node, 'siem'));
  const bodies = await node.engine.merkleLog.bodies(0, places.length);
  const origin = await node.engine.merkleLog.origin();
  expect(receiver.faults).toEqual([]);
  expect(receiver.messages.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
    bodies.map((body, index) => ({ log: origin, index, entry: JSON.parse(Buffer.from(body).toString('utf8')) })),
  );
  expect(JSON.stringify(receiver.messages)).not.toContain(canary);
  expect(receiver.messages.map(({ text }) => text).join()).toContain('"about":["stream=siem"]');
});

test('if the receiver is cut off or away, the stream warns everywhere, waits longer each time, and goes on at its place', async () => {
  const receiver = await receive();
  await writeEntries(600, client);
  receiver.cut(300);
  const node = await startNode({ name: 'away', format: 'jsonl', url: receiver.url });
  await until(async () => (await stateOf(node, 'away'))?.fault);
  ahead += 2000;
  await until(async () => ((await stateOf(node, 'away'))?.failures ?? 0) >= 2);
  await until(async () => JSON.stringify(await ready(node)).includes('ECONNREFUSED'));
  expect(await ready(node)).toMatchObject({
    warnings: [{ code: 'stream-fails', streams: ['away'] }],
    streams: [{ name: 'away', delivered: 256, fault: 'ECONNREFUSED', failingSince: expect.any(Number) }],
  });
  const headers = { authorization: `Bearer ${'m'.repeat(32)}` };
  const metrics = await (await fetch(`${node.url}/metrics`, { headers })).text();
  expect(metrics).toMatch(/^assentry_stream_undelivered\{stream="away"\} [1-9]\d*$/m);
  expect(metrics).toMatch(/^assentry_stream_failures\{stream="away"\} [2-9]$/m);
  const [row] = (
    await client.query<{ wait: number }>(
      `SELECT extract(epoch FROM held_until - failing_since) AS wait FROM audit_stream WHERE name = 'away'`,
    )
  ).rows;
  expect(Number(row?.wait)).toBeGreaterThan(3);

  const back = await receive({}, Number(new URL(receiver.url).port));
  ahead += 60_000;
  const places = await until(() => placesOf(node, 'away'));
  await until(async () => ((await ready(node))['warnings'] as object[]).length === 0);
  expect(new Set([...indexesOf(receiver), ...indexesOf(back)])).toEqual(new Set(places));
  expect([...receiver.faults, ...back.faults]).toEqual([]);
});

test.each([
  ['is of an authority that no one named', 'localhost', {}, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['is for another name', '127.0.0.1', trust, 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('nothing is sent to a receiver whose certificate %s', async (about, host, tls, fault) => {
  const receiver = await receive();
  const name = about.replaceAll(' ', '-').slice(0, 20);
  const url = receiver.url.replace('localhost', host);
  const node = await startNode({ name, format: 'ocsf', url }, tls);
  await until(async () => (await stateOf(node, name))?.fault);
  expect(await stateOf(node, name)).toMatchObject({ delivered: 0, fault });
  expect(receiver.messages).toEqual([]);
});

test('a receiver may ask for a certificate of the sender', async () => {
  const receiver = await receive({ requestCert: true, ca: certificate.cert });
  const stream = { name: 'mutual', format: 'cef', url: receiver.url } as const;
  const stranger = await startNode(stream);
  await until(async () => (await stateOf(stranger, 'mutual'))?.fault);
  expect(await stateOf(stranger, 'mutual')).toMatchObject({ delivered: 0 });
  expect(receiver.messages).toEqual([]);
  await stranger.stop();
  closers.pop();
  const node = await startNode(stream, { ...trust, ...certificate });
  ahead += 60_000;
  const places = await until(() => placesOf(node, 'mutual'));
  expect(receiver.messages).toHaveLength(places.length);
  expect(receiver.faults).toEqual([]);
});

test('a webhook gets signed batches, and the same one under the same id until it takes it', async () => {
  const receiver = await openReceiver();
  closers.push(() => receiver.stop());
  receiver.answer(503, 1);
  const node = await startNode({ name: 'lake', format: 'ocsf', url: receiver.url });
  await until(async () => (await stateOf(node, 'lake'))?.fault);
  expect(await stateOf(node, 'lake')).toMatchObject({ delivered: 0, fault: '503' });
  ahead += 60_000;
  const places = await until(() => placesOf(node, 'lake'));
  const batches = receiver.received.map(({ body, headers }) => {
    const batch = new Webhook(secret).verify(body, headers as Record<string, string>);
    return { id: headers['webhook-id'], ...(batch as { type: string; data: { from: number; entries: Ocsf[] } }) };
  });
  expect(batches[1]?.id).toBe(batches[0]?.id);
  expect(batches.map(({ type }) => type)).toEqual(batches.map(() => 'log.entries'));
  const sequence = batches.slice(1).flatMap(({ data }) => data.entries.map(({ metadata }) => metadata.sequence));
  expect(sequence).toEqual(places);
});

interface Ocsf {
  metadata: { sequence: number };
}

test('a stream that is forgotten, or whose place cannot be, begins with the first entry again', async () => {
  const receiver = await receive();
  const node = await startNode({ name: 'again', format: 'jsonl', url: receiver.url });
  await until(() => placesOf(node, 'again'));
  const first = receiver.messages.length;
  await client.query(`UPDATE audit_stream SET place = 1000000 WHERE name = 'again'`);
  await until(() => placesOf(node, 'again'));
  const second = receiver.messages.length;
  expect(second).toBeGreaterThanOrEqual(2 * first);
  await node.forgetStream('again');
  const isAgain = (): boolean => receiver.messages.length > 2 * second - first;
  const last = await until(async () => isAgain() && (await placesOf(node, 'again')));
  expect(indexesOf(receiver).slice(-last.length)).toEqual(last);
  const begun = receiver.messages.filter(({ text }) => text.includes('"about":["stream=again"]'));
  expect(new Set(begun.map(({ text }) => text)).size).toBe(2);
  await expect(node.forgetStream('none')).rejects.toMatchObject({ code: 'not-found' });
});
