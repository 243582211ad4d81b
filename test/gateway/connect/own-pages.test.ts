import { afterAll, afterEach, expect, test } from '@jest/globals';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createClient, type MintedToken } from '#sdk/client/client';
import { startGates } from '../http/peers.ts';
import { callTool, makeClient, startMcpServer, textOf } from '../../sdk/mcp/peers.ts';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startTestServer } from '../../support/nodes/server.ts';
import { leaveBy, newVisitor } from '../../support/nodes/visitor.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';

const server = await startTestServer();
await server.applyPolicies(['policy: free\nmatch: { tool: get_invoice }\nallow: { ceiling: medium }\n']);
let minted: MintedToken | undefined;
const paid = z.object({ payment: z.string() });
/** A server with the library, behind the gateway of the same Assentry. */
const shop = await startMcpServer(
  (tools) =>
    tools.registerTool('get_invoice', { annotations: { readOnlyHint: true } }, async ({ elicit, sessionId }) => {
      minted = await tools.generateElicitationToken(sessionId);
      const url = 'https://pay.example/session';
      const answer = await elicit('Pay 100 EUR', paid, { url, elicitationId: minted });
      return {
        content: [{ type: 'text', text: answer.status === 'accept' ? answer.content.payment : answer.status }],
      };
    }),
  { url: server.url, apiKey: await server.newServerKey('library') },
);
const gatewayClient = createClient({ url: server.url, apiKey: await server.newServerKey('gateway') });
const open = closedAfterEach();
afterAll(async () => {
  await shop.stop();
  await server.stop();
});
afterEach(() => void (minted = undefined));

test('a server with the library behind the gateway shows one connect page with one code, and the call resumes', async () => {
  const gateway = await startGates({ upstreams: { shop: { url: shop.url.href } }, clientFor: () => gatewayClient });
  open.push(() => gateway.close());
  const client = makeClient(undefined, { elicitation: { form: {}, url: {} } });
  open.push(() => client.close());
  const questions: { message: string; url: string }[] = [];
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const question = params as { message: string; url: string };
    questions.push(question);
    const [code = ''] = /\d{3} \d{3}/.exec(question.message) ?? [];
    const address = await leaveBy(newVisitor(), question.url, code);
    expect(address).toMatch(/^https:\/\/pay\.example\/session\?state=/);
    await fetch(minted?.callbackUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: { payment: 'pi_1' } }),
    });
    return { action: 'accept' };
  });
  const transport = new StreamableHTTPClientTransport(new URL(gateway.addresses['shop'] ?? ''));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  expect(textOf(await callTool(client, 'get_invoice'))).toBe('pi_1');
  expect(questions).toHaveLength(1);
  expect(questions[0]?.message.match(/\d{3} \d{3}/g)).toHaveLength(1);
  expect(questions[0]?.message).not.toContain('It leads to');
});
