import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { readEntry } from '#audit/entries/rules/entry';
import type { ElicitationId } from '#platform/model/id';
import type { ElicitOptions } from '#sdk/mcp/assentry';
import { accept, nonInteractive, nonInteractiveInCi, type NonInteractiveOptions } from '#sdk/testing/assentry-testing';
import { callTool, findRequest, listRequests, pendingOf, startMcpServer, textOf, type McpPeer } from '../mcp/peers.ts';
import { newOwner } from '../../support/requests/owner.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const Contact = z.object({ name: z.string(), age: z.int().default(25) });
const answers: NonInteractiveOptions = { defaults: { name: 'CI User' }, warn: () => {} };

const peers: McpPeer[] = [];

const server = await startTestServer();
afterAll(async () => {
  await Promise.all(peers.map((peer) => peer.stop()));
  await server.stop();
});
const approver = await server.newUser();
const orchestrator = createClient({ url: server.url, apiKey: await server.newServerKey('ci') });

/** Asks through a tool of a real MCP server, whose client has no one to ask. */
async function ask(client: AssentryClient, message: string, options: Record<string, unknown> = {}) {
  const peer = await startMcpServer(
    (tools) => {
      const inputSchema = { message: z.string(), options: z.record(z.string(), z.unknown()) };
      tools.registerTool('ask', { inputSchema }, async (args, { elicit }) => {
        const { status, content, comment } = await elicit(args.message, Contact, args.options as ElicitOptions);
        return { content: [{ type: 'text', text: JSON.stringify({ status, content, comment }) }] };
      });
    },
    { client, holdTimeoutMs: 200 },
  );
  peers.push(peer);
  return callTool(await peer.connect(), 'ask', { message, options });
}
const answered = async (...args: Parameters<typeof ask>) => JSON.parse(textOf(await ask(...args))) as unknown;

describe.each([
  { how: 'without a server', clientOf: () => nonInteractive(answers) },
  { how: 'with the orchestrator', clientOf: () => nonInteractive({ ...answers, client: orchestrator }) },
])('$how, a tool in CI', ({ how, clientOf }) => {
  test('has its forms filled in with defaults (P-41, P-42, P-44)', async () => {
    expect(await answered(clientOf(), `Who, ${how}?`)).toEqual({
      status: 'accept',
      content: { name: 'CI User', age: 25 },
    });
  });

  test('is sent to no address (P-43)', async () => {
    const options = { url: 'https://example.com/connect' };
    expect(await answered(clientOf(), `Connect, ${how}?`, options)).toMatchObject({ status: 'decline' });
  });

  test('can be answered by code (P-29)', async () => {
    const client = nonInteractive({
      answer: () => accept({ name: 'Own', age: 1 }),
      ...(how.startsWith('with the') && { client: orchestrator }),
    });
    expect(await answered(client, `Own, ${how}?`)).toEqual({ status: 'accept', content: { name: 'Own', age: 1 } });
  });
});

describe('approvers’ questions are never answered by it', () => {
  const generous = { ...answers, answer: () => accept({ name: 'Me', age: 1 }) };

  test('without a server they are declined, saying why', async () => {
    const comment = 'No one can approve here: this run is not interactive.';
    const result = await answered(nonInteractive(generous), 'Approve alone?', { approval: true });
    expect(result).toEqual({ status: 'decline', comment });
  });

  test('with the orchestrator they wait for approvers', async () => {
    const client = nonInteractive({ ...generous, client: orchestrator });
    const result = await ask(client, 'Approve here?', { approval: true });
    expect(pendingOf(result)).toMatchObject({ message: 'Approve here?' });
    expect((await findRequest(approver, 'Approve here?')).status).toBe('open');
  });
});

test('what it answers is recorded as told by a program, not as said by a person', async () => {
  await ask(nonInteractive({ ...answers, client: orchestrator }), 'Recorded?');
  const item = (await listRequests(await newOwner(server), 'done')).find(({ message }) => message === 'Recorded?');
  const history = (await server.engine.reader.history(item?.id as ElicitationId)).map(readEntry);
  const answer = history.find(({ type }) => type === 'elicitation.answered');
  expect(answer).toMatchObject({ channel: 'told', action: 'accept', actor: { kind: 'server' } });
});

describe('ASSENTRY_NON_INTERACTIVE', () => {
  const name = 'ASSENTRY_NON_INTERACTIVE';
  afterEach(() => void delete process.env[name]);

  test.each([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
    ['', false],
    [undefined, false],
  ])('%s: %s (P-09, P-41)', (value, isOn) => {
    if (value !== undefined) process.env[name] = value;
    expect(nonInteractiveInCi(answers) !== undefined).toBe(isOn);
  });

  test('set to anything else stops the start, saying so', () => {
    process.env[name] = 'yes';
    expect(() => nonInteractiveInCi(answers)).toThrow(
      expect.objectContaining({ code: 'config-invalid', message: expect.stringMatching(`Set ${name} to 1 or true`) }),
    );
  });
});
