import { afterAll, describe, expect, test } from '@jest/globals';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { assentry } from '#sdk/mcp/assentry';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { textOf } from './peers.ts';

const preferences = z.object({
  newsletter: z.boolean().describe('Send the newsletter?'),
  theme: z.string().default('light'),
});
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
interface Frame {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

const server = await startTestServer();
afterAll(() => server.stop());
const apiKey = await server.newServerKey('wire');

/** A client written by hand: nothing between the test and the frames. */
async function connect(capabilities: object, protocolVersion = '2025-11-25') {
  const mcp = new McpServer({ name: 'shop', version: '1.0.0' });
  const tools = assentry(mcp, { url: server.url, apiKey, withoutElicitation: 'deny' });
  tools.registerTool('prefer', {}, async ({ elicit }) => {
    const answer = await elicit('How do you like it?', preferences);
    return say(answer.status === 'accept' ? JSON.stringify(answer.content) : answer.status);
  });
  tools.registerTool('pay', {}, async ({ elicit }) => say((await elicit('Pay here', 'https://pay.example/1')).status));
  const [near, far] = InMemoryTransport.createLinkedPair();
  const heard: Frame[] = [];
  const send = (frame: object) => near.send({ jsonrpc: '2.0', ...frame } as JSONRPCMessage);
  near.onmessage = (frame) => {
    heard.push(frame as Frame);
    if ('method' in frame && frame.method === 'ping' && 'id' in frame) void send({ id: frame.id, result: {} });
  };
  await Promise.all([mcp.connect(far), near.start()]);
  const clientInfo = { name: 'hand', version: '1.0.0' };
  await send({
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion, capabilities, clientInfo },
  });
  await until(() => heard.find(({ id }) => id === 'hello'));
  await send({ method: 'notifications/initialized' });
  return {
    heard,
    call: (name: string) => send({ id: 'call', method: 'tools/call', params: { name, arguments: {} } }),
    asked: (times = 1) => until(() => heard.filter(({ method }) => method === 'elicitation/create').at(times - 1)),
    reply: ({ id }: Frame, result: object) => send({ id, result }),
    result: async () => (await until(() => heard.find(({ id }) => id === 'call'))).result as CallToolResult,
    close: () => mcp.close(),
  };
}

describe('elicitation/create', () => {
  test.each([{ action: 'approve' }, {}, { action: 7, content: {} }])(
    'a reply that is no answer, %j, is told as that, and decides nothing',
    async (reply) => {
      const client = await connect({ elicitation: {} });
      await client.call('prefer');
      await client.reply(await client.asked(), reply);
      expect(textOf(await client.result())).toBe(
        'The client could not ask its person: it answered no accept, decline or cancel.',
      );
      await client.close();
    },
  );

  test.each(['2025-06-18', '2025-11-25'])(
    'P-30, G-09: of a form carries message and requestedSchema, and leaves the mode out, in revision %s',
    async (revision) => {
      const client = await connect({ elicitation: {} }, revision);
      await client.call('prefer');
      const question = await client.asked();
      expect(question).toEqual({
        jsonrpc: '2.0',
        id: expect.anything(),
        method: 'elicitation/create',
        params: {
          message: 'How do you like it?',
          requestedSchema: {
            type: 'object',
            properties: {
              newsletter: { type: 'boolean', description: 'Send the newsletter?' },
              theme: { type: 'string', default: 'light' },
            },
            required: ['newsletter'],
          },
        },
      });
      await client.close();
    },
  );

  test('P-33, M-48: of an address carries mode, message, url and an id made here', async () => {
    const client = await connect({ elicitation: { form: {}, url: {} } });
    await client.call('pay');
    const { params } = await client.asked();
    const elicitationId = expect.stringMatching(/^eli_[\w-]{22}$/);
    const message = expect.stringMatching(/^Pay here\nThe page asks for the code \d{3} \d{3}$/);
    expect(params).toEqual({ mode: 'url', message, url: expect.stringMatching(/\/go\/v1\./), elicitationId });
    await client.close();
  });

  test.each([
    ['nothing', {}],
    ['forms only, for an address', { elicitation: { form: {} } }],
  ])('F-90: is not sent to a client that declared %s', async (_what, capabilities) => {
    const client = await connect(capabilities);
    await client.call('pay');
    expect(await client.result()).toMatchObject({ isError: true, _meta: { code: 'ELICITATION_NOT_SUPPORTED' } });
    expect(client.heard.map(({ method }) => method)).not.toContain('elicitation/create');
    await client.close();
  });
});

describe('its answer, under the same id', () => {
  test.each([
    ['accept with content', { action: 'accept', content: { newsletter: true } }, '{"newsletter":true,"theme":"light"}'],
    ['decline', { action: 'decline' }, 'decline'],
    ['decline that brings more', { action: 'decline', content: { newsletter: 1 }, validationError: 'x' }, 'decline'],
    ['cancel', { action: 'cancel' }, 'cancel'],
    ['accept with data', { action: 'accept', data: { newsletter: true } }, '{"newsletter":true,"theme":"light"}'],
    [
      'accept with both',
      { action: 'accept', content: { newsletter: true }, data: { newsletter: false } },
      '{"newsletter":true,"theme":"light"}',
    ],
  ])('P-34, M-55, M-59: is heard by the tool: %s', async (_what, answer, text) => {
    const client = await connect({ elicitation: {} });
    await client.call('prefer');
    await client.reply(await client.asked(), answer);
    expect(textOf(await client.result())).toBe(text);
    await client.close();
  });

  test.each([
    ['another action', { action: 'approve', content: { newsletter: true } }],
    ['no action', { content: { newsletter: true } }],
  ])('G-33: that is none ends the tool with an error: %s', async (_what, answer) => {
    const client = await connect({ elicitation: {} });
    await client.call('prefer');
    await client.reply(await client.asked(), answer);
    expect((await client.result()).isError).toBe(true);
    await client.close();
  });

  test('X-14: that does not fit is asked for again, under another id', async () => {
    const client = await connect({ elicitation: {} });
    await client.call('prefer');
    const first = await client.asked();
    await client.reply(first, { action: 'accept', content: ['newsletter'] });
    const second = await client.asked(2);
    expect(second.id).not.toBe(first.id);
    expect(second.params).toEqual({
      ...first.params,
      message: 'How do you like it?\nThe answer does not fit yet.\nExpected object, received array',
    });
    await client.reply(second, { action: 'accept', content: { newsletter: true } });
    expect(textOf(await client.result())).toBe('{"newsletter":true,"theme":"light"}');
    await client.close();
  });
});
