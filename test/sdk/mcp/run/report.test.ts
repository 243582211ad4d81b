import { afterEach, expect, jest, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { AssentryClient } from '#sdk/client/client';
import { assentry } from '#sdk/mcp/assentry';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { approve, fakeHuman } from '#sdk/testing/assentry-testing';

afterEach(() => void jest.useRealTimers());

test('a caller has its result after ten seconds of an outage, and Assentry learns of the end when it returns', async () => {
  const human = fakeHuman({ reply: approve() });
  let comeBack = (): void => {};
  const isBack = new Promise<void>((resolve) => (comeBack = resolve));
  const reports: string[] = [];
  const complete: AssentryClient['complete'] = async (call, completion, { signal } = {}) => {
    reports.push('begun');
    await isBack;
    signal?.throwIfAborted();
    await human.client.complete(call, completion);
    reports.push(completion.delivered ? 'delivered' : 'kept');
  };
  const mcp = new McpServer({ name: 'accounts', version: '1.0.0' });
  assentry(mcp, { client: { ...human.client, complete } }).registerTool('delete', { approval: true }, async () => ({
    content: [{ type: 'text', text: 'deleted' }],
  }));
  const client = new Client({ name: 'test', version: '1' });
  const [theirs, ours] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcp.connect(ours), client.connect(theirs)]);

  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  const calling = client.callTool({ name: 'delete' });
  while (reports.length === 0) await new Promise(setImmediate);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await calling).toMatchObject({ content: [{ text: 'deleted' }] });
  jest.useRealTimers();
  expect(reports.filter((word) => word !== 'begun')).toEqual([]);
  comeBack();
  await untilAllSettled();
  expect(reports).toContain('kept');
  await client.close();
});
