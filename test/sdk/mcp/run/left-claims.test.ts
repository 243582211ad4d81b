import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serveBothEras } from '../../../../examples/serve-both-eras.ts';
import { createApprovals } from '#sdk/agents/assentry-agents';
import { createClient } from '#sdk/client/client';
import { assentry, type AssentryTools } from '#sdk/mcp/assentry';
import { assentry as assentryV2 } from '#sdk/mcp/assentry-v2';
import { commandOf, startGate } from '../../../gateway/http/peers.ts';
import { notesServer, startWrapped, type WrappedServer } from '../../../gateway/peers.ts';
import { connectV2 } from '../../mcp-v2/peers.ts';
import { startClaimProxy, type ClaimProxy } from '../../../support/nodes/claim-proxy.ts';
import { claimStored } from '../../../support/nodes/asking.ts';
import { startTestServer } from '../../../support/nodes/server.ts';
import { callTool, findRequest, listRequests, makeClient, startMcpServer, textOf } from '../peers.ts';
import { drawn } from '../../../support/runs.ts';

const stops: (() => unknown)[] = [];

const server = await startTestServer();
const approver = await server.newUser();
const apiKey = await server.newServerKey('bank');
const proxy = await startClaimProxy(server.url);
afterAll(async () => {
  await server.stop();
  await proxy.stop();
});
afterEach(async () => {
  proxy.answer(null);
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** One connection of a caller to a tool that writes a note when it was approved. */
interface Door {
  /** Calls; resolves with what the caller gets, or null if it gets nothing. */
  call(text: string, signal?: AbortSignal): Promise<string | null>;
  /** What the tool has really done. */
  done(): string[];
  /** The caller goes away; by default it cancels its call. */
  leave?(): unknown;
  /** For the same call of a caller that came back. */
  again?(): Promise<Door>;
  message: string;
}

const options = () => ({ url: proxy.url, apiKey, retries: 1 });

const register = (tools: AssentryTools, done: string[]): void =>
  void tools.registerTool(
    'write_note',
    { inputSchema: z.object({ text: z.string() }), approval: true },
    async ({ text }) => {
      done.push(text);
      return { content: [{ type: 'text', text: `wrote ${text}` }] };
    },
  );

const callBy =
  (client: { callTool: (...more: never[]) => Promise<unknown> }): Door['call'] =>
  (text, signal) =>
    callTool(client as unknown as Client, 'write_note', { text }, signal && { signal }).then(textOf, () => null);

/** A client of the second SDK has two parameters. */
const callByV2 =
  (client: Awaited<ReturnType<typeof connectV2>>): Door['call'] =>
  (text, signal) =>
    client.callTool({ name: 'write_note', arguments: { text } }, { timeout: 25_000, ...(signal && { signal }) }).then(
      (result) => textOf(result as CallToolResult),
      () => null,
    );

async function overHttp(): Promise<Door & { client: Client }> {
  const done: string[] = [];
  const peer = await startMcpServer((tools) => register(tools, done), { client: createClient(options()) });
  stops.push(() => peer.stop());
  const connect = async (): Promise<Door & { client: Client }> => {
    const client = await peer.connect();
    return { client, call: callBy(client), done: () => done, again: connect, message: 'Run write_note?' };
  };
  return connect();
}

async function overStdio(done: string[] = []): Promise<Door & { client: Client }> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const mcp = new McpServer({ name: 'notes', version: '1.0.0' });
  register(assentry(mcp, { client: createClient(options()) }), done);
  await mcp.connect(new StdioServerTransport(stdin, stdout) as unknown as Parameters<typeof mcp.connect>[0]);
  const client = makeClient();
  await client.connect(lines(stdin, stdout));
  stops.push(() => client.close());
  return { client, call: callBy(client), done: () => done, again: () => overStdio(done), message: 'Run write_note?' };
}

function lines(stdin: PassThrough, stdout: PassThrough): Transport {
  const transport: Transport = {
    start: async () => {},
    send: async (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    async close() {
      stdin.end();
      transport.onclose?.();
    },
  };
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split('\n').slice(0, -1)) transport.onmessage?.(JSON.parse(line));
  });
  return transport;
}

async function onV2(mode: 'auto' | 'legacy'): Promise<Door> {
  const done: string[] = [];
  const host = await serveBothEras(() => {
    const mcp = new McpServerV2({ name: 'bank', version: '1.0.0' });
    register(assentryV2(mcp, { client: createClient(options()) }) as unknown as AssentryTools, done);
    return mcp;
  }, 0);
  const client = await connectV2(host.url, undefined, mode);
  stops.push(() => host.close());
  stops.push(() => client.close());
  return { call: callByV2(client), done: () => done, message: 'Run write_note?' };
}

async function wrapped(notes = notesServer()): Promise<Door & { pipe: WrappedServer }> {
  const pipe = startWrapped(notes.words, { client: createClient(options()) });
  stops.push(() => pipe.close());
  const client = makeClient();
  await client.connect(pipe as unknown as Parameters<Client['connect']>[0]);
  const again = () => wrapped(notes);
  return { pipe, call: callBy(client), done: () => wrote(notes.done()), again, message: 'Run write_note on notes?' };
}

const wrote = (done: string[]): string[] => done.map((line) => line.replace('wrote ', ''));

async function gate(mode: 'auto' | 'legacy'): Promise<Door> {
  const notes = notesServer();
  const gateway = await startGate({ client: createClient(options()), upstream: commandOf(notes.words) });
  stops.push(() => gateway.close());
  const client = await connectV2(gateway.notes, undefined, mode);
  stops.push(() => client.close());
  return { call: callByV2(client), done: () => wrote(notes.done()), message: 'Run write_note on notes?' };
}

const tool = { name: 'write_note', description: 'Writes a note.', schema: z.object({ text: z.string() }) };

async function byAgent(): Promise<Door> {
  const done: string[] = [];
  const approvals = createApprovals({ ...options(), session: randomUUID(), requester: { subject: 'agent' } });
  const write = (text: string): string => {
    done.push(text);
    return `wrote ${text}`;
  };
  return {
    call: (text, signal) =>
      approvals.run({ id: text, tool, input: { text } }, () => write(text), signal).catch(() => null),
    done: () => done,
    message: 'Run write_note?',
  };
}

const endSession = ({ client }: { client: Client }) =>
  (client.transport as StreamableHTTPClientTransport).terminateSession();

const leaving: [string, () => Promise<Door>][] = [
  ['assentry/mcp over HTTP cancels', overHttp],
  [
    'assentry/mcp over HTTP ends its session',
    async () => {
      const door = await overHttp();
      const end = async () => {
        await endSession(door);
        await door.client.close();
      };
      return { ...door, leave: end };
    },
  ],
  ['assentry/mcp over stdio cancels', overStdio],
  [
    'assentry/mcp over stdio closes the input',
    async () => {
      const door = await overStdio();
      return { ...door, leave: () => door.client.close() };
    },
  ],
  ['assentry/mcp-v2 of 2026-07-28 closes its stream', () => onV2('auto')],
  ['assentry/mcp-v2 of 2025 cancels', () => onV2('legacy')],
  ['assentry wrap cancels', wrapped],
  [
    'assentry wrap closes the input',
    async () => {
      const door = await wrapped();
      return { ...door, leave: () => void door.pipe.close() };
    },
  ],
  ['the gateway of 2026-07-28 closes its stream', () => gate('auto')],
  ['the gateway of 2025 cancels', () => gate('legacy')],
  ['assentry/agents aborts', byAgent],
];

async function accept(message: string): Promise<string> {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, 'accept', {})).status).toBe(200);
  return id;
}

const isOpen = async (): Promise<boolean> => (await listRequests(approver)).length > 0;

describe('while a part of its claim is held back', () => {
  const parts = ['request', 'response'] as const;
  const cases = parts.flatMap((part) => leaving.map(([name, open]) => ({ part, name, open })));
  const tried = drawn('left claims', cases, { values: ({ part, name }) => [part, name] });

  test.each(tried)('the $part, a caller of $name: nothing runs for it, and its next call runs once', async (way) => {
    const { part, open } = way;
    const door = await open();
    const left = new AbortController();
    const text = randomUUID();
    const call = door.call(text, left.signal);
    const claim = proxy.hold(part);
    await accept(door.message);
    await claim.reached;
    if (door.leave) await door.leave();
    else left.abort();
    claim.letGo();
    await call;
    const next = door.again ? await door.again() : door;
    expect(await next.call(text)).toBe(`wrote ${text}`);
    expect(door.done()).toEqual([text]);
    expect(await isOpen()).toBe(false);
  });
});

type OnClaim = NonNullable<Parameters<ClaimProxy['answer']>[0]>;

const refuse =
  (status: number, headers: Record<string, string> = {}): OnClaim =>
  async (_pass, response) => {
    response.writeHead(status, headers).end();
  };

/** The claim is taken, and its caller never gets to know. */
const lose =
  (after: OnClaim): OnClaim =>
  async (pass, response) => {
    (await pass()).resume();
    await after(pass, response);
  };

const cut: OnClaim = async (_pass, response) => void response.destroy();

const failures: [string, OnClaim][] = [
  ['is answered 503 again and again', refuse(503, { 'retry-after': '0' })],
  ['is taken, and the answer is 503', lose(refuse(503, { 'retry-after': '0' }))],
  ['is cut off', cut],
  ['is taken, and the answer is cut off', lose(cut)],
  ['is answered with a bare 409 by something in between', refuse(409)],
];

const doors: [string, () => Promise<Door>][] = [
  ['assentry/mcp', overHttp],
  ['assentry/mcp-v2', () => onV2('auto')],
  ['assentry wrap', wrapped],
  ['the gateway', () => gate('auto')],
  ['assentry/agents', byAgent],
];

const failing = doors.flatMap(([name]) => failures.map(([what, onClaim]) => ({ name, what, onClaim })));
const triedFailures = drawn('failed claims', failing, { values: ({ name, what }) => [name, what] });

describe.each(doors)('a claim of %s', (name, open) => {
  const ofDoor = triedFailures.filter((failure) => failure.name === name);

  test.each(ofDoor)('that $what: nothing runs, and the next call runs once', async ({ onClaim }) => {
    const door = await open();
    const text = randomUUID();
    proxy.answer(onClaim);
    const call = door.call(text);
    await accept(door.message);
    expect(await call).not.toBe(`wrote ${text}`);
    expect(door.done()).not.toContain(text);
    proxy.answer(null);
    expect(await door.call(text)).toBe(`wrote ${text}`);
    expect(door.done()).toEqual([text]);
    expect(await isOpen()).toBe(false);
  });

  test('that is limited waits until it is not, and runs once', async () => {
    const door = await open();
    const text = randomUUID();
    let refusals = 0;
    proxy.answer(async (pass, response) => {
      if ((refusals += 1) === 2) proxy.answer(null);
      (await pass()).resume(); // taken each time, and no one gets to know
      response.writeHead(429, { 'retry-after': '0' }).end();
    });
    const call = door.call(text);
    await accept(door.message);
    expect(await call).toBe(`wrote ${text}`);
    expect([door.done(), refusals]).toEqual([[text], 2]);
  });

  test('that finds the run of another process dead: nothing runs, and no one knows the outcome', async () => {
    const door = await open();
    const text = randomUUID();
    const claim = proxy.hold('request');
    const call = door.call(text);
    const id = await accept(door.message);
    await claim.reached;
    const client = createClient({ url: server.url, apiKey });
    const { toolCall } = await client.get(id);
    await claimStored(client, toolCall, 'another');
    proxy.answer(async (_pass, response) => {
      response.writeHead(409, { 'content-type': 'application/problem+json' });
      response.end(
        JSON.stringify({
          type: 'about:blank',
          title: 'No',
          status: 409,
          code: 'outcome-unknown',
          errorId: 'err_0123456789abcdef',
        }),
      );
    });
    claim.letGo();
    await call;
    expect(door.done()).toEqual([]);
    await client.complete(toolCall, { attempt: 'another', delivered: true });
  });
});
