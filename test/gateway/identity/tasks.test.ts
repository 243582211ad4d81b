import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createClient } from '#sdk/client/client';
import { closedAfterEach } from '../../support/closed-after-each.ts';
import { startIssuer } from '../../support/nodes/issuer.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { startGates } from '../http/peers.ts';
import { post } from '../http/raw-post.ts';
import { meta } from '../http/raw-request.ts';
import { startScripted, streamTo, textResult, type Heard } from '../http/scripted-server.ts';
import { startSharedTasks } from './shared-tasks.ts';
import { readingPolicy } from '../reading-policy.ts';

const origin = 'https://gate.example.com';

let upstream: Awaited<ReturnType<typeof startSharedTasks>>;
const open = closedAfterEach();

const [server, issuer] = await Promise.all([startTestServer(), startIssuer()]);
afterAll(async () => {
  await issuer.close();
  await server.stop();
});
const assentry = createClient({ url: server.url, apiKey: await server.newServerKey('notes') });
await server.applyPolicies([readingPolicy]);
process.env['GATE_SECRET'] = 'one secret of all nodes';

const byIssuer = (more: object = {}) => ({
  url: origin,
  authorization: { issuer: issuer.issuer, jwks: `${issuer.url}/jwks`, ...more },
});
const shared = { sessionSecret: { env: 'GATE_SECRET' } };

async function start(url: string, more: Record<string, unknown>) {
  const gateway = await startGates({ upstreams: { notes: { url } }, clientFor: () => assentry, more });
  open.push(() => gateway.close());
  return { notes: `${gateway.url}/u/notes/mcp`, merged: `${gateway.url}/mcp` };
}

async function startTasks() {
  upstream = await startSharedTasks();
  open.push(() => upstream.close());
  return upstream.url;
}

const bearer = async (sub: string) => ({
  authorization: `Bearer ${await issuer.sign({ sub, aud: [`${origin}/mcp`] })}`,
});

async function connectAs(url: string, sub: string | null): Promise<Client> {
  const headers = sub === null ? {} : await bearer(sub);
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as never);
  open.push(() => client.close());
  return client;
}

/** A task of this client, which is over: its id. */
async function begin(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  const params = { name: tools[0]?.name ?? '', arguments: {}, task: {} };
  return (await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task.taskId;
}

const listed = async ({ experimental: { tasks } }: Client) =>
  (await tasks.listTasks()).tasks.map(({ taskId }) => taskId);

/** What this client gets of a task. */
const askAll = async ({ experimental: { tasks } }: Client, task: string) =>
  Promise.all(
    [tasks.getTask(task), tasks.getTaskResult(task, CallToolResultSchema), tasks.cancelTask(task)].map((answer) =>
      answer.then(JSON.stringify, ({ message }: Error) => message),
    ),
  );

describe.each(['notes', 'merged'] as const)('at %s, of a server that shows all tasks to its caller', (door) => {
  test('each person has their own in every session, and no one another’s', async () => {
    const gateway = await start(await startTasks(), byIssuer(shared));
    const [ada, bob] = [await connectAs(gateway[door], 'ada'), await connectAs(gateway[door], 'bob')];
    const [hers, his] = [await begin(ada), await begin(bob)];
    expect([await listed(ada), await listed(bob)]).toEqual([[hers], [his]]);
    const again = await connectAs(gateway[door], 'ada');
    expect(await listed(again)).toEqual([hers]);
    const [status, result] = await askAll(again, hers);
    expect([status, result]).toEqual([expect.stringContaining(hers), expect.stringContaining('her salary')]);
    const bare = door === 'merged' ? upstream.ids().map((id) => `notes/${id}`) : upstream.ids();
    for (const task of [hers, ...bare]) {
      const answers = await askAll(bob, task);
      expect(answers).toEqual(Array(3).fill(expect.stringContaining('Use a task of your own')));
    }
  });

  test('another node with the same secret serves them, and lists them once they were asked for; one without takes none', async () => {
    const url = await startTasks();
    const hers = await begin(await connectAs((await start(url, byIssuer(shared)))[door], 'ada'));
    const same = await connectAs((await start(url, byIssuer(shared)))[door], 'ada');
    expect(await listed(same)).toEqual([]);
    expect((await askAll(same, hers))[1]).toContain('her salary');
    expect(await listed(same)).toEqual([hers]);
    const other = await connectAs((await start(url, byIssuer()))[door], 'ada');
    expect((await askAll(other, hers))[1]).toContain('Use a task of your own');
  });

  test('where no one is known, each session has its own', async () => {
    const url = await startTasks();
    const gateway = await start(url, {});
    const [first, second] = [await connectAs(gateway[door], null), await connectAs(gateway[door], null)];
    const [hers, his] = [await begin(first), await begin(second)];
    expect([await listed(first), await listed(second)]).toEqual([[hers], [his]]);
    expect((await askAll(second, hers))[1]).toContain('Use a task of your own');
    expect((await askAll(first, hers))[1]).toContain('her salary');
  });
});

describe('since 2026-07-28', () => {
  const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z', ttlMs: null };
  const respond = ({ id, response }: Heard, result: object): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };

  /** A server whose tasks have numbers, and at which Ada has the first and Bob the second. */
  async function startNumbered() {
    let count = 0;
    const scripted = await startScripted({
      'tools/call': (heard) =>
        respond(heard, { resultType: 'task', taskId: `task-${(count += 1)}`, status: 'working', ...times }),
      'tasks/get': (heard) =>
        respond(heard, { ...heard.params, resultType: 'complete', status: 'completed', ...times, result: salary }),
      'subscriptions/listen': ({ id, params: { notifications } = {}, response }) => {
        const tell = streamTo(response);
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        tell({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
        tell({ method: 'notifications/tasks', params: { _meta, taskId: 'task-1', status: 'working', ...times } });
        tell({ id, result: { resultType: 'complete', _meta } });
        response.end();
      },
    });
    open.push(() => scripted.close());
    const gateway = await start(scripted.url, byIssuer(shared));
    const ask = async (sub: string, { method, params, name }: Asked) => {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': name }) };
      const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...meta, ...params._meta } } };
      return (await post(gateway.notes, body, { ...headers, ...(await bearer(sub)) })).text();
    };
    const beginAs = async (sub: string) => {
      const params = { name: 'read_note', arguments: {} };
      const [, task = ''] =
        /"taskId":"([^"]+)"/.exec(await ask(sub, { method: 'tools/call', params, name: 'read_note' })) ?? [];
      return task;
    };
    const [hers, his] = [await beginAs('ada'), await beginAs('bob')];
    return { ask, hers, his, heard: (method: string) => scripted.heard.filter((request) => request.method === method) };
  }

  interface Asked {
    method: string;
    params: Record<string, unknown> & { _meta?: object };
    name?: string;
  }

  const salary = textResult('her salary');

  test('a person asks for their task and hears of it by its own name, and no one else does', async () => {
    const { ask, hers, heard } = await startNumbered();
    expect(hers).toMatch(/\.task-1$/);
    expect(await ask('ada', { method: 'tasks/get', params: { taskId: hers }, name: hers })).toContain('her salary');
    expect(heard('tasks/get').map(({ headers }) => headers['mcp-name'])).toEqual(['task-1']);
    const params = { notifications: { taskIds: [hers, 'task-1'] } };
    const listen = (sub: string) => ask(sub, { method: 'subscriptions/listen', params });
    expect((await listen('ada')).split(hers)).toHaveLength(3);
    expect(await listen('bob')).not.toContain('task-1');
    const filters = heard('subscriptions/listen').map((request) => request.params?.['notifications']);
    expect(filters).toEqual([{ taskIds: ['task-1'] }, { taskIds: [] }]);
  });

  const related = { 'io.modelcontextprotocol/related-task': { taskId: 'task-1' } };
  const call = { name: 'read_note', arguments: {}, _meta: related };

  test.each<[string, (hers: string, his: string) => Asked]>([
    ['by its bare id', () => ({ method: 'tasks/get', params: { taskId: 'task-1' }, name: 'task-1' })],
    ['by its owner’s name of it', (hers) => ({ method: 'tasks/get', params: { taskId: hers }, name: hers })],
    [
      'in another spelling, next to their own',
      (_, his) => ({ method: 'tasks/get', params: { taskId: his, TaskID: 'task-1' }, name: his }),
    ],
    ['without a name', () => ({ method: 'tasks/get', params: {} })],
    ['by an update', () => ({ method: 'tasks/update', params: { taskId: 'task-1' }, name: 'task-1' })],
    ['as what a call is related to', () => ({ method: 'tools/call', params: call, name: 'read_note' })],
  ])('another one’s task is asked for by no one %s', async (_, request) => {
    const { ask, hers, his, heard } = await startNumbered();
    const question = request(hers, his);
    const before = heard(question.method).length;
    expect(await ask('bob', question)).toContain('Use a task of your own');
    expect(heard(question.method)).toHaveLength(before);
  });
});
