import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createClient, type AssentryClient } from '#sdk/client/client';
import { Problem } from '#platform/model/problem';
import { callTool, findRequest, makeClient, textOf } from '../../sdk/mcp/peers.ts';
import { startTestServer, type TestUser } from '../../support/nodes/server.ts';
import { callRaw, notesServer, startWrapped, type WrappedServer } from '../peers.ts';

const open: WrappedServer[] = [];
/** Milliseconds by which Assentry's clock is ahead. */
let ahead = 0;

const server = await startTestServer({ now: () => Date.now() + ahead });
afterAll(() => server.stop());
let approver: TestUser = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
const notes = notesServer();
afterEach(async () => {
  await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
});

function start(settings: Partial<Parameters<typeof startWrapped>[1]> = {}): WrappedServer {
  const wrapped = startWrapped(notes.words, { client: assentry, ...settings });
  open.push(wrapped);
  return wrapped;
}

async function connect(settings?: Parameters<typeof start>[0]) {
  const [wrapped, client] = [start(settings), makeClient()];
  await client.connect(wrapped as unknown as Transport);
  return { wrapped, client };
}

const timesDone = (what: string): number => notes.done().filter((line) => line === what).length;

describe('a result that a policy names', () => {
  const question = (tool: string) => `Release the result of ${tool} on notes?`;
  const releasing = `policy: releasing
match: { tool: assentry.result }
when: request.args.tool in ["write_note", "report", "count_notes"]
require: { stages: [{ name: One, approvers: anyone }] }
`;
  const reports = 'policy: reports\npriority: 9\nmatch: { tool: report }\nallow: { ceiling: medium }\n';
  const counts = 'policy: counts\npriority: 9\nmatch: { tool: count_notes }\nallow: { ceiling: low }\n';
  beforeAll(() => server.applyPolicies([releasing, reports, counts]));

  test('waits for an approver, who sees it, and the same call finds it after its client has gone', async () => {
    const before = await connect();
    const first = callTool(before.client, 'write_note', { text: 'reviewed' });
    first.catch(() => {});
    await approver.vote((await findRequest(approver, 'Run write_note on notes?')).id, 'accept');
    const { id } = await findRequest(approver, question('write_note'));
    expect(JSON.stringify(await approver.show(id))).toContain('wrote reviewed');
    await before.wrapped.close();
    const after = await connect();
    const second = callTool(after.client, 'write_note', { text: 'reviewed' });
    await approver.vote(id, 'accept');
    expect(textOf(await second)).toBe('wrote reviewed');
    expect(timesDone('wrote reviewed')).toBe(1);
  });

  test('that is refused does not reach the client, who gets an error with a code', async () => {
    const { client } = await connect();
    const result = callTool(client, 'report', { text: 'private' }).catch((error: unknown) => error);
    await approver.vote((await findRequest(approver, question('report'))).id, 'decline');
    expect(await result).toMatchObject({ code: -32603, data: { code: 'declined' } });
    expect(String(await result)).not.toContain('private');
    expect(String(await result)).toContain('Do not repeat this call to get its result: it has run');
    expect(timesDone('reported private')).toBe(1);
  });

  test('that is not released in time is there for the same call, which does not run again', async () => {
    const { client } = await connect({ holdTimeoutMs: 150 });
    const first = await callTool(client, 'report', { text: 'later' }).catch((error: unknown) => error);
    expect(first).toMatchObject({ code: -32603, data: { code: 'not-now' } });
    await approver.vote((await findRequest(approver, question('report'))).id, 'accept');
    const second = await connect({ holdTimeoutMs: 15_000 });
    expect(textOf(await callTool(second.client, 'report', { text: 'later' }))).toBe('reported later');
    expect(timesDone('reported later')).toBe(1);
  });

  test('is kept of a tool that only reads as well: the same call comes back to it, and does not run by a pass', async () => {
    const { client } = await connect({ holdTimeoutMs: 150 });
    const first = await callTool(client, 'count_notes', { text: 'all' }).catch((error: unknown) => error);
    expect(first).toMatchObject({ data: { code: 'not-now' } });
    await approver.vote((await findRequest(approver, question('count_notes'))).id, 'accept');
    const second = await connect({ holdTimeoutMs: 15_000 });
    expect(textOf(await callTool(second.client, 'count_notes', { text: 'all' }))).toBe('counted all');
    expect(timesDone('counted all')).toBe(1);
  });

  test('is not fetched by a task, past the release: the call is refused, and does not run', async () => {
    const { client } = await connect();
    const params = { name: 'report', arguments: { text: 'by a task' }, task: { ttl: 60_000 } };
    const refused = client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    await expect(refused).rejects.toMatchObject({ code: -32603, data: { code: 'forbidden' } });
    expect(timesDone('reported by a task')).toBe(0);
  });

  test('is there for the same call if its release could not be asked for', async () => {
    const openUnlessReleasing: AssentryClient['open'] = (request, ...rest) =>
      request.tool.name === 'assentry.result'
        ? Promise.reject(new Problem('unavailable'))
        : assentry.open(request, ...rest);
    const first = await connect({ client: { ...assentry, open: openUnlessReleasing } });
    const failed = callTool(first.client, 'report', { text: 'unasked' });
    await expect(failed).rejects.toMatchObject({ data: { code: 'unavailable' } });
    const { client } = await connect();
    const result = callTool(client, 'report', { text: 'unasked' });
    await approver.vote((await findRequest(approver, question('report'))).id, 'accept');
    expect(textOf(await result)).toBe('reported unasked');
    expect(timesDone('reported unasked')).toBe(1);
  });

  test('comes by awaitElicitationResult hours later, when the same call would be a new one', async () => {
    const { client } = await connect({ holdTimeoutMs: 150 });
    const first = await callTool(client, 'report', { text: 'by night' }).catch((error: unknown) => error);
    const { elicitId } = (first as { data: { elicitationPending: { elicitId: string } } }).data.elicitationPending;
    ahead += 3 * 3_600_000;
    approver = await server.newUser('approver'); // the session of the other one has ended
    expect((await approver.vote(elicitId, 'accept')).status).toBe(200);
    const morning = await connect();
    expect(textOf(await callTool(morning.client, 'awaitElicitationResult', { elicitId }))).toBe('reported by night');
    expect(timesDone('reported by night')).toBe(1);
  });
});

describe('the result of a tool that has asked its client for more', () => {
  const releasing = `policy: releasing
match: { tool: assentry.result }
when: request.args.tool == "confirm"
require: { stages: [{ name: One, approvers: anyone }] }
`;
  const confirming = 'policy: confirming\nmatch: { tool: confirm }\nallow: { ceiling: medium }\n';
  beforeAll(() => server.applyPolicies([releasing, confirming]));

  /** The question passes at once; the answer to it brings the result. */
  async function confirmBy(text: string, holdTimeoutMs: number) {
    const wrapped = start({ holdTimeoutMs });
    const call = { name: 'confirm', arguments: { text } };
    const { result = {} } = await callRaw(wrapped, 1, call);
    expect(result).toMatchObject({ resultType: 'input_required' });
    const inputResponses = { sure: { action: 'accept', content: { sure: true } } };
    return { wrapped, answer: callRaw(wrapped, 2, { ...call, inputResponses, requestState: result['requestState'] }) };
  }

  const released = () => findRequest(approver, 'Release the result of confirm on notes?');

  test('waits for its release', async () => {
    const { wrapped, answer } = await confirmBy('a', 15_000);
    const { id } = await released();
    expect(JSON.stringify(await approver.show(id))).toContain('confirmed a');
    expect(wrapped.seen.some((frame) => frame.id === 2)).toBe(false);
    await approver.vote(id, 'accept');
    expect((await answer).result).toMatchObject({ resultType: 'complete', content: [{ text: 'confirmed a' }] });
  });

  test('comes by awaitElicitationResult if it is not released in time, and the tool does not run again', async () => {
    const { wrapped, answer } = await confirmBy('b', 150);
    const { error } = await answer;
    const { id } = await released();
    expect(error).toMatchObject({ data: { code: 'not-now', elicitationPending: { elicitId: id } } });
    expect(error?.message).toMatch(/^Call awaitElicitationResult/);
    const again = { name: 'awaitElicitationResult', arguments: { elicitId: id } };
    expect((await callRaw(wrapped, 3, again)).error?.message).toBe(error?.message);
    expect(JSON.stringify(wrapped.seen)).not.toContain('confirmed b');
    await approver.vote(id, 'accept');
    expect((await callRaw(wrapped, 4, again)).result).toMatchObject({ content: [{ text: 'confirmed b' }] });
    expect(timesDone('confirmed b with state of b')).toBe(1);
  });
});
