import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '#sdk/client/client';
import type { FormSchema } from '#platform/form/schema';
import {
  answerRequiredUrls,
  answerThroughAssentry,
  type HandleElicitation,
  type Refusal,
} from '#sdk/host/assentry-host';
import { callTool, findRequest, textOf } from '../mcp/peers.ts';
import { freePort } from '../../support/nodes/free-port.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const askedForm = 'Please provide inputs for the following fields:';

let everything: ChildProcess | undefined;

const server = await startTestServer();
afterAll(async () => {
  everything?.kill();
  await server.stop();
});
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('night-shift') });
const address = await startEverything();

async function startEverything(): Promise<URL> {
  const port = await freePort();
  everything = spawn(process.execPath, [program, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  });
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await until(() => fetch(url).then(Boolean, () => false));
  return url;
}

const transports: Record<string, () => unknown> = {
  stdio: () => new StdioClientTransport({ command: process.execPath, args: [program, 'stdio'], stderr: 'ignore' }),
  'Streamable HTTP': () => new StreamableHTTPClientTransport(address),
};

describe.each(Object.keys(transports))('the everything server over %s', (kind) => {
  let client: Client;
  let handleElicitation: HandleElicitation;
  const refusals: Refusal[] = [];
  const opened: string[] = [];

  beforeAll(async () => {
    client = new Client({ name: 'host', version: '1.0.0' });
    handleElicitation = answerThroughAssentry(client, {
      serverName: `everything-over-${kind.replaceAll(' ', '-')}`,
      principal: 'nightly-agent',
      client: assentry,
      allowedDomains: ['example.com', 'modelcontextprotocol.io'],
      onOpenUrl: (url) => void opened.push(url),
      onRefused: (refusal) => void refusals.push(refusal),
    });
    await client.connect(transports[kind]?.() as Transport);
    // It registers these tools a moment after it has learned what the client can do.
    await until(async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name);
      return names.includes('trigger-elicitation-request') && names.includes('trigger-url-elicitation');
    });
  });
  afterAll(() => client.close());

  const decide = async (message: string, action: 'accept' | 'decline', content?: Record<string, unknown>) => {
    const { id } = await findRequest(approver, message);
    const shown = await approver.show(id);
    expect((await approver.vote(id, action, content)).ok).toBe(true);
    return shown;
  };

  test('gets the thirteen fields an approver filled in', async () => {
    const call = callTool(client, 'trigger-elicitation-request');
    const content = {
      name: 'Ada Lovelace',
      check: true,
      firstLine: 'Call me Ishmael.',
      email: 'ada@example.com',
      homepage: 'https://example.com/ada',
      birthdate: '1815-12-10',
      integer: 7,
      number: 2.5,
      untitledSingleSelectEnum: 'Phoebe',
      untitledMultipleSelectEnum: ['Piano', 'Bass'],
      titledSingleSelectEnum: 'hero-2',
      titledMultipleSelectEnum: ['fish-1', 'fish-3'],
      legacyTitledEnum: 'pet-4',
    };
    const shown = await decide(askedForm, 'accept', content);
    expect(shown.tool.name).toBe(`everything-over-${kind.replaceAll(' ', '-')}.elicitation.create`);
    expect(Object.keys((shown.schema as FormSchema).properties).sort()).toEqual(Object.keys(content).sort());
    expect(rawResult(textOf(await call))).toEqual({ action: 'accept', content });
  });

  test('learns that an approver declined', async () => {
    const call = callTool(client, 'trigger-elicitation-request');
    await decide(askedForm, 'decline');
    expect(rawResult(textOf(await call))).toEqual({ action: 'decline' });
  });

  test('has its address opened once an approver has agreed', async () => {
    const args = { url: 'https://example.com/pay?order=7', message: `Pay over ${kind}?` };
    const call = callTool(client, 'trigger-url-elicitation', args);
    const shown = await decide(args.message, 'accept');
    expect(shown).toMatchObject({ mode: 'url', url: args.url });
    expect(rawResult(textOf(await call))).toEqual({ action: 'accept' });
    expect(opened.splice(0)).toEqual([args.url]);
  });

  test('goes on with its task once an approver has said what was meant', async () => {
    const topic = `bees over ${kind}`;
    const params = { name: 'simulate-research-query', arguments: { topic, ambiguous: true } };
    const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, { timeout: 25_000 });
    const values: string[] = [];
    let result: CallToolResult | undefined;
    const reading = (async () => {
      for await (const message of stream) {
        values.push(message.type === 'taskStatus' ? message.task.status : message.type);
        if (message.type === 'result') result = message.result as CallToolResult;
      }
    })();
    const message = `The research query "${topic}" could have multiple interpretations. Please clarify what you're looking for:`;
    await decide(message, 'accept', { interpretation: 'technical' });
    await reading;
    expect(values).toContain('input_required');
    expect(result && textOf(result)).toContain('technical');
  });

  test('does not offer what only a client that keeps tasks of its own could answer', async () => {
    const names = (await client.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => /elicit|research/.test(name));
    expect(names.sort()).toEqual(['simulate-research-query', 'trigger-elicitation-request', 'trigger-url-elicitation']);
  });

  test('cannot send anyone to a domain the host does not allow', async () => {
    const result = await callTool(client, 'trigger-url-elicitation', { url: 'https://example.org/', message: 'Away?' });
    expect(rawResult(textOf(result))).toMatchObject({ action: 'decline' });
    expect(refusals.splice(0)).toMatchObject([{ reason: 'url-not-allowed', mode: 'url' }]);
    expect(opened).toEqual([]);
  });

  test('goes on after error -32042 once its prerequisite was approved', async () => {
    const args = { url: `https://example.com/${encodeURIComponent(kind)}`, message: `After ${kind}?`, errorPath: true };
    const failed = await callTool(client, 'trigger-url-elicitation', args).catch((error: unknown) => error);
    const prerequisite = answerRequiredUrls(failed, handleElicitation);
    await decide('Open this link to satisfy the prerequisite, then retry the request.', 'accept');
    expect(await prerequisite).toBe('accept');
    expect(opened.splice(0)).toEqual(['https://modelcontextprotocol.io/']);
    const call = callTool(client, 'trigger-url-elicitation', args);
    await decide(args.message, 'accept');
    expect(rawResult(textOf(await call))).toEqual({ action: 'accept' });
    expect(opened.splice(0)).toEqual([args.url]);
  });

  test('is not tried again if the prerequisite was declined', async () => {
    const args = { url: `https://example.com/no/${encodeURIComponent(kind)}`, errorPath: true };
    const failed = await callTool(client, 'trigger-url-elicitation', args).catch((error: unknown) => error);
    const prerequisite = answerRequiredUrls(failed, handleElicitation);
    await decide('Open this link to satisfy the prerequisite, then retry the request.', 'decline');
    expect(await prerequisite).toBe('decline');
    expect(opened).toEqual([]);
  });
});

test('any other error than -32042 is left to its caller', async () => {
  const handle: HandleElicitation = async () => ({ action: 'accept' });
  const data = { elicitations: [{ mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: 'e' }] };
  expect(await answerRequiredUrls(new TypeError('no'), handle)).toBeNull();
  expect(await answerRequiredUrls({ code: -32602, data }, handle)).toBeNull();
  expect(await answerRequiredUrls({ code: -32042, data: { elicitations: [{ mode: 'form' }] } }, handle)).toBeNull();
  expect(await answerRequiredUrls({ code: -32042, data: { elicitations: [] } }, handle)).toBeNull();
  expect(await answerRequiredUrls({ code: -32042, data }, handle)).toBe('accept');
});

const rawResult = (text: string): unknown =>
  JSON.parse(text.slice(text.indexOf('Raw result: ') + 'Raw result: '.length));
