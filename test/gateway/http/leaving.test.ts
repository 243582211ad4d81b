import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { startGate } from './peers.ts';
import { post } from './raw-post.ts';
import { inSession, startScripted, streamTo, textResult, type Heard, type ScriptedServer } from './scripted-server.ts';

const free = 'policy: free\nmatch: { server: notes, tool: [read_note, slow, "*"] }\nallow: { ceiling: medium }\n';

const open = closedAfterEach();

const server = await startTestServer();
afterAll(() => server.stop());
const client = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([free]);

const call = (id: number, name: string, text: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { text } },
});

/** A gateway with one place for calls, before a server that does this at a call which says so. */
async function start(onCall: (heard: Heard) => void, more: object = {}) {
  const plain = ({ id, response }: Heard): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: textResult('next') }));
  };
  const upstream = await startScripted({
    'tools/call': (heard) => (JSON.stringify(heard.params).includes('"next"') ? plain(heard) : onCall(heard)),
  });
  const gateway = await startGate({ client, upstream: { url: upstream.url, calls: 1, ...more } });
  open.push(
    () => upstream.close(),
    () => gateway.close(),
  );
  const leaving = new AbortController();
  let count = 0;
  const leave = async (): Promise<void> => {
    await until(() => of(upstream, 'tools/call').length > 0);
    leaving.abort();
  };
  const ask = (name: string, text: string, signal: AbortSignal | null = null) =>
    post(gateway.notes, call((count += 1), name, text), { ...inSession }, signal);
  return {
    upstream,
    ask,
    /** Calls, and leaves when the server has the call. */
    async callAndLeave(name: string, text: string) {
      ask(name, text, leaving.signal).catch(() => {});
      await leave();
    },
    /** Whether another call finds a place. */
    hasPlace: async () => (await ask('read_note', 'next')).status === 200,
  };
}

const of = ({ heard }: ScriptedServer, method: string) => heard.filter((request) => request.method === method);
const cancelled = (upstream: ScriptedServer) =>
  of(upstream, 'notifications/cancelled').map(({ params }) => params?.['requestId']);

/** Sends news of the call until no one takes it. */
function streamOn({ response }: Heard, place?: string): void {
  const tell = streamTo(response);
  const news = { method: 'notifications/message', params: { level: 'info', data: 'on' } };
  tell(news, place);
  const timer = setInterval(() => tell(news), 20);
  response.once('close', () => clearInterval(timer));
}

test('a call that no one waits for is cancelled at a server that streams on, and its place is free', async () => {
  const gate = await start((heard) => streamOn(heard));
  await gate.callAndLeave('read_note', 'on');
  await until(() => gate.hasPlace());
  expect(cancelled(gate.upstream)).toEqual([1]);
  expect(of(gate.upstream, 'tools/call')[0]?.response.destroyed).toBe(true);
});

test('a call to whose stream its client may come back is let go of, and not cancelled', async () => {
  const gate = await start((heard) => streamOn(heard, 'first'));
  const reader = (await gate.ask('read_note', 'on')).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await until(() => gate.hasPlace());
  expect(of(gate.upstream, 'tools/call')[0]?.response.destroyed).toBe(true);
  expect(cancelled(gate.upstream)).toEqual([]);
});

test('a call that was claimed runs on, and the same call finds its result', async () => {
  let finish = (): void => {};
  const gate = await start(({ id, response }) => {
    const tell = streamTo(response);
    finish = () => void (tell({ id, result: textResult('written') }), response.end());
  });
  await gate.callAndLeave('write_note', 'claimed');
  expect(await gate.hasPlace()).toBe(false);
  finish();
  await until(() => gate.hasPlace());
  expect(await (await gate.ask('write_note', 'claimed')).text()).toContain('written');
  expect([of(gate.upstream, 'tools/call').length, cancelled(gate.upstream)]).toEqual([2, []]);
});

test('a call that was claimed and never ends is cancelled after the server’s time, recorded, and its place is free', async () => {
  const gate = await start((heard) => streamOn(heard), { timeout: 1 });
  await gate.callAndLeave('write_note', 'endless');
  await until(() => cancelled(gate.upstream).length > 0);
  await until(() => gate.hasPlace());
  expect(await (await gate.ask('write_note', 'endless')).text()).toContain('outcome');
  expect(
    of(gate.upstream, 'tools/call').filter(({ params }) => JSON.stringify(params).includes('endless')),
  ).toHaveLength(1);
});
