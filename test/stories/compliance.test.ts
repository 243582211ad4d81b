import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import { callTool, findRequest, startMcpServer, textOf } from '../sdk/mcp/peers.ts';
import { until } from '../support/poll.ts';
import { startTestServer } from '../support/nodes/server.ts';

/** An action that law allows only with a reason and a code, and with a record of who allowed it. */
const form = z.object({
  reasoning: z.string().min(50).describe('Why this record is needed'),
  approvalCode: z
    .string()
    .refine((code) => /^IRB-\d{4}-\d{2}$/.test(code), 'Must be of the form IRB-1234-56.')
    .describe('As on the approval of the review board'),
});
const reasoning = 'The trial protocol asks for the blood values of the last six months.';

let ledger: string[];
const server = await startTestServer();
const approver = await server.newUser('approver');
const principal = () => ({ subject: 'dr-grey', verified: true });
const mcp = await startMcpServer(
  (tools) =>
    tools.registerTool('read_record', { inputSchema: { patient: z.string() } }, async ({ patient }, { elicit }) => {
      const message = `Read the record of patient ${patient}? Your decision is kept in the audit log.`;
      const { status, content } = await elicit(message, form, { approval: true });
      if (status !== 'accept') return { content: [{ type: 'text', text: `Not read (${status}).` }] };
      ledger.push(`${patient} under ${content.approvalCode}`);
      return { content: [{ type: 'text', text: `Read, and logged for compliance.` }] };
    }),
  { url: server.url, apiKey: await server.newServerKey('clinic'), principal },
);
afterAll(async () => {
  await mcp.stop();
  await server.stop();
});
beforeEach(() => void (ledger = []));

interface LoggedEntry {
  body: Record<string, unknown>;
  leaf: string;
  expectedLeaf: string;
}

async function logOf(id: string): Promise<LoggedEntry[]> {
  const client = new pg.Client({ connectionString: server.databaseUrl });
  await client.connect();
  const sql = 'SELECT body, leaf_hash FROM audit_entry WHERE elicitation_id = $1 ORDER BY seq';
  const { rows } = await client.query<{ body: Buffer; leaf_hash: Buffer }>(sql, [id]);
  await client.end();
  return rows.map(({ body, leaf_hash: leaf }) => ({
    body: JSON.parse(body.toString()) as Record<string, unknown>,
    leaf: leaf.toString('hex'),
    expectedLeaf: createHash('sha256').update(Buffer.of(0)).update(body).digest('hex'),
  }));
}

test('E-66, E-68: an approval is logged with who, what, when and from where to where, under a SHA-256 hash', async () => {
  const call = callTool(await mcp.connect(), 'read_record', { patient: 'P-7' });
  const { id } = await findRequest(approver, 'Read the record of patient P-7? Your decision is kept in the audit log.');
  const { digest, requester } = await approver.show(id);
  expect(requester).toMatchObject({ subject: 'dr-grey', verified: true });
  expect((await approver.vote(id, 'accept', { reasoning, approvalCode: 'IRB-2041-07' })).ok).toBe(true);
  expect(textOf(await call)).toBe('Read, and logged for compliance.');
  expect(ledger).toEqual(['P-7 under IRB-2041-07']);
  const log = await logOf(id);
  expect(log.find(({ body }) => body['type'] === 'elicitation.voted')?.body).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    actor: { kind: 'user', id: approver.id },
    elicitation: id,
    action: 'accept',
    seen: digest,
    from: 'open',
    to: 'accepted',
  });
  expect(log.map(({ leaf }) => leaf)).toEqual(log.map(({ expectedLeaf }) => expectedLeaf));
  const { answer } = (await approver.show(id)) as { answer?: unknown };
  expect(answer).toEqual({ reasoning, approvalCode: 'IRB-2041-07' }); // sealed next to the log, and shown to who may see it
});

test('E-60: too short a reason is refused, and the request stays open', async () => {
  const leaving = new AbortController();
  const call = callTool(await mcp.connect(), 'read_record', { patient: 'P-8' }, { signal: leaving.signal });
  const { id } = await findRequest(approver, 'Read the record of patient P-8? Your decision is kept in the audit log.');
  const refused = await approver.vote(id, 'accept', { reasoning: 'Because.', approvalCode: 'IRB-2041-07' });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { errors: [{ path: ['content', 'reasoning'], message: 'Must be at least 50 characters.' }] },
  ]);
  expect((await approver.show(id)).status).toBe('open');
  leaving.abort();
  await expect(call).rejects.toThrow();
  expect(ledger).toEqual([]);
});

test('E-61: a code of another shape, which no MCP form can say, is refused by the tool’s own schema', async () => {
  const call = callTool(await mcp.connect(), 'read_record', { patient: 'P-9' });
  const { id } = await findRequest(approver, 'Read the record of patient P-9? Your decision is kept in the audit log.');
  expect((await approver.vote(id, 'accept', { reasoning, approvalCode: 'IRB-7' })).ok).toBe(true);
  const result = await call;
  expect(result).toMatchObject({ isError: true, _meta: { code: 'INVALID_INPUT' } });
  const details = [{ path: ['approvalCode'], message: 'Must be of the form IRB-1234-56.' }];
  expect(textOf(result)).toBe(
    'Invalid elicitation result content: the answer was recorded but fails the tool’s own validation. ' +
      `The tool did not use it; call again to ask again.\nDetails: ${JSON.stringify(details)}`,
  );
  expect(ledger).toEqual([]);
  await until(async () => (await logOf(id)).length === 5); // settled once the caller's transport has the result
  const types = (await logOf(id)).map(({ body }) => body['type']);
  // The one execution is taken to be given up, so that no other attempt can use it.
  const givenUp = ['call.claimed', 'call.completed', 'call.settled'];
  expect(types).toEqual(['elicitation.opened', 'elicitation.voted', ...givenUp]);

  const again = callTool(await mcp.connect(), 'read_record', { patient: 'P-9' });
  const anew = await findRequest(approver, 'Read the record of patient P-9? Your decision is kept in the audit log.');
  expect(anew.id).not.toBe(id);
  expect((await approver.vote(anew.id, 'accept', { reasoning, approvalCode: 'IRB-2041-07' })).ok).toBe(true);
  expect(textOf(await again)).toBe('Read, and logged for compliance.');
  expect(ledger).toEqual(['P-9 under IRB-2041-07']);
});

test('E-64: a refusal is logged as one, and nothing is done', async () => {
  const call = callTool(await mcp.connect(), 'read_record', { patient: 'P-10' });
  const { id } = await findRequest(
    approver,
    'Read the record of patient P-10? Your decision is kept in the audit log.',
  );
  await approver.vote(id, 'decline');
  expect(textOf(await call)).toBe('Not read (decline).');
  expect(ledger).toEqual([]);
  const types = (await logOf(id)).map(({ body }) => [body['type'], body['to']]);
  expect(types.slice(0, 2)).toEqual([
    ['elicitation.opened', 'open'],
    ['elicitation.voted', 'declined'],
  ]);
});
