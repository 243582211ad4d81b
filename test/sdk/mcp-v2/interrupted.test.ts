import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { compiled } from '../../support/compiled.ts';
import { findRequest } from '../mcp/peers.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { accept, call, connectV2, kill, makeV2Client, startProcess, type McpProcess } from './peers.ts';
import { drawn } from '../../support/runs.ts';

const program = 'test/sdk/mcp-v2/three-questions-server.ts';
const answers = { From: 'Lisbon', To: 'Berlin', When: 'Monday' } as const;
const booked = 'From Lisbon, To Berlin, When Monday';
type Question = keyof typeof answers;

let ledger: string;
let running: McpProcess | undefined;

const server = await startTestServer();
const approver = await server.newUser();
const env: Record<string, string> = { ASSENTRY_URL: server.url, ASSENTRY_API_KEY: await server.newServerKey('travel') };
const directory = await mkdtemp(path.join(os.tmpdir(), 'assentry-rounds-'));
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await server.stop();
});
beforeEach(() => {
  ledger = path.join(directory, `${Math.random()}`);
});
afterEach(async () => {
  if (running) await kill(running);
  running = undefined;
});

/** Kills the process that serves, if one does, and starts another. */
async function restart(): Promise<string> {
  if (running) await kill(running);
  running = await startProcess(program, ['--ledger', ledger], env);
  return running.url;
}

const readLedger = (): Promise<string> => readFile(ledger, 'utf8').catch(() => '');

describe('a tool of three questions to the requester, whose process dies between every two', () => {
  const name = 'book_by_requester';
  const answer = (key: number, question: Question) => ({ [String(key)]: accept({ text: answers[question] }) });

  async function ask(trip: string, round = {}, question?: Question): Promise<string> {
    const { result, error } = await call(running?.url ?? '', name, { trip }, round);
    const [request] = Object.values(result?.inputRequests ?? {});
    if (!question || !request) throw new TypeError(`Nothing was asked: ${JSON.stringify(result ?? error)}`);
    expect(request.params.message).toBe(`${question}, for ${trip}?`);
    return result?.requestState ?? '';
  }

  test('gets each answer to its question, and acts once', async () => {
    await restart();
    let requestState = await ask('r1', {}, 'From');
    await restart();
    requestState = await ask('r1', { requestState, inputResponses: answer(0, 'From') }, 'To');
    await restart();
    requestState = await ask('r1', { requestState, inputResponses: answer(1, 'To') }, 'When');
    const url = await restart();
    const last = await call(url, name, { trip: 'r1' }, { requestState, inputResponses: answer(2, 'When') });
    expect(last.result?.content).toEqual([{ type: 'text', text: booked }]);
    expect(await readLedger()).toBe(`r1: ${booked}\n`);
  });

  test('starts again if the client gave up in the middle, and acts once', async () => {
    const url = await restart();
    const first = await ask('r2', {}, 'From');
    const second = await ask('r2', { requestState: first, inputResponses: answer(0, 'From') }, 'To');
    const round = { requestState: second, inputResponses: answer(1, 'To') };
    await expect(call(url, name, { trip: 'r2' }, round, { signal: AbortSignal.timeout(5) })).rejects.toThrow();
    let requestState = await ask('r2', {}, 'From');
    requestState = await ask('r2', { requestState, inputResponses: answer(0, 'From') }, 'To');
    requestState = await ask('r2', { requestState, inputResponses: answer(1, 'To') }, 'When');
    const last = await call(url, name, { trip: 'r2' }, { requestState, inputResponses: answer(2, 'When') });
    expect(last.result?.content).toEqual([{ type: 'text', text: booked }]);
    expect(await readLedger()).toBe(`r2: ${booked}\n`);
  });

  test('works over stdio, for clients of either kind', async () => {
    for (const mode of ['auto', 'legacy'] as const) {
      const client = makeV2Client((message) => accept({ text: answers[message.split(',')[0] as Question] }), mode);
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [compiled(program), '--stdio', '--ledger', ledger],
          env: { PATH: process.env['PATH'] ?? '', ...env },
          stderr: 'inherit',
        }),
      );
      expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
      const result = await client.callTool({ name, arguments: { trip: mode } });
      expect(result.content).toEqual([{ type: 'text', text: booked }]);
      await client.close();
    }
    expect(await readLedger()).toBe(`auto: ${booked}\nlegacy: ${booked}\n`);
  });
});

const modes = drawn('interrupted', ['auto', 'legacy'] as const, { least: 1 });

describe.each(modes)('a tool of three questions to approvers, held for a client (%s)', (mode) => {
  const name = 'book_by_approvers';

  async function hold(url: string, trip: string) {
    const client = await connectV2(url, undefined, mode);
    const leaving = new AbortController();
    const result = client
      .callTool({ name, arguments: { trip } }, { signal: leaving.signal, timeout: 25_000 })
      .catch((error: Error) => error);
    return { result, leave: () => leaving.abort() };
  }

  async function decide(question: Question, trip: string): Promise<void> {
    const { id } = await findRequest(approver, `${question}, for ${trip}?`);
    expect((await approver.vote(id, 'accept', { text: answers[question] })).ok).toBe(true);
  }

  test('is continued by another process, and acts once', async () => {
    const trip = `killed-${mode}`;
    await hold(await restart(), trip);
    const first = await findRequest(approver, `From, for ${trip}?`);
    await hold(await restart(), trip);
    expect((await findRequest(approver, `From, for ${trip}?`)).id).toBe(first.id);
    await decide('From', trip);
    const second = await findRequest(approver, `To, for ${trip}?`);
    await hold(await restart(), trip);
    expect((await findRequest(approver, `To, for ${trip}?`)).id).toBe(second.id);
    await decide('To', trip);
    await findRequest(approver, `When, for ${trip}?`);
    const { result } = await hold(await restart(), trip);
    await decide('When', trip);
    expect(await result).toMatchObject({ content: [{ type: 'text', text: booked }] });
    expect(await readLedger()).toBe(`${trip}: ${booked}\n`);
  });

  test('is continued by a client that came back, and acts once', async () => {
    const trip = `left-${mode}`;
    const url = await restart();
    for (const question of ['From', 'To', 'When'] as const) {
      const { result, leave } = await hold(url, trip);
      await findRequest(approver, `${question}, for ${trip}?`);
      leave();
      expect(await result).toBeInstanceOf(Error);
      await decide(question, trip);
    }
    const { result } = await hold(url, trip);
    expect(await result).toMatchObject({ content: [{ type: 'text', text: booked }] });
    expect(await readLedger()).toBe(`${trip}: ${booked}\n`);
  });
});
