import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '#sdk/client/client';
import { callTool, listRequests, pendingOf, textOf } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { notesServer, startWrapped } from '../peers.ts';
import { reachOfAddress } from '#gateway/reach/reach';
import { connect, connectBy, kinds, startGate, startNotes, type NotesGateway } from './peers.ts';
import { askedOnStream, reply, report } from './raw-calls.ts';
import { post } from './raw-post.ts';

const confirming = 'policy: confirming\nmatch: { tool: [write_note, report] }\nconfirm: {}\n';
const question = (text: string, reaches: string) =>
  `Run write_note on notes?\n\nServer: ${JSON.stringify(reaches)}\n"text": "${text}"`;

const open = closedAfterEach();

const server = await startTestServer();
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([confirming]);
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});

async function start(): Promise<NotesGateway> {
  const gateway = await startGate({ client: assentry, upstream: { url: notes.url } });
  open.push(() => gateway.close());
  return gateway;
}

/** A person at a client, and what they were asked. */
function personWho(action: ElicitResult['action']) {
  const messages: string[] = [];
  const answer = (message: string): ElicitResult => {
    messages.push(message);
    return action === 'accept' ? { action, content: { decision: 'approve' } } : { action };
  };
  return { messages, answer };
}

const timesDone = (what: string): number => notes.done.filter((line) => line === what).length;

describe.each(kinds)('%s: a policy leaves a call to the requester', (kind) => {
  test.each(['at its own address', 'behind the merged one'])('who is asked at their client, %s', async (place) => {
    const isOwn = place === 'at its own address';
    const gateway = await start();
    const person = personWho('accept');
    const { client } = await connect(isOwn ? gateway.notes : gateway.merged, kind, person.answer);
    open.push(() => client.close());
    const text = `${kind} ${place}`;
    expect(textOf(await callTool(client, isOwn ? 'write_note' : 'notes__write_note', { text }))).toBe(`wrote ${text}`);
    expect(person.messages).toEqual([question(text, reachOfAddress(notes.url))]);
    expect(timesDone(`wrote ${text}`)).toBe(1);
    expect(await listRequests(approver)).toEqual([]);
  });

  test('who declines: nothing runs', async () => {
    const person = personWho('decline');
    const { client } = await connect((await start()).notes, kind, person.answer);
    open.push(() => client.close());
    const result = await callTool(client, 'write_note', { text: `no ${kind}` });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'declined' } });
    expect(timesDone(`wrote no ${kind}`)).toBe(0);
  });

  test('who is asked by a form with a decision, again until there is one, and no accept without it is a yes', async () => {
    const messages: string[] = [];
    const contents: Record<string, unknown>[] = [{}, { decision: 'yes' }, { decision: 'approve' }];
    const { client } = await connect((await start()).notes, kind, (message) => {
      messages.push(message);
      return { action: 'accept', content: (contents.shift() ?? {}) as Record<string, string> };
    });
    open.push(() => client.close());
    expect(textOf(await callTool(client, 'write_note', { text: `third ${kind}` }))).toBe(`wrote third ${kind}`);
    expect(messages).toHaveLength(3);
    await callTool(client, 'write_note', { text: `never ${kind}` }).catch(() => {});
    expect(messages.length).toBeGreaterThan(4);
    expect(timesDone(`wrote never ${kind}`)).toBe(0);
  });

  test('who accepts the form with the decision to decline: nothing runs', async () => {
    const { client } = await connect((await start()).notes, kind, () => ({
      action: 'accept',
      content: { decision: 'decline' },
    }));
    open.push(() => client.close());
    const result = await callTool(client, 'write_note', { text: `against ${kind}` });
    expect(result).toMatchObject({ isError: true, _meta: { code: 'declined' } });
    expect(timesDone(`wrote against ${kind}`)).toBe(0);
  });

  test('who gets the address of a page if the client cannot ask', async () => {
    const gateway = await startGate({ client: assentry, upstream: { url: notes.url }, holdTimeoutMs: 500 });
    open.push(() => gateway.close());
    const { client } = await connect(gateway.notes, kind);
    open.push(() => client.close());
    const result = await callTool(client, 'write_note', { text: `page ${kind}` });
    expect(pendingOf(result)).toBeDefined();
    expect(textOf(result)).toMatch(/\/e\//);
    expect(timesDone(`wrote page ${kind}`)).toBe(0);
  });
});

test.each(kinds)('%s: over stdio, too, the requester is asked at their client', async (kind) => {
  const ledger = notesServer();
  const wrapped = startWrapped(ledger.words, { client: assentry });
  open.push(() => wrapped.close());
  const person = personWho('accept');
  const { client } = await connectBy(wrapped, kind, person.answer);
  expect(textOf(await callTool(client, 'write_note', { text: kind }))).toBe(`wrote ${kind}`);
  expect(person.messages).toEqual([question(kind, ledger.words.join(' '))]);
  expect(ledger.done().filter((line) => line === `wrote ${kind}`)).toHaveLength(1);
});

test('2026: an answer counts at any node, once, for its own call; without its state it answers nothing', async () => {
  const [first, second] = [(await start()).notes, (await start()).notes];
  const { result } = await report(first, 'x');
  const { requestState = '', inputRequests = {} } = result ?? {};
  const [step = ''] = Object.keys(inputRequests);
  const inputResponses = { [step]: { action: 'accept', content: { decision: 'approve' } } };
  expect((await report(second, 'early', { inputResponses })).result?.inputRequests).toHaveProperty([step]);
  const foreign = { requestState: `question.${requestState.slice(9, -8)}AAAAAAAA`, inputResponses };
  expect((await report(second, 'x', foreign)).text).toContain('token-invalid');
  expect((await report(second, 'y', { requestState, inputResponses })).text).toContain('token-invalid');
  expect((await report(second, 'x', { requestState, inputResponses })).text).toContain('reported x');
  for (const node of [first, second])
    expect((await report(node, 'x', { requestState, inputResponses })).text).toContain('token-invalid');
  expect(['x', 'y', 'early'].map((text) => timesDone(`reported ${text}`))).toEqual([1, 0, 0]);
});

test('2025: an accept that decides nothing, and comes to another node, runs nothing', async () => {
  const [first, second] = [(await start()).notes, (await start()).notes];
  const { id, session, untilSeen } = await askedOnStream(first, 'undecided');
  expect((await post(second, reply(id, 'accept', 'perhaps'), session)).status).toBe(202);
  await untilSeen(/"code":"(cancelled)"/);
  expect(timesDone('reported undecided')).toBe(0);
});

test.each([
  ['accept', /"text":"(reported [^"]+)"/, 1],
  ['decline', /"code":"(declined)"/, 0],
  ['nonsense', /"code":"(cancelled)"/, 0],
])('2025: an answer %s that comes to another node counts there', async (action, outcome, times) => {
  const [first, second] = [(await start()).notes, (await start()).notes];
  const { id, session, untilSeen } = await askedOnStream(first, `far ${action}`);
  expect((await post(second, reply(`${id.slice(0, -8)}AAAAAAAA`, 'accept'), session)).status).toBe(202);
  expect(timesDone(`reported far ${action}`)).toBe(0);
  expect((await post(second, reply(id, action), session)).status).toBe(202);
  await untilSeen(outcome);
  expect((await post(second, reply(id, 'accept'), session)).status).toBe(202);
  expect(timesDone(`reported far ${action}`)).toBe(times);
});

test('2025: calls of one session at the same time are asked about one by one, and none gives way to another', async () => {
  const person = personWho('accept');
  const { client } = await connect((await start()).notes, kinds[0], person.answer);
  open.push(() => client.close());
  const texts = ['one', 'two', 'three'];
  const results = await Promise.all(texts.map((text) => callTool(client, 'write_note', { text })));
  expect(results.map(textOf)).toEqual(texts.map((text) => `wrote ${text}`));
  expect(person.messages).toHaveLength(3);
});

describe('2026: between the question and its answer', () => {
  /** A question to the requester, and the answer to it. */
  async function askedAbout(text: string) {
    const { notes: url } = await start();
    const { result } = await report(url, text);
    const { requestState = '', inputRequests = {} } = result ?? {};
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((step) => [step, { action: 'accept', content: { decision: 'approve' } }]),
    );
    return () => report(url, text, { requestState, inputResponses });
  }

  test('the tool is stopped: nothing runs until the stop is lifted', async () => {
    const answer = await askedAbout('stopped');
    const [admin, other] = [await server.newUser('admin'), await server.newUser('admin')];
    const stop = (await (await admin.call('POST', '/api/stops', { reason: 'Look.', tool: 'report' })).json()) as {
      id: string;
    };
    const { text } = await answer();
    expect((await other.call('POST', `/api/stops/${stop.id}/lift`)).ok).toBe(true);
    expect(text).toContain('isError');
    expect(timesDone('reported stopped')).toBe(0);
  });

  test('a policy denies it: the answer does not count', async () => {
    const answer = await askedAbout('denied');
    await server.applyPolicies([confirming, 'policy: later\nmatch: { tool: report }\ndeny: { reason: Not any more. }']);
    const { text } = await answer();
    await server.applyPolicies([confirming, 'policy: later\nretire: { reason: Over. }']);
    expect(text).toContain('isError');
    expect(timesDone('reported denied')).toBe(0);
  });
});
