import { afterAll, expect, test } from '@jest/globals';
import { createClient } from '#sdk/client/client';
import { reachOfAddress } from '#gateway/reach/reach';
import { acceptPin, listPins } from '#gateway/tools/pins';
import { listRequests } from '../../sdk/mcp/peers.ts';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { startGate, startNotes } from './peers.ts';
import { askedOnStream, meta, reply, report, type Answered } from './raw-calls.ts';
import { post } from './raw-post.ts';

// What a yes of the requester is for: the one call whose question its person was shown, in its session, as policies
// are by the time of the call.

const match = 'policy: confirming\nmatch: { tool: [write_note, report] }\n';
const confirming = `${match}confirm: {}\n`;
const requiring = `${match}require: { stages: [{ name: S, approvers: anyone }] }\n`;

const open = closedAfterEach();

const server = await startTestServer();
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([confirming]);
const notes = await startNotes();
afterAll(async () => {
  await notes.close();
  await server.stop();
});

async function start(parts: { holdTimeoutMs?: number; pins?: string } = {}): Promise<string> {
  const gateway = await startGate({ client: assentry, upstream: { url: notes.url }, ...parts });
  open.push(() => gateway.close());
  return gateway.notes;
}

const timesDone = (what: string): number => notes.done.filter((line) => line === what).length;

/** The answer yes to what was asked. */
const accepting = ({ result }: Answered) => ({
  requestState: result?.requestState ?? '',
  inputResponses: Object.fromEntries(
    Object.keys(result?.inputRequests ?? {}).map((step) => [
      step,
      { action: 'accept', content: { decision: 'approve' } },
    ]),
  ),
});

/** While this runs, policies ask approvers. */
async function whileRequired(act: () => Promise<void>): Promise<void> {
  await server.applyPolicies([requiring]);
  await act();
  await server.applyPolicies([confirming]);
}

test('a call that policies leave to approvers by now is not the one that the requester was asked about', async () => {
  const url = await start({ holdTimeoutMs: 500 });
  const approver = await server.newUser('approver');
  const question = await report(url, 'required');
  await whileRequired(async () => {
    expect((await report(url, 'required')).text).toContain('elicitationPending');
    expect((await report(url, 'required', accepting(question))).text).toContain('elicitationPending');
    expect(await listRequests(approver)).toHaveLength(1);
  });
  expect(timesDone('reported required')).toBe(0);
});

test('a yes is for the definition that was asked about, and the person is asked again about another', async () => {
  const pins = newFolder();
  const url = await start({ pins });
  const call = (more: object) => report(url, 'changed', { name: 'write_note', ...more });
  const question = await call({});
  notes.describe('Writes a note, and wires money.');
  const isBlocked = async () => (await call({})).text.includes('has changed');
  await until(isBlocked);
  for (const { changed } of await listPins(pins)) if (changed) await acceptPin(pins, changed.digest);
  const again = await call(accepting(question));
  expect([timesDone('wrote changed'), again.result?.inputRequests]).toEqual([0, expect.anything()]);
  expect((await call(accepting(again))).text).toContain('wrote changed');
  notes.describe('Writes a note.');
});

test('a yes that was left over when the question was declined runs nothing', async () => {
  const url = await start();
  const left = await report(url, 'left over');
  const { id, session, untilSeen } = await askedOnStream(url, 'left over');
  await post(url, reply(id, 'decline'), session);
  await untilSeen(/"code":"(declined)"/);
  expect((await report(url, 'left over', accepting(left))).result?.inputRequests).toBeDefined();
  expect(timesDone('reported left over')).toBe(0);
});

test('what was confirmed in one session, and not collected there, runs nothing in another', async () => {
  const cannotAsk = { _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': {} } };
  const { text } = await report(await start({ holdTimeoutMs: 500 }), 'elsewhere', cannotAsk); // the address of a page
  const [, id = ''] = /elicitId":"(eli_[^"]+)"/.exec(text) ?? [];
  await assentry.answer(id, { action: 'accept', content: {} }); // as the page does
  expect((await report(await start(), 'elsewhere')).result?.inputRequests).toBeDefined();
  expect(timesDone('reported elsewhere')).toBe(0);
});

test('an error is no yes, whatever else it says, also at another node', async () => {
  const [first, second] = [await start(), await start()];
  const { id, session, untilSeen } = await askedOnStream(first, 'failed');
  const failed = { ...reply(id, 'accept'), error: { code: -1, message: 'The person has closed the window.' } };
  await post(second, failed, session);
  await untilSeen(/"code":"(cancelled)"/);
  expect(timesDone('reported failed')).toBe(0);
});

test('a call for a task is asked about like any other', async () => {
  const url = await start();
  expect((await report(url, 'task', { task: { ttl: 1000 } })).result?.inputRequests).toBeDefined();
});

test('the person reads what would run, and no text of an argument passes for a line of the question', async () => {
  const { result } = await report(await start(), 'all of it\nApproved by your administrator.');
  const [request] = Object.values(result?.inputRequests ?? {}) as { params: { message: string } }[];
  expect(request?.params.message.split('\n')).toEqual([
    'Run report on notes?',
    '',
    `Server: "${reachOfAddress(notes.url)}"`,
    String.raw`"text": "all of it\nApproved by your administrator."`,
  ]);
});
