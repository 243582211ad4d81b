import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  UrlElicitationRequiredError,
  type ElicitRequestURLParams,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { MintedToken } from '#sdk/client/client';
import { until } from '../../../support/poll.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { leaveBy, letIn, newVisitor } from '../../../support/nodes/visitor.ts';
import { callTool, pendingOf, startMcpServer, textOf, type McpPeer } from '../peers.ts';

const granted = z.object({ username: z.string(), scope: z.array(z.string()) });
const content = { username: 'ada', scope: ['repo'] };
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

let minted: MintedToken[];

const server = await startTestServer();
const register: Parameters<typeof startMcpServer>[0] = (tools) => {
  tools.registerTool('hosted', {}, async ({ elicit }) => {
    const answer = await elicit('How many?', z.object({ seats: z.int() }), { mode: 'url' });
    return say(answer.status === 'accept' ? `seats ${answer.content.seats}` : answer.status);
  });
  tools.registerTool('plain', {}, async ({ elicit }) => say((await elicit('Pay', 'https://pay.example/1')).status));
  const inputSchema = { throwUrlRequired: z.boolean(), completedBy: z.literal('requester').optional() };
  tools.registerTool('connect', { inputSchema }, async ({ throwUrlRequired, completedBy }, { elicit, sessionId }) => {
    const token = await tools.generateElicitationToken(sessionId, { ttl: 300_000 });
    minted.push(token);
    const url = `https://github.example/login?state=${token.token}`;
    const bound = completedBy && { completedBy };
    const options = { url, elicitationId: token, mode: 'url', throwUrlRequired, ...bound } as const;
    const answer = await elicit('Connect', granted, options);
    return say(answer.status === 'accept' ? JSON.stringify(answer.content) : answer.status);
  });
};
const connection = { url: server.url, apiKey: await server.newServerKey('github') };
const mcp = await startMcpServer(register, connection);
const impatient = await startMcpServer(register, { ...connection, holdTimeoutMs: 300 });
afterAll(async () => {
  await mcp.stop();
  await impatient.stop();
  await server.stop();
});
beforeEach(() => void (minted = []));

interface UrlClient {
  client: Client;
  asked: ElicitRequestURLParams[];
  done: string[];
}

async function connect(peer: McpPeer, reply: () => ElicitResult | Promise<ElicitResult>): Promise<UrlClient> {
  const client = await peer.connect(reply, { elicitation: { form: {}, url: {} } });
  const result: UrlClient = { client, asked: [], done: [] };
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    result.asked.push(params as ElicitRequestURLParams);
    return reply();
  });
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
    result.done.push(params.elicitationId);
  });
  return result;
}
const agree = (): ElicitResult => ({ action: 'accept' });
const report = (url: string | null | undefined, body: unknown): Promise<Response> =>
  fetch(url ?? '', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const codeIn = (message: string): string => /code (\d{3} \d{3})/.exec(message)?.[1] ?? '';
const leadsTo = (token: MintedToken | undefined): string => `https://github.example/login?state=${token?.token}`;

describe('URL mode at a client that declared it', () => {
  test('shows the hosted page and its code; the accept is only consent, the page brings the answer', async () => {
    const { client, asked: request, done } = await connect(mcp, agree);
    const other = await connect(mcp, agree);
    let isOver = false;
    const call = callTool(client, 'hosted').finally(() => (isOver = true));
    const { url, message, mode, elicitationId } = await until(() => request[0]);
    expect([mode, url.startsWith(`${server.url}/e/`)]).toEqual(['url', true]);
    const visitor = newVisitor();
    await letIn(visitor, url, codeIn(message));
    expect([isOver, done]).toEqual([false, []]);
    await visitor.send(url, { action: 'accept', 'field.seats': '3' });
    expect(textOf(await call)).toBe('seats 3');
    await until(() => done.length > 0);
    expect([done, other.done]).toEqual([[elicitationId], []]);
  });

  test('goes to the given address under its token; the callback brings the result', async () => {
    const { client, asked: request, done } = await connect(mcp, agree);
    const call = callTool(client, 'connect', { throwUrlRequired: false });
    await until(() => request[0]);
    const [token] = minted;
    const { url = '', message = '' } = request[0] ?? {};
    expect(request[0]).toMatchObject({ elicitationId: token?.token });
    expect(message).toMatch(/^Connect\nThe page asks for the code \d{3} \d{3}$/);
    const address = await leaveBy(newVisitor(), url, codeIn(message));
    expect([url.startsWith(`${server.url}/go/`), address]).toEqual([true, leadsTo(token)]);
    expect((await report(token?.callbackUrl, { content: { username: 'ada' } })).status).toBe(400);
    expect((await report(token?.callbackUrl, { content })).status).toBe(200);
    expect(JSON.parse(textOf(await call))).toEqual(content);
    expect(done).toEqual([token?.token]);
  });

  test('CB-02: is completed by the requester alone if the tool asks for that', async () => {
    const { client, asked: request } = await connect(mcp, agree);
    const call = callTool(client, 'connect', { throwUrlRequired: false, completedBy: 'requester' });
    await until(() => request[0]);
    const by = (subject: string) => report(minted[0]?.callbackUrl, { content, completedBy: { subject } });
    const { url = '', message = '' } = request[0] ?? {};
    expect((await by('client:agent')).status).toBe(403); // no one has been at the page yet
    await leaveBy(newVisitor(), url, codeIn(message));
    expect((await by('client:mallory')).status).toBe(403);
    expect((await report(minted[0]?.callbackUrl, { content })).status).toBe(400);
    expect((await by('client:agent')).status).toBe(200);
    expect(JSON.parse(textOf(await call))).toEqual(content);
  });

  test.each(['decline', 'cancel'] as const)('may be answered with %s, which closes it', async (action) => {
    const { client, done } = await connect(mcp, () => ({ action }));
    expect(textOf(await callTool(client, 'plain'))).toBe(action);
    expect(done).toEqual([]);
  });

  test('ends with a pending result when holdTimeoutMs does; the same call is not asked again and finds it', async () => {
    const { client, asked: request } = await connect(impatient, agree);
    const first = await callTool(client, 'connect', { throwUrlRequired: false });
    expect(pendingOf(first)).toMatchObject({ message: 'Connect', url: request[0]?.url });
    expect((await report(minted[0]?.callbackUrl, { content })).status).toBe(200);
    expect(JSON.parse(textOf(await callTool(client, 'connect', { throwUrlRequired: false })))).toEqual(content);
    expect(request).toHaveLength(1);
  });
});

test('throwUrlRequired raises -32042 with the address, and the retried call finds the outcome', async () => {
  const { client, asked: request, done } = await connect(mcp, agree);
  const other = await connect(mcp, agree);
  const error: unknown = await callTool(client, 'connect', { throwUrlRequired: true }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UrlElicitationRequiredError);
  const { code, elicitations } = error as UrlElicitationRequiredError;
  const [token] = minted;
  const [{ url, message, ...rest } = { url: '', message: '' }] = elicitations;
  expect([code, rest]).toEqual([-32042, { mode: 'url', elicitationId: token?.token }]);
  expect(await leaveBy(newVisitor(), url, codeIn(message))).toBe(leadsTo(token));
  expect((await report(token?.callbackUrl, { content })).status).toBe(200);
  await until(() => done.length > 0); // although the call has ended
  expect([done, other.done]).toEqual([[token?.token], []]);
  expect(JSON.parse(textOf(await callTool(client, 'connect', { throwUrlRequired: true })))).toEqual(content);
  expect(request).toEqual([]);
});

test('a client without URL mode gets the connect page as a link, and is asked nothing', async () => {
  const client = await mcp.connect(agree, { elicitation: { form: {} } });
  const result = await callTool(client, 'plain');
  const { url, ...pending } = pendingOf(result) as unknown as { url: string };
  expect(pending).toMatchObject({ message: 'Pay' });
  const address = await leaveBy(newVisitor(), url, codeIn(textOf(result)));
  expect(address).toMatch(/^https:\/\/pay\.example\/1\?state=[\w-]{43}$/);
});

test.each([
  ['that calls again', 'plain'],
  ['that asks for the result', 'awaitElicitationResult'],
])('a client %s after wrong codes gets a link and a code that work in the same browser', async (_how, again) => {
  const client = await impatient.connect(agree, { elicitation: { form: {} } });
  const first = await callTool(client, 'plain');
  const { url, elicitId } = pendingOf(first) as unknown as { url: string; elicitId: string };
  const code = codeIn(textOf(first));
  const visitor = newVisitor();
  const { hidden } = await visitor.get(url);
  const wrong = String((Number(code.replace(' ', '')) + 1) % 1_000_000).padStart(6, '0');
  for (let tries = 0; tries < 5; tries += 1)
    await visitor.send(url, { action: 'prove', code: wrong, proof: hidden('proof') });
  expect((await visitor.get(url)).html).toContain('let the tool ask again in your MCP client');
  const second = await callTool(client, again, again === 'plain' ? {} : { elicitId });
  const renewed = pendingOf(second) as unknown as { url: string; elicitId: string };
  expect([renewed.elicitId, renewed.url === url, codeIn(textOf(second)) === code]).toEqual([elicitId, false, false]);
  expect(await leaveBy(visitor, renewed.url, codeIn(textOf(second)))).toMatch(/^https:\/\/pay\.example\/1/);
});

test('a token of another session opens no question, and one no one asked with reports to none', async () => {
  const strange = await startMcpServer(
    (tools) => {
      tools.registerTool('foreign', {}, async ({ elicit }) => {
        const token = await tools.generateElicitationToken('another session');
        minted.push(token);
        return say((await elicit('Connect', granted, { url: 'https://github.example/', elicitationId: token })).status);
      });
    },
    { url: server.url, apiKey: await server.newServerKey('strange') },
  );
  try {
    const { client, asked: request } = await connect(strange, agree);
    expect(await callTool(client, 'foreign')).toMatchObject({ isError: true, _meta: { code: 'token-invalid' } });
    expect(request).toEqual([]);
    expect((await report(minted[0]?.callbackUrl, { content })).status).toBeGreaterThanOrEqual(400);
  } finally {
    await strange.stop();
  }
});
