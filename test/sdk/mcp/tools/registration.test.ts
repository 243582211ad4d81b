import { describe, expect, test } from '@jest/globals';
import { McpServer as McpServer2, type RegisteredTool } from '@modelcontextprotocol/server';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { createClient } from '#sdk/client/client';
import { assentry, type AssentryOptions } from '#sdk/mcp/assentry';
import { assentry as assentry2 } from '#sdk/mcp/assentry-v2';
import { serveBothEras } from '../../../../examples/serve-both-eras.ts';
import { connectV2 } from '../../mcp-v2/peers.ts';

const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'asn_no-one-is-asked' });
const implementation = { name: 'accounts', version: '1.0.0' };
const registered = (options: object = {}) => assentry(new McpServer(implementation), { client, ...options });
/** As code without types calls it. */
type Untyped = { registerTool(name: string, config: object, handler: () => Promise<unknown>): unknown };
const run = async () => ({ content: [] });

describe('a handler', () => {
  test.each<[string, object, string[]]>([
    ['no schema', {}, ['context']],
    ['a shape without fields', { inputSchema: {} }, ['{}', 'context']],
    ['an object without fields', { inputSchema: z.object({}) }, ['{}', 'context']],
    ['a shape', { inputSchema: { id: z.string() } }, ['{"id":"7"}', 'context']],
    ['a shape of zod 3', { inputSchema: { id: z3.string() } }, ['{"id":"7"}', 'context']],
    ['an object', { inputSchema: z.object({ id: z.string().transform(Number) }) }, ['{"id":7}', 'context']],
    ['a union', { inputSchema: z.union([z.object({ id: z.string() }), z.object({})]) }, ['{"id":"7"}', 'context']],
  ])('of a tool with %s gets what the SDK gives it, and elicit', async (_what, config, expected) => {
    const mcp = new McpServer(implementation);
    const parts: string[] = [];
    (assentry(mcp, { client }) as Untyped).registerTool('look', config, async (...parameters: unknown[]) => {
      for (const each of parameters) parts.push(hasElicit(each) ? 'context' : JSON.stringify(each));
      return run();
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const caller = new Client(implementation);
    await Promise.all([mcp.connect(far), caller.connect(near)]);
    await caller.callTool({ name: 'look', arguments: { id: '7' } });
    expect(parts).toEqual(expected);
    await caller.close();
  });

  test('of the second SDK gets them also for a shape of fields, and if it replaces another', async () => {
    const mcp = new McpServer2(implementation);
    const own = assentry2(mcp, { client }) as unknown as Untyped;
    const tool = own.registerTool('look', { inputSchema: { id: z.string() } }, run) as RegisteredTool;
    let parts: unknown[] = [];
    tool.update({
      callback: async (...parameters: unknown[]) => {
        parts = parameters;
        return run();
      },
    });
    const host = await serveBothEras(() => mcp, 0);
    const caller = await connectV2(host.url);
    await caller.callTool({ name: 'look', arguments: { id: '7' } });
    expect([parts[0], hasElicit(parts[1])]).toEqual([{ id: '7' }, true]);
    await caller.close();
    await host.close();
  });

  const hasElicit = (value: unknown): boolean => typeof (value as { elicit?: unknown }).elicit === 'function';
});

describe('code without types is refused, because its tool would run without asking,', () => {
  const both: [string, () => Untyped][] = [
    ['v1', () => registered() as Untyped],
    ['v2', () => assentry2(new McpServer2(implementation), { client }) as Untyped],
  ];

  test.each(
    both.flatMap(([sdk, tools]) =>
      ['aproval', 'Approval', 'requiresApproval'].map((key) => [key, sdk, tools] as const),
    ),
  )('if it writes %s (%s)', (key, _sdk, tools) =>
    expect(() => tools().registerTool('pay', { [key]: true }, run)).toThrow(
      `Write approval: true for the tool pay, not ${key}.`,
    ),
  );

  test.each(both)('if approval is neither true nor false (%s)', (_sdk, tools) =>
    expect(() => tools().registerTool('pay', { approval: 'always' }, run)).toThrow(
      'Write approval: true for the tool pay, not approval: "always".',
    ),
  );

  test.each<[string, (mcp: never) => unknown, new (info: typeof implementation) => object]>([
    ['v1', (mcp) => assentry(mcp, { client }), McpServer],
    ['v2', (mcp) => assentry2(mcp, { client }), McpServer2],
  ])('if it registers the tool past assentry() (%s)', (_sdk, wrap, Server) => {
    const mcp = new Server(implementation);
    wrap(mcp as never);
    expect(() => (mcp as Untyped).registerTool('pay', { approval: true }, run)).toThrow(
      'Register pay with the registerTool that assentry() returns',
    );
    expect(() => (mcp as Untyped).registerTool('look', {}, run)).not.toThrow();
  });
});

test.each<[object, string]>([
  [{ withoutElicitaton: 'deny' }, 'assentry(): There is no option withoutElicitaton. Did you mean withoutElicitation?'],
  [{ withoutElicitation: 'no' }, 'Give withoutElicitation as link, relay, deny.'],
])('assentry() refuses %j', (options, message) =>
  expect(() => registered(options as AssentryOptions)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message }),
  ),
);
