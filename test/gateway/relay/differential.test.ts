import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { makeV2Client } from '../../sdk/mcp-v2/peers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { everything, runScript } from '../everything-script.ts';
import { notesServer, startDirect, startWrapped, withoutOwn, type Pipe } from '../peers.ts';

const server = await startTestServer();
afterAll(() => server.stop());
await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('everything') });
const resources = 'policy: resources\nmatch: { tool: assentry.resource }\nallow: { ceiling: medium }\n';
await server.applyPolicies(['policy: free\nmatch: {}\nallow: { ceiling: medium }\n', resources]);

test('a client of 2025 sees the same of server-everything with and without the gateway', async () => {
  const direct = await runScript(await startDirect(everything));
  const wrapped = await runScript(startWrapped(everything, { client: assentry }));
  expect(direct.length).toBeGreaterThan(30);
  expect(wrapped).toEqual(direct);
});

/** Everything the second SDK does by itself, and rounds. */
async function runModern(pipe: Pipe): Promise<unknown[]> {
  const client = makeV2Client(() => ({ action: 'accept', content: { sure: true } }));
  await client.connect(pipe as never);
  const call = (name: string, text: string) => client.callTool({ name, arguments: { text } }).catch(String);
  const results = [
    client.getNegotiatedProtocolVersion(),
    withoutOwn((await client.listTools()).tools),
    await client.listResources(),
    await client.readResource({ uri: 'file:///notes/first' }),
    await call('read_note', 'a'),
    await call('confirm', 'b'),
    await call('fails', 'c'),
    await client.callTool({ name: 'report', arguments: { text: 'd' } }, { onprogress: () => {} }),
  ];
  await pipe.close();
  return [...results, ...pipe.seen.filter(({ method }) => method === 'notifications/progress')];
}

test('a client of 2026-07-28 sees the same with and without the gateway, rounds too', async () => {
  const [first, other] = [notesServer(), notesServer()];
  const direct = await runModern(await startDirect(first.words));
  const wrapped = await runModern(startWrapped(other.words, { client: assentry }));
  expect(direct[0]).toBe('2026-07-28');
  expect(wrapped).toEqual(direct);
  expect(other.done()).toEqual(first.done());
  expect(first.done()).toContain('confirmed b with state of b');
});
