import { connect as openSocket } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { listRequests } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { until } from '../../support/poll.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { commandOf, startGates, startNotes } from '../http/peers.ts';
import { initialize, post } from '../http/raw-post.ts';
import { bytesOf, meta } from '../http/raw-request.ts';
import { notesServer } from '../peers.ts';
import { readingPolicy } from '../reading-policy.ts';

const origin = 'https://gate.example.com';

const open = closedAfterEach();

const [server, issuer, notes] = await Promise.all([startTestServer(), startIssuer(), startNotes()]);
afterAll(async () => {
  await Promise.all([issuer.close(), notes.close()]);
  await server.stop();
});
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([readingPolicy]);

async function start(upstream: object) {
  const more = { url: origin, authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks` } };
  const gateway = await startGates({ upstreams: { notes: { ...upstream } }, clientFor: () => assentry, more });
  open.push(() => gateway.close());
  return { notes: `${gateway.url}/u/notes/mcp`, mcp: `${gateway.url}/mcp` };
}

const as = async (sub: string) => ({
  authorization: `Bearer ${await issuer.sign({ sub, aud: [`${origin}/mcp`] })}`,
});

/** A call of this person, which is given up by the signal. */
async function call(url: string, sub: string, name: string, signal?: AbortSignal): Promise<Response> {
  const tool = url.endsWith('/u/notes/mcp') ? name : `notes__${name}`;
  const params = { name: tool, arguments: { text: `${sub} at ${url}` }, _meta: meta };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return post(url, body, { ...headers, ...(await as(sub)) }, signal);
}

test.each(['notes', 'mcp'] as const)(
  'at %s a person has as many calls open as one caller may, and keeps no one else out',
  async (door) => {
    const url = (await start({ url: notes.url, calls: 10, sharePerCaller: 0.2 }))[door];
    const leaving = new AbortController();
    const waiting = ['write_note', 'report'].map((name) => call(url, 'ada', name, leaving.signal).catch(() => null));
    await until(async () => (await listRequests(approver)).length === 2);
    const refused = await call(url, 'ada', 'read_note');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await refused.text()).toMatch(
      /you have as many open as one caller may\. Nothing was run\.".*"rate-limited"/,
    );
    expect(await (await call(url, 'bob', 'read_note')).text()).toContain('read bob at');
    leaving.abort();
    await Promise.all(waiting);
    await until(async () => (await call(url, 'ada', 'read_note')).status === 200);
    for (const { id } of await listRequests(approver)) await approver.vote(id, 'decline');
  },
);

test('a person has as many processes as one caller may, and keeps no one else out', async () => {
  const url = (await start({ ...commandOf(notesServer().words), sessions: 10 })).notes;
  const begin = async (sub: string) => post(url, initialize, await as(sub));
  const begun = [await begin('ada'), await begin('ada')];
  expect(begun.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await begin('ada');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.text()).toContain('you have as many as one caller may');
  expect((await begin('bob')).status).toBe(200);
  const session = { 'mcp-session-id': begun[0]?.headers.get('mcp-session-id') ?? '' };
  await fetch(url, { method: 'DELETE', headers: { ...session, ...(await as('ada')) } });
  await until(async () => (await begin('ada')).status === 200);
});

test('a person who never ends their requests keeps no one else out', async () => {
  const { notes: url } = await start({ url: notes.url });
  const { authorization } = await as('ada');
  const begun = bytesOf({ headers: [`Authorization: ${authorization}`, 'Content-Length: 100'], body: '{' });
  const answers: string[] = [];
  for (let count = 0; count < 1_001; count += 1) {
    const socket = openSocket(Number(new URL(url).port), '127.0.0.1', () => socket.write(begun));
    socket.on('data', (part) => answers.push(part.toString())).on('error', () => {});
    open.push(async () => void socket.destroy());
  }
  const [refused] = await until(() => answers.length > 0 && answers);
  expect(refused).toMatch(/^HTTP\/1\.1 429 .*retry-after: 5/is);
  expect(await (await call(url, 'bob', 'read_note')).text()).toContain('read bob at');
  expect(answers).toHaveLength(1);
});
