import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { applyPolicies } from '../../src/engine/policies/apply-policies.ts';
import { startTestServer, type TestUser, type TestServer } from '../support/server.ts';
import { callTool, findRequest, startMcpServer, textOf, type McpPeer } from './peers.ts';

let server: TestServer;
let approver: TestUser;
let mcp: McpPeer;
beforeAll(async () => {
  server = await startTestServer();
  approver = await server.newUser();
  await applyPolicies(server.engine, [
    `policy: refunds
match: { tool: refund }
require: { editable: { amount: { type: number, maximum: 100 } }, stages: [{ name: One, approvers: anyone }] }`,
  ]);
  mcp = await startMcpServer(
    (tools) => {
      tools.registerTool('refund', { inputSchema: { amount: z.number() } }, async ({ amount }, { elicit }) => {
        const answer = await elicit(`Refund ${amount}?`, z.object({}), { approval: true });
        const approved = answer.status === 'accept' ? (answer.arguments ?? { amount }) : null;
        return { content: [{ type: 'text', text: JSON.stringify(approved) }] };
      });
    },
    { url: server.url, apiKey: await server.newServerKey('bank') },
  );
});
afterAll(async () => {
  await mcp?.stop();
  await server?.stop();
});

test('P21 the tool receives the arguments that were approved, and only where somebody edited them', async () => {
  const client = await mcp.connect();
  for (const [asked, edited] of [
    [90, 40],
    [80, null],
  ] as const) {
    const calling = callTool(client, 'refund', { amount: asked });
    const { id } = await findRequest(approver, `Refund ${asked}?`);
    const { digest } = await approver.show(id);
    const body = { digest, arguments: { amount: edited } };
    if (edited !== null) expect((await approver.call('POST', `/api/elicitations/${id}/edit`, body)).status).toBe(200);
    expect((await approver.vote(id, 'accept', {})).status).toBe(200);
    expect(JSON.parse(textOf(await calling))).toEqual({ amount: edited ?? asked });
  }
});
