import { afterAll, expect, test } from '@jest/globals';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../examples/serve-both-eras.ts';
import { createClient } from '#sdk/client/client';
import { findRequest } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { startGate, startNotes } from './peers.ts';
import { post } from './raw-post.ts';

const open = closedAfterEach();

const server = await startTestServer();
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});

/** A gateway with a memory of its own; the address of the notes behind it. */
async function start(upstream = notes.url): Promise<string> {
  const gateway = await startGate({ client: assentry, upstream: { url: upstream } });
  open.push(() => gateway.close());
  return gateway.notes;
}

const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'confirm' };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const inputResponses = { sure: { action: 'accept', content: { sure: true } } };

/** Calls the tool that asks its client; what the gateway answered, as text. */
async function confirm(url: string, text: string, more: object = {}): Promise<string> {
  const params = { name: 'confirm', arguments: { text }, _meta: meta, ...more };
  return (await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).text();
}

/** The state of a call that people approved, and whose tool has asked for more. */
async function approvedState(url: string, text: string): Promise<string> {
  const first = confirm(url, text, { inputResponses }); // too early: they answer nothing
  const { id } = await findRequest(approver, 'Run confirm on notes?');
  await approver.vote(id, 'accept');
  const [, state = ''] = /"requestState":"([^"]+)"/.exec(await first) ?? [];
  expect(state).not.toContain('state of');
  return state;
}

const timesDone = (what: string): number => notes.done.filter((line) => line === what).length;

test('a state of a call that was approved continues it once, with the same arguments, at any node', async () => {
  const [first, second] = [await start(), await start()];
  const requestState = await approvedState(first, 'x');
  const answers = { requestState, inputResponses };
  expect(await confirm(second, 'y', answers)).toContain('token-invalid');
  expect(await confirm(second, 'x', answers)).toContain('confirmed x');
  for (const node of [first, second]) expect(await confirm(node, 'x', answers)).toContain('token-invalid');
  expect(timesDone('confirmed x with state of x')).toBe(1);
});

test('of many calls with one state at two nodes at once, one goes on', async () => {
  const nodes = [await start(), await start()] as const;
  const requestState = await approvedState(nodes[0], 'raced');
  const answers = { requestState, inputResponses };
  const all = await Promise.all(Array.from({ length: 8 }, (_, at) => confirm(nodes[at % 2 ? 0 : 1], 'raced', answers)));
  expect(all.filter((text) => text.includes('confirmed raced'))).toHaveLength(1);
  expect(all.filter((text) => text.includes('token-invalid'))).toHaveLength(7);
  expect(timesDone('confirmed raced with state of raced')).toBe(1);
});

test('a state goes on after every node has started again', async () => {
  const requestState = await approvedState(await start(), 'late');
  for (const close of open.splice(0)) await close();
  expect(await confirm(await start(), 'late', { requestState, inputResponses })).toContain('confirmed late');
});

test('a tool in another definition than the approved one does not go on', async () => {
  const requestState = await approvedState(await start(), 'changed');
  const signed: string[] = [];
  const changed = await serveBothEras(() => {
    const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
    const inputSchema = z.object({ text: z.string() });
    mcp.registerTool('confirm', { description: 'Signs.', inputSchema }, ({ text }) => {
      signed.push(text);
      return { content: [{ type: 'text', text: 'signed' }] };
    });
    return mcp;
  }, 0);
  open.push(() => changed.close());
  const answer = await confirm(await start(changed.url), 'changed', { requestState, inputResponses });
  expect(answer).toContain('digest-mismatch');
  expect(signed).toEqual([]);
});
