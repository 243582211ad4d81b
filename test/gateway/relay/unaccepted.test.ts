import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient } from '#sdk/client/client';
import { listPins, unacceptedIn } from '#gateway/tools/pins';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import { callTool, findRequest, listRequests, makeClient, textOf } from '../../sdk/mcp/peers.ts';
import { json } from '../../support/json.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { listedServer } from '../listed-server.ts';
import { startWrapped, type WrappedServer } from '../peers.ts';

// What an unknown server claims frees nothing until someone has accepted its definitions.

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
const byHint = 'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }\n';
await server.applyPolicies([byHint]);

const claiming = (name: string) => ({
  name,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  annotations: { readOnlyHint: true },
});
const [list, count] = [claiming('list_things'), claiming('count_things')];
const question = (...names: string[]): string =>
  `Accept that these tools of notes only read, as the server says? ${names.join(', ')}`;

const open: WrappedServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
  for (const { id } of await listRequests(approver)) await approver.vote(id, 'decline');
});

interface Place {
  words: string[];
  pins?: string;
  assentry?: ReturnType<typeof createClient>;
  client?: ReturnType<typeof makeClient>;
}

const newKey = async () => createClient({ url: server.url, apiKey: await server.newServerKey(newName()) });
let keys = 0;
const newName = (): string => `unknown-${(keys += 1)}`;

/** A client behind the gateway, which has listed the tools once. */
async function connect({ words, pins = newFolder(), assentry, client = makeClient() }: Place) {
  const wrapped = startWrapped(words, { client: assentry ?? (await newKey()), pins, holdTimeoutMs: 400 });
  open.push(wrapped);
  await client.connect(wrapped as unknown as Transport);
  await client.listTools();
  const isFree = async (name: string): Promise<boolean> =>
    textOf(await callTool(client, name, { id: `${Math.random()}` })) === `ran ${name}`;
  return { wrapped, client, pins, isFree };
}

const decide = async (message: string, action: 'accept' | 'decline'): Promise<void> => {
  const { id } = await findRequest(approver, message);
  expect((await approver.vote(id, action)).status).toBe(200);
};

test('a call of a tool that claims to read waits, its request says why, and one acceptance frees the whole list', async () => {
  const { words } = listedServer(list, count);
  const { isFree, client, wrapped } = await connect({ words });
  expect(wrapped.warnings.join()).toContain('It says that "list_things", "count_things" only read');
  expect(await isFree('list_things')).toBe(false);
  const { id } = await findRequest(approver, 'Run list_things on notes?');
  const view = await json<ElicitationDetail>(approver.call('GET', `/api/elicitations/${id}`));
  expect(view.policy.terms[0]).toEqual({ kind: 'raised', because: 'unaccepted-definition' });
  await decide(question('list_things', 'count_things'), 'accept');
  await until(() => isFree('list_things'));
  expect(await isFree('count_things')).toBe(true);
  const { tools } = await client.listTools();
  expect(tools.filter(({ _meta: meta }) => meta?.['assentry/held'] !== undefined)).toEqual([]);
});

test('a tool that comes later waits, although the others of its server are accepted', async () => {
  const upstream = listedServer(list);
  const { isFree, pins } = await connect({ words: upstream.words });
  await decide(question('list_things'), 'accept');
  await until(() => isFree('list_things'));
  upstream.list(list, count);
  const later = await connect({ words: upstream.words, pins });
  expect([await later.isFree('list_things'), await later.isFree('count_things')]).toEqual([true, false]);
  expect((await findRequest(approver, question('count_things'))).message).toBeTruthy();
});

test('a hint that appears after acceptance blocks the tool, and does not free it', async () => {
  const upstream = listedServer(list, { ...count, annotations: {} });
  const { isFree, pins } = await connect({ words: upstream.words });
  await decide(question('list_things'), 'accept');
  await until(() => isFree('list_things'));
  upstream.list(list, count);
  const later = await connect({ words: upstream.words, pins });
  await expect(later.isFree('count_things')).rejects.toThrow('it has changed');
});

test('an acceptance counts where it was given: not for another gateway, nor for another server under the name', async () => {
  const upstream = listedServer(list);
  const assentry = await newKey();
  const { isFree, pins } = await connect({ words: upstream.words, assentry });
  await decide(question('list_things'), 'accept');
  await until(() => isFree('list_things'));
  expect(await (await connect({ words: upstream.words })).isFree('list_things')).toBe(false);
  const other = await connect({ words: listedServer(list).words, pins, assentry });
  await expect(other.isFree('list_things')).rejects.toThrow('Nothing was run');
});

test('what people refused is asked about no more, and waits in every later session', async () => {
  const upstream = listedServer(list);
  const assentry = await newKey();
  const { pins, wrapped } = await connect({ words: upstream.words, assentry });
  await decide(question('list_things'), 'decline');
  await wrapped.close();
  const later = await connect({ words: upstream.words, pins, assentry });
  expect(await later.isFree('list_things')).toBe(false);
  expect(later.wrapped.warnings.join()).not.toContain('It says that');
  expect((await listRequests(approver)).map(({ message }) => message)).not.toContain(question('list_things'));
});

test('no client accepts definitions, whatever it answers and whatever is left to it', async () => {
  const confirm = 'policy: everything\nmatch: { tool: "*" }\nconfirm: { ceiling: high }\n';
  await server.applyPolicies([confirm]);
  const messages: string[] = [];
  const client = makeClient(({ message }) => {
    messages.push(message);
    return { action: 'accept', content: { decision: 'approve' } };
  });
  const { isFree, pins } = await connect({ words: listedServer(list).words, client });
  expect(await isFree('list_things')).toBe(true); // once, by the yes of its person
  expect(messages).toHaveLength(1);
  expect(await isFree('list_things')).toBe(true);
  expect(messages).toHaveLength(2);
  expect(messages.join()).not.toContain('Accept that');
  expect(await unacceptedIn(await listPins(pins))).toMatchObject([
    { server: 'notes', tools: [{ name: 'list_things' }] },
  ]);
});

test('people are asked about definitions only where that would free a call', async () => {
  await server.applyPolicies([
    'policy: everyone\nmatch: { tool: "*" }\nrequire: { stages: [{ name: S, approvers: anyone }] }\n',
  ]);
  const { isFree, wrapped } = await connect({ words: listedServer(list).words });
  expect(await isFree('list_things')).toBe(false);
  expect(wrapped.warnings.join()).not.toContain('It says that');
});
