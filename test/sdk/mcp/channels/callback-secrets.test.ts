import { afterAll, expect, test } from '@jest/globals';
import { ElicitRequestSchema, type ElicitRequestURLParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { MintedToken } from '#sdk/client/client';
import { tokensIn } from '#platform/text/visible-text';
import { openReceiver, reach } from '../../../notify/receiver.ts';
import { readEverything } from '../../../support/databases/table-contents.ts';
import { startTwoNodes } from '../../../support/nodes/two-nodes.ts';
import { leaveBy, newVisitor, type Visitor } from '../../../support/nodes/visitor.ts';
import { until } from '../../../support/poll.ts';
import { callTool, startMcpServer, textOf } from '../peers.ts';

const paid = z.object({ payment: z.string() });
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });

const receiver = await openReceiver();
const two = await startTwoNodes({ webhooks: reach });
const [node, other] = two.nodes;
let minted: MintedToken | undefined;
const mcp = await startMcpServer(
  (tools) => {
    tools.registerTool('pay', {}, async ({ elicit, sessionId }) => {
      minted = await tools.generateElicitationToken(sessionId);
      const url = `https://pay.example/session?reference=${minted.token}`;
      const answer = await elicit('Pay 100 EUR', paid, { url, elicitationId: minted, completedBy: 'requester' });
      return say(answer.status === 'accept' ? `paid: ${answer.content.payment}` : answer.status);
    });
    tools.registerTool(
      'leak',
      { inputSchema: { encoded: z.boolean() } },
      async ({ encoded }, { elicit, sessionId }) => {
        const { token, callbackUrl } = await tools.generateElicitationToken(sessionId);
        const back = encoded ? encodeURIComponent(callbackUrl ?? '') : callbackUrl;
        return say((await elicit('Pay', `https://pay.example/?back=${back}`, { elicitationId: token })).status);
      },
    );
  },
  { url: node.url, apiKey: await node.newServerKey('shop') },
);
afterAll(async () => {
  await mcp.stop();
  await two.stop();
  await receiver.stop();
});

test('nothing that a client, browser, administrator or other service can read reports a result', async () => {
  await node.webhooks.add(receiver.url);
  const admin = await node.newUser('admin');
  const read: string[] = [];
  const client = await mcp.connect(() => ({ action: 'accept' }), { elicitation: { form: {}, url: {} } });
  const received = client.transport?.onmessage;
  if (client.transport)
    client.transport.onmessage = (message, extra) => {
      read.push(JSON.stringify(message));
      received?.(message, extra);
    };
  const requests: ElicitRequestURLParams[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    requests.push(params as ElicitRequestURLParams);
    return { action: 'accept' };
  });
  const call = callTool(client, 'pay');
  const { url, message } = await until(() => requests[0]);
  const visitor = newVisitor();
  read.push(await leaveBy(keeping(visitor, read), url, /code (\d{3} \d{3})/.exec(message)?.[1] ?? ''));
  read.push(...visitor.cookies.values());

  const [id = ''] = (await two.query('SELECT id FROM elicitation')) as string[];
  await admin.call('POST', `/api/elicitations/${id}/look`, { reason: 'To see what is requests.' });
  for (const path of [`elicitations/${id}`, 'elicitations?view=all', 'audit/entries', `audit/requests/${id}`])
    await admin.call('GET', `/api/${path}`).then(async (shown) => read.push(await shown.text()));
  expect(read.join('')).toContain('https://pay.example/session?reference=');
  read.push(JSON.stringify(receiver.received.map(({ path, headers, body }) => ({ path, headers, body }))));
  read.push(await readEverything(node.databaseUrl));

  const { callbackUrl } = minted ?? {};
  const secret = callbackUrl?.split('/').at(-1) ?? '';
  const candidates = new Set([...tokensIn(minted?.token ?? ''), ...read.flatMap(candidatesIn)]);
  expect([candidates.size > 20, candidates.has(secret), candidates.has(minted?.token ?? '')]).toEqual([
    true,
    false,
    true,
  ]);
  const content = { payment: 'pi_forged' };
  const completedBy = { subject: 'client:agent' };
  const before = await two.query('SELECT to_json(e) FROM elicitation e');
  const answers = new Set<string>();
  for (const candidate of candidates)
    for (const { url: base } of [node, other]) {
      const door = `${base}/callback/${encodeURIComponent(candidate)}`;
      const response = await fetch(door, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content, completedBy }),
      });
      const { code } = (await response.json()) as { code: string };
      answers.add(`${response.status} ${code}`);
    }
  expect([...answers]).toEqual(['400 token-invalid']);
  expect(await two.query('SELECT to_json(e) FROM elicitation e')).toEqual(before);

  const right = await fetch(callbackUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content: { payment: 'pi_1' }, completedBy }),
  });
  expect([right.status, textOf(await call)]).toEqual([200, 'paid: pi_1']);
});

/** Every token, and every other text without spaces that could be one. */
const candidatesIn = (text: string): string[] => [
  ...tokensIn(text),
  ...(text.match(/[\w.~+=-]{16,4096}/g) ?? []).filter((word) => !/^[-=.]+$/.test(word)).slice(0, 300),
];

/** The visitor, with each page it sees kept. */
const keeping = (visitor: Visitor, pages: string[]): Visitor => ({
  ...visitor,
  get: async (url) => {
    const shown = await visitor.get(url);
    pages.push(shown.html, JSON.stringify([...shown.headers]));
    return shown;
  },
});

test.each([true, false])('an address with the callback in it reaches no one, encoded: %s', async (encoded) => {
  const client = await mcp.connect(() => ({ action: 'accept' }), { elicitation: { form: {}, url: {} } });
  const before = await two.query('SELECT id FROM elicitation');
  expect(await callTool(client, 'leak', { encoded })).toMatchObject({
    isError: true,
    _meta: { code: 'INVALID_INPUT' },
  });
  expect(await two.query('SELECT id FROM elicitation')).toEqual(before);
});
