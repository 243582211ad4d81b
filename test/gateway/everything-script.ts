import { expect } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { until } from '../support/poll.ts';
import { withoutOwn, type Pipe, type SeenFrame } from './peers.ts';

/** The command of server-everything. */
export const everything: [string, string] = [
  process.execPath,
  fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js')),
];

/** Everything a client of 2025 can do with a server. */
export async function runScript(pipe: Pipe): Promise<string[]> {
  const client = makeAbleClient();
  await client.connect(pipe as unknown as Transport);
  const isReady = () => pipe.seen.some(({ method }) => method === 'notifications/tools/list_changed');
  await until(isReady); // some of its tools come when it knows the client
  await until(() => pipe.seen.some(({ method }) => method === 'roots/list'));
  const { tools } = await client.listTools();
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  const { resources } = await client.listResources();
  await client.listResourceTemplates();
  const uri = resources[0]?.uri ?? '';
  await client.readResource({ uri });
  await client.subscribeResource({ uri });
  await client.unsubscribeResource({ uri });
  const { prompts } = await client.listPrompts();
  for (const { name, arguments: args = [] } of prompts) {
    const input = Object.fromEntries(args.map((argument) => [argument.name, '1']));
    await client.getPrompt({ name, arguments: input }).catch(() => {});
  }
  const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' };
  await client.complete({ ref, argument: { name: 'department', value: 'E' } });
  await client.setLoggingLevel('error');
  await client.ping();
  const calls: [string, Record<string, unknown>][] = [
    ['echo', { message: 'hello \u2028 Zoë 🙂' }],
    ['get-sum', { a: 1.5, b: -2 }],
    ['get-sum', { a: 'x' }],
    ['get-tiny-image', {}],
    ['get-structured-content', { location: 'Chicago' }],
    ['get-annotated-message', { messageType: 'error', includeImage: true }],
    ['get-resource-links', { count: 3 }],
    ['get-roots-list', {}],
    ['trigger-elicitation-request', {}],
    ['trigger-sampling-request', { prompt: 'Say hello.', maxTokens: 5 }],
  ];
  for (const [name, args] of calls) {
    if (has(name)) await client.callTool({ name, arguments: args }).catch(() => {});
  }
  const slow = { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
  await client.callTool(slow, undefined, { onprogress: () => {} });
  const cancelling = new AbortController();
  const cancelled = client.callTool({ ...slow, arguments: { duration: 20, steps: 1 } }, undefined, cancelling);
  setTimeout(() => cancelling.abort(), 500);
  await cancelled.catch(() => {});
  await client.notification({ method: 'notifications/roots/list_changed' });
  await expect(client.request({ method: 'no/such' } as never, {} as never)).rejects.toThrow();
  await client.ping();
  await pipe.close();
  return sorted(pipe.seen);
}

/** What the client's side was sent: answers by id, then notifications and requests, without what differs by itself. */
function sorted(frames: SeenFrame[]): string[] {
  const texts = frames
    .filter(({ method }) => method !== 'notifications/message') // random in time and content
    .map(({ id, method, params, result, error }) => {
      const own = method === undefined ? id : null; // the server's own requests have ids of their own
      return JSON.stringify({ id: own, method, params, result: withoutOwnTool(result), error });
    });
  return texts
    .map((text) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}/g, 'X'))
    .map(withoutServerName)
    .toSorted();
}

/** The gateway says which server asks a question. */
export const withoutServerName = (text: string): string => text.replaceAll(/Server \\"\w+\\": /g, '');

function withoutOwnTool(result: SeenFrame['result']): SeenFrame['result'] {
  const { tools } = result ?? {};
  if (!Array.isArray(tools)) return result;
  return { ...result, tools: withoutOwn(tools as { name: string }[]) };
}

function makeAbleClient(): Client {
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
  const client = new Client({ name: 'script', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
  }));
  return client;
}
