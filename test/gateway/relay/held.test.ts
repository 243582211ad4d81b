import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import pg from 'pg';
import { createClient } from '#sdk/client/client';
import { callTool, findRequest, makeClient, pendingOf, textOf } from '../../sdk/mcp/peers.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { notesServer, startWrapped, type WrappedServer } from '../peers.ts';
import { readingPolicy } from '../reading-policy.ts';

const editing = `policy: editing
match: { tool: [report] }
require:
  stages: [{ name: Anyone, approvers: anyone }]
  editable: { text: { type: string } }
`;
const denying =
  'policy: denying\nmatch: { tool: fails }\nwhen: request.args.text == "never"\ndeny: { reason: Not that one. }\n';

const open: WrappedServer[] = [];

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([readingPolicy, editing, denying]);
const notes = notesServer();
afterEach(async () => {
  await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
});

function start(settings: Partial<Parameters<typeof startWrapped>[1]> = {}): WrappedServer {
  const wrapped = startWrapped(notes.words, { client: assentry, ...settings });
  open.push(wrapped);
  return wrapped;
}

async function connect(settings?: Parameters<typeof start>[0], client = makeClient()) {
  const wrapped = start(settings);
  await client.connect(wrapped as unknown as Transport);
  return { wrapped, client };
}

const count = async (what: string): Promise<number> => {
  const database = new pg.Client({ connectionString: server.databaseUrl });
  await database.connect();
  const { rows } = await database.query(`SELECT count(*)::int FROM ${what}`).finally(() => database.end());
  return (rows[0] as { count: number }).count;
};

const message = (tool: string): string => `Run ${tool} on notes?`;

/** Decides the one open request of this tool. */
async function decide(tool: string, action: 'accept' | 'decline'): Promise<void> {
  const { id } = await findRequest(approver, message(tool));
  expect((await approver.vote(id, action)).status).toBe(200);
}

describe('a tool call', () => {
  test('of a tool that only reads passes by the policy: no request is opened, and the log has each call', async () => {
    const { client, wrapped } = await connect();
    expect(textOf(await callTool(client, 'read_note', { text: 'a' }))).toBe('read a');
    expect(textOf(await callTool(client, 'read_note', { text: 'a' }))).toBe('read a');
    await wrapped.close();
    expect(await count("elicitation WHERE tool = 'read_note'")).toBe(0);
    expect(await count("audit_log WHERE type = 'call.passed' AND entry ->> 'tool' = 'read_note'")).toBe(2);
    expect(await count("passed_call WHERE tool = 'read_note'")).toBe(2); // with their arguments, sealed
  });

  test('of any other tool waits for an approver, and runs once', async () => {
    const { client } = await connect();
    const result = callTool(client, 'write_note', { text: 'held' });
    const { id } = await findRequest(approver, message('write_note'));
    expect(notes.done()).not.toContain('wrote held');
    const shown = await approver.show(id);
    expect(shown).toMatchObject({ requester: { subject: expect.stringMatching(/^local:/), verified: false } });
    await approver.vote(id, 'accept');
    expect(textOf(await result)).toBe('wrote held');
    expect(notes.done().filter((line) => line === 'wrote held')).toHaveLength(1);
  });

  test('that is declined does not run, and the agent reads the reason', async () => {
    const { client } = await connect();
    const result = callTool(client, 'write_note', { text: 'declined' });
    await decide('write_note', 'decline');
    expect(await result).toMatchObject({ isError: true, _meta: { code: 'declined' } });
    expect(textOf(await result)).toMatch(
      /^Declined; nothing was run\.\nReason: not now\nDo not do the same in another way: ask /,
    );
    expect(notes.done()).not.toContain('wrote declined');
  });

  test('that a policy denies does not run', async () => {
    const { client } = await connect();
    const result = await callTool(client, 'fails', { text: 'never' });
    expect(textOf(result)).toMatch(
      /^Declined; nothing was run\.\nReason: Not that one\.\nDo not do the same in another way: ask /,
    );
  });

  test("fails with the upstream's own error", async () => {
    const { client } = await connect();
    const result = callTool(client, 'fails', { text: 'x' });
    await decide('fails', 'accept');
    expect(textOf(await result)).toBe('The pen is dry.');
  });

  test('runs with the arguments that approvers edited, and its progress rises above that of the wait', async () => {
    const { client, wrapped } = await connect();
    const steps: number[] = [];
    const result = callTool(
      client,
      'report',
      { text: 'first' },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    const { id } = await findRequest(approver, message('report'));
    const { digest } = await approver.show(id);
    const edit = { digest, arguments: { text: 'second' } };
    expect((await approver.call('POST', `/api/elicitations/${id}/edit`, edit)).status).toBe(200);
    await approver.vote(id, 'accept');
    expect(textOf(await result)).toBe('reported second');
    expect(notes.done()).toContain('reported second');
    expect(notes.done()).not.toContain('reported first');
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
    expect(wrapped.warnings).toEqual([]);
  });

  test.each([false, true])(
    'says in the list of tools that its calls wait; in its description if told to: %s',
    async (describesHeld) => {
      const { client } = await connect({ describesHeld });
      const { tools } = await client.listTools();
      const tool = (called: string) => tools.find(({ name }) => name === called);
      const reason = 'Calls wait for a person, unless a policy allows exactly their arguments.';
      expect(tool('write_note')?._meta).toEqual({ 'assentry/held': reason });
      expect(tool('write_note')?.description?.includes(`Assentry: ${reason}`)).toBe(describesHeld);
      expect(tool('read_note')?._meta).toBeUndefined();
      expect(tool('read_note')?.description ?? '').not.toContain('Assentry');
    },
  );

  test('that outlasts the hold is pending, and awaitElicitationResult brings the result of the one run', async () => {
    const { client } = await connect({ holdTimeoutMs: 150 });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('awaitElicitationResult');
    const first = await callTool(client, 'write_note', { text: 'late' });
    const { elicitId = '' } = pendingOf(first) ?? {};
    expect(elicitId).toMatch(/^eli_/);
    await approver.vote(elicitId, 'accept');
    const second = await connect({ holdTimeoutMs: 10_000 });
    expect(textOf(await callTool(second.client, 'awaitElicitationResult', { elicitId }))).toBe('wrote late');
    expect(notes.done().filter((line) => line === 'wrote late')).toHaveLength(1);
  });

  test('that its client cancels does not run, even if it is approved then', async () => {
    const { client } = await connect();
    const cancelling = new AbortController();
    const result = callTool(client, 'write_note', { text: 'cancelled' }, { signal: cancelling.signal });
    result.catch(() => {});
    const { id } = await findRequest(approver, message('write_note'));
    cancelling.abort('changed my mind');
    await expect(result).rejects.toThrow();
    await until(async () => (await approver.show(id)).caller === 'gone');
    await approver.vote(id, 'accept');
    expect(textOf(await callTool(client, 'read_note', { text: 'after' }))).toBe('read after');
    expect(notes.done()).not.toContain('wrote cancelled');
  });

  test('for a task waits before there is a task, and if it is declined there is none', async () => {
    const { client } = await connect();
    const params = { name: 'write_note', arguments: { text: 'task' }, task: { ttl: 60_000 } };
    const refused = client
      .request({ method: 'tools/call', params }, CreateTaskResultSchema)
      .catch((error: unknown) => error);
    const { id } = await findRequest(approver, message('write_note'));
    await approver.vote(id, 'decline');
    expect(await refused).toMatchObject({ code: -32603, data: { code: 'declined' } });
    expect(notes.done()).not.toContain('wrote task');
  });

  test('is held while an approver asks the person at the client, and the server hears nothing of it', async () => {
    const requests: string[] = [];
    const person = makeClient(({ message: question }) => {
      requests.push(question);
      return { action: 'accept', content: { ticket: 'OPS-1' } };
    });
    const { client, wrapped } = await connect({}, person);
    const result = callTool(client, 'write_note', { text: 'asked' });
    const { id } = await findRequest(approver, message('write_note'));
    const { digest } = await approver.show(id);
    const schema = { type: 'object', properties: { ticket: { type: 'string' } } };
    const body = { digest, message: 'Which ticket?', schema };
    expect((await approver.call('POST', `/api/elicitations/${id}/inquiry`, body)).status).toBe(200);
    await until(async () => (await approver.show(id)).remarks.some(({ kind }) => kind === 'reply'));
    expect(requests).toEqual([expect.stringContaining('Which ticket?')]);
    await approver.vote(id, 'accept');
    expect(textOf(await result)).toBe('wrote asked');
    expect(wrapped.warnings).toEqual([]);
  });
});

test('a stop reaches a tool that passes by a policy, in the middle of a connection', async () => {
  const { client } = await connect();
  const read = async () => (await callTool(client, 'read_note', { text: 'b' })).isError === true;
  expect(await read()).toBe(false);
  const admin = await server.newUser('admin');
  const response = await admin.call('POST', '/api/stops', { reason: 'We look into it.', tool: 'read_note' });
  expect(response.status).toBe(201);
  await until(read);
  expect(await read()).toBe(true);
});

describe('reading', () => {
  const read = async ({ client }: Awaited<ReturnType<typeof connect>>) =>
    (await client.readResource({ uri: 'file:///notes/first' })).contents;
  const contents = [{ uri: 'file:///notes/first', text: 'one' }];
  const asking = 'policy: reading-notes\nmatch: { tool: assentry.resource }\n';
  const retired = 'policy: reading-notes\nretire: { reason: Done. }\n';

  test('passes unless a policy names it, opens no request, and is in the log without its address', async () => {
    await server.applyPolicies(['policy: everything\nrequire: { stages: [{ name: One, approvers: anyone }] }\n']);
    const connection = await connect();
    expect(await read(connection)).toEqual(contents);
    await connection.wrapped.close();
    expect(await count("elicitation WHERE tool = 'assentry.resource'")).toBe(0);
    const passed = "audit_log WHERE type = 'call.passed' AND entry ->> 'tool' = 'assentry.resource'";
    expect(await count(passed)).toBe(1);
    expect(await count("passed_call WHERE tool = 'assentry.resource'")).toBe(1);
    expect(await count(`${passed} AND entry::text LIKE '%notes%first%'`)).toBe(0);
  });

  test.each(['note://delete?all', 'file:///notes/first?then=delete', 'data:text/plain,x', 'FILES:///notes/first'])(
    'of %s, which names no file and no page or asks something of it, waits until a policy names it',
    async (uri) => {
      await server.applyPolicies(['policy: everything\nallow: { ceiling: medium }\n', retired]);
      const { client, wrapped } = await connect();
      const reading = client.readResource({ uri });
      reading.catch(() => {});
      const { id } = await findRequest(approver, 'Pass resources/read to notes?');
      expect(JSON.stringify(await approver.show(id))).toContain(uri);
      await approver.vote(id, 'decline');
      await expect(reading).rejects.toMatchObject({ data: { code: 'declined' } });
      await server.applyPolicies([
        `${asking}when: request.args.uri == ${JSON.stringify(uri)}\nallow: { ceiling: medium }\n`,
      ]);
      await expect(client.readResource({ uri })).rejects.toThrow('not found');
      await wrapped.close();
    },
  );

  test('waits for an approver if a policy asks for one, and is an error with a code if they decline', async () => {
    await server.applyPolicies([`${asking}require: { stages: [{ name: One, approvers: anyone }] }\n`]);
    const connection = await connect();
    const question = 'Pass resources/read to notes?';
    const first = read(connection);
    const { id } = await findRequest(approver, question);
    expect(JSON.stringify(await approver.show(id))).toContain('file:///notes/first');
    await approver.vote(id, 'accept');
    expect(await first).toEqual(contents);
    const second = read(connection);
    second.catch(() => {});
    await approver.vote((await findRequest(approver, question)).id, 'decline');
    await expect(second).rejects.toMatchObject({ code: -32603, data: { code: 'declined' } });
    await server.applyPolicies([`${asking}deny: { reason: These are private. }\n`]);
    await expect(read(connection)).rejects.toThrow('These are private.');
  });
});
