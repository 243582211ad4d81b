import { afterAll, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { z } from 'zod';
import { createClient } from '#sdk/client/client';
import { notesServer, startWrapped } from '../../gateway/peers.ts';
import { kinds, startEveryServer } from '../mcp-v2/peers.ts';
import { query } from '../../support/databases/embedded.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { makeClient } from './peers.ts';

/** The trace of a call reaches the request that it waits for, so that agent, approval and run can be joined. */
const server = await startTestServer();
const client = createClient({ url: server.url, apiKey: await server.newServerKey() });
const every = await startEveryServer(
  (tools) => {
    tools.registerTool('send', { inputSchema: z.object({ to: z.string() }) }, async ({ to }, { elicit }) => {
      await elicit(`Send it to ${to}?`, { type: 'object', properties: {} }, { approval: true });
      return { content: [] };
    });
  },
  { client },
);
const wrapped = startWrapped(notesServer().words, { client });
afterAll(async () => {
  await wrapped.close();
  await every.stop();
  await server.stop();
});

const connect = async (kind: string) => {
  if (kind !== 'the gateway') return every.connect(kind as (typeof kinds)[number]);
  const client = makeClient();
  await client.connect(wrapped as unknown as Transport);
  return client;
};

test.each([...kinds, 'the gateway'])('%s', async (kind) => {
  const agent = await connect(kind);
  const traceparent = `00-${String(kinds.indexOf(kind as never) + 2).repeat(32)}-${'b'.repeat(16)}-01`;
  const call = {
    name: kind === 'the gateway' ? 'write_note' : 'send',
    arguments: { to: kind },
    _meta: { traceparent },
  };
  agent.callTool(call).catch(() => {}); // it is held until the test ends
  await until(async () => {
    const stored = await query(server.databaseUrl, `SELECT id FROM elicitation WHERE traceparent = '${traceparent}'`);
    return stored.length === 1;
  });
});
