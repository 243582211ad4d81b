import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createClient } from '#sdk/client/client';
import type { ElicitationDetail } from '#requests/inbox/contract/inbox';
import type { PolicyDetail, PolicyList } from '#policies/contract/documents';
import { callTool, findRequest, listRequests, makeClient, textOf } from '../../sdk/mcp/peers.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { newFolder } from '../../support/new-folder.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { until } from '../../support/poll.ts';
import { listedServer } from '../listed-server.ts';
import { startWrapped, withoutOwn, type WrappedServer } from '../peers.ts';

// People look once at the tools of a server that no one knows. Their answer is a policy; until then, each call waits.

const server = await startTestServer();
afterAll(() => server.stop());
const approver = await server.newUser('approver');
const admin = await openBrowser(server, 'admin');
const reading = 'policy: reading-tools\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: low }\n';
await server.applyPolicies([reading]);

const tool = (name: string, annotations: object = {}, more: object = {}) => ({
  name,
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, ...more } },
  annotations,
});
const claim = { readOnlyHint: true };
const [list, count, write, drop] = [
  tool('list_things', claim),
  tool('count_things'),
  tool('write_thing'),
  tool('remove_thing', { destructiveHint: true }),
] as const;
const find = tool('find_things', claim, { filter: { type: 'object' } });
const everything = [list, count, find, write, drop];

const open: WrappedServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
  for (const { id } of await listRequests(approver)) await approver.vote(id, 'decline');
});

let names = 0;
/** A server's key at this node, with its name there. */
async function newKey(at = server) {
  const name = `unknown-${(names += 1)}`;
  return { name, assentry: createClient({ url: at.url, apiKey: await at.newServerKey(name) }) };
}

interface Place {
  words: string[];
  assentry: ReturnType<typeof createClient>;
  pins?: string;
  client?: ReturnType<typeof makeClient>;
}

/** A client behind the gateway, which has listed the tools once. */
async function connect({ words, assentry, pins = newFolder(), client = makeClient() }: Place) {
  const wrapped = startWrapped(words, { client: assentry, pins, holdTimeoutMs: 400 });
  open.push(wrapped);
  await client.connect(wrapped as unknown as Transport);
  const { tools } = await client.listTools();
  const isFree = async (name: string, args: object = { id: `${Math.random()}` }): Promise<boolean> =>
    textOf(await callTool(client, name, args as Record<string, unknown>)) === `ran ${name}`;
  return { wrapped, client, pins, isFree, tools };
}

const looks = async (of = 'New '): Promise<string[]> =>
  (await listRequests(approver)).map(({ message }) => message ?? '').filter((message) => message.startsWith(of));

/** The administrator's answer; what is in neither list is held. */
async function answer(message: string, content: { believe?: string[]; block?: string[] }): Promise<Response> {
  const { id } = await findRequest(approver, message);
  return admin.vote(await admin.show(id), { content, opened: [''] });
}

/** The approver's answer. */
async function approve(id: string, content: object): Promise<Response> {
  const { digest } = await admin.show(id);
  return approver.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', digest, content, opened: [''] });
}

const policyAbout = async (name: string): Promise<PolicyDetail[]> => {
  const { policies } = await json<PolicyList>(admin.call('GET', '/api/policies?limit=200'));
  const own = policies.filter((policy) => policy.name.startsWith(`tools-of-${name}-`) && policy.published);
  return Promise.all(
    own.map((policy) =>
      json<PolicyDetail>(admin.call('GET', `/api/policies/${policy.name}/versions/${policy.latest.version}`)),
    ),
  );
};

test('on the first day one question comes; then what is believed runs, the rest waits, and what is blocked is gone', async () => {
  const { name, assentry } = await newKey();
  const { words } = listedServer(...everything);
  const { isFree, client, tools } = await connect({ words, assentry });
  expect(withoutOwn(tools)).toEqual(everything);
  for (const each of everything) expect(await isFree(each.name)).toBe(false);
  expect(await looks()).toEqual(['New server: notes, 5 tools']);
  const waits = await admin.show((await findRequest(approver, 'Run list_things on notes?')).id);
  expect(waits.policy.terms[0]).toEqual({ kind: 'raised', because: 'unaccepted-definition' });
  const { id } = await findRequest(approver, 'New server: notes, 5 tools');
  const shown = await admin.show(id);
  expect([shown.risk, shown.tool.reaches]).toEqual(['high', words.join(' ')]);
  expect(shown.schema).toMatchObject({ properties: { believe: { default: ['list_things', 'count_things'] } } });
  const args = JSON.parse(shown.arguments) as { tools: { name: string; group: string; because: string }[] };
  expect(args.tools.map(({ name: of, group, because }) => [of, group, because])).toEqual([
    ['list_things', 'reads', 'hint'],
    ['count_things', 'reads', 'name'],
    ['find_things', 'unsure', 'argument'],
    ['write_thing', 'writes', 'name'],
    ['remove_thing', 'writes', 'hint'],
  ]);
  const voted = await answer('New server: notes, 5 tools', {
    believe: ['list_things', 'count_things'],
    block: ['remove_thing'],
  });
  expect(await voted.json()).toMatchObject({ status: 'accepted' });
  await until(() => isFree('list_things'));
  expect(await Promise.all(['count_things', 'find_things', 'write_thing'].map((of) => isFree(of)))).toEqual([
    true,
    false,
    false,
  ]);
  await expect(isFree('remove_thing')).resolves.toBe(false);
  const left = (await client.listTools()).tools;
  expect(withoutOwn(left)).toEqual([list, count, find, write]);
  const waiting = left.filter(({ _meta: meta }) => meta?.['assentry/held'] !== undefined);
  expect(waiting.map(({ name: of }) => of)).toEqual(['find_things', 'write_thing']);
  expect(await looks()).toEqual([]);
  const [policy] = await policyAbout(name);
  expect(policy).toMatchObject({ version: 1, reviewer: { id: admin.user.id }, note: `Written from ${id}` });
});

test('a believed tool waits with an argument that its definition does not have, of another type, or like an option', async () => {
  const { assentry } = await newKey();
  const { isFree } = await connect({ words: listedServer(list, find).words, assentry });
  await answer('New server: notes, 2 tools', { believe: ['list_things', 'find_things'] });
  await until(() => isFree('list_things'));
  expect(await isFree('find_things', { filter: { any: 1 } })).toBe(true); // someone has said so
  for (const args of [{ id: 'x', cmd: 'y' }, { id: 1 }, { id: { $ne: null } }, { id: '--output=x' }])
    expect([args, await isFree('list_things', args)]).toEqual([args, false]);
});

test('a definition that changes asks for what changed alone, and the others go on', async () => {
  const { name, assentry } = await newKey();
  const upstream = listedServer(list, count);
  const { isFree, pins } = await connect({ words: upstream.words, assentry });
  await answer('New server: notes, 2 tools', { believe: ['list_things', 'count_things'] });
  await until(() => isFree('list_things'));
  const changed = { ...count, description: 'Counts things.' };
  upstream.list(list, changed);
  const later = await connect({ words: upstream.words, assentry, pins });
  expect(await later.isFree('list_things')).toBe(true);
  await expect(later.isFree('count_things')).rejects.toThrow('it has changed');
  expect(await looks()).toEqual([]);
  const question = 'Accept the changed definition of count_things on notes?';
  expect(await looks('Accept')).toEqual([question]);
  expect((await answer(question, { believe: ['count_things'] })).status).toBe(200);
  await until(() => later.isFree('count_things').catch(() => false));
  expect(await later.isFree('list_things')).toBe(true);
  expect(await policyAbout(name)).toHaveLength(2);
  expect(await looks()).toEqual([]);
});

test('a changed definition that is accepted without belief is shown, and waits', async () => {
  const { assentry } = await newKey();
  const upstream = listedServer(list);
  const { isFree, pins } = await connect({ words: upstream.words, assentry });
  await answer('New server: notes, 1 tool', { believe: ['list_things'] });
  await until(() => isFree('list_things'));
  upstream.list({ ...list, description: 'Lists things.' });
  const later = await connect({ words: upstream.words, assentry, pins });
  const { id } = await findRequest(approver, 'Accept the changed definition of list_things on notes?');
  expect((await approve(id, { believe: [], block: [] })).status).toBe(200);
  await until(async () => (await later.client.listTools()).tools.some((each) => each.name === 'list_things'));
  expect(await later.isFree('list_things')).toBe(false);
});

test('a hint that appears after acceptance blocks the tool, and does not free it', async () => {
  const { assentry } = await newKey();
  const upstream = listedServer(list, count);
  const { isFree, pins } = await connect({ words: upstream.words, assentry });
  await answer('New server: notes, 2 tools', { believe: ['list_things', 'count_things'] });
  await until(() => isFree('count_things'));
  upstream.list(list, { ...count, annotations: claim });
  const later = await connect({ words: upstream.words, assentry, pins });
  await expect(later.isFree('count_things')).rejects.toThrow('it has changed');
});

test('a tool that comes later is asked about by itself, and waits although the others are believed', async () => {
  const { assentry } = await newKey();
  const upstream = listedServer(list);
  const { isFree, pins } = await connect({ words: upstream.words, assentry });
  await answer('New server: notes, 1 tool', { believe: ['list_things'] });
  await until(() => isFree('list_things'));
  upstream.list(list, count);
  const later = await connect({ words: upstream.words, assentry, pins });
  expect([await later.isFree('list_things'), await later.isFree('count_things')]).toEqual([true, false]);
  expect(await looks()).toEqual(['New tools of notes: 1 tool']);
});

test('a server at another place asks again, whatever it is called and however it describes its tools', async () => {
  const { assentry } = await newKey();
  const { isFree, pins } = await connect({ words: listedServer(list).words, assentry });
  await answer('New server: notes, 1 tool', { believe: ['list_things'] });
  await until(() => isFree('list_things'));
  const other = await connect({ words: listedServer(list).words, pins, assentry });
  await expect(other.isFree('list_things')).rejects.toThrow('Nothing was run');
  const elsewhere = await connect({ words: listedServer(list).words, assentry }); // no pin of the first is there
  expect(await elsewhere.isFree('list_things')).toBe(false);
  await until(async () => (await looks()).includes('New server: notes, 1 tool'));
});

test('only who may publish policies believes or blocks; without that, an approval holds everything and is asked no more', async () => {
  const { name, assentry } = await newKey();
  const upstream = listedServer(list, write);
  const { isFree, pins, wrapped } = await connect({ words: upstream.words, assentry });
  const { id } = await findRequest(approver, 'New server: notes, 2 tools');
  for (const content of [{ believe: ['list_things'] }, { block: ['write_thing'] }]) {
    const refused = await approve(id, { believe: [], block: [], ...content });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'forbidden' }]);
  }
  expect(await policyAbout(name)).toEqual([]);
  expect((await approve(id, { believe: [], block: [] })).status).toBe(200);
  expect(await policyAbout(name)).toEqual([]);
  expect(await isFree('list_things')).toBe(false);
  await until(() => wrapped.seen.some(({ method }) => method === 'notifications/tools/list_changed'));
  const later = await connect({ words: upstream.words, assentry, pins });
  expect([await later.isFree('list_things'), await looks()]).toEqual([false, []]);
});

test('nothing is approved unseen', async () => {
  const { name, assentry } = await newKey();
  await connect({ words: listedServer(...everything).words, assentry });
  const { id } = await findRequest(approver, 'New server: notes, 5 tools');
  const refused = await admin.vote(await admin.show(id), { content: { believe: ['list_things'] } });
  expect(await refused.json()).toMatchObject({ refusal: { code: 'open-long', values: { values: '/tools' } } });
  expect(await policyAbout(name)).toEqual([]);
});

test('nothing is believed that the request does not offer', async () => {
  const { assentry } = await newKey();
  await connect({ words: listedServer(list, drop).words, assentry });
  expect((await answer('New server: notes, 2 tools', { believe: ['remove_thing'] })).status).toBe(400);
  expect((await answer('New server: notes, 2 tools', { believe: ['other'] })).status).toBe(400);
});

test('what people declined waits in every later session, and is asked about no more', async () => {
  const { assentry } = await newKey();
  const upstream = listedServer(list, write);
  const { pins, wrapped } = await connect({ words: upstream.words, assentry });
  const { id } = await findRequest(approver, 'New server: notes, 2 tools');
  expect((await approver.vote(id, 'decline')).status).toBe(200);
  await wrapped.close();
  const later = await connect({ words: upstream.words, pins, assentry });
  expect([await later.isFree('list_things'), await looks()]).toEqual([false, []]);
});

test('of two who answer at once, one is heard, and the policy in force is theirs', async () => {
  const { name, assentry } = await newKey();
  await connect({ words: listedServer(list, write).words, assentry });
  const { id } = await findRequest(approver, 'New server: notes, 2 tools');
  const second = await openBrowser(server, 'admin');
  const contents = [{ believe: ['list_things'] }, { block: ['list_things'] }];
  const votes = await Promise.all(
    [admin, second].map(async (by, at) => by.vote(await by.show(id), { content: contents[at], opened: [''] })),
  );
  const winner = votes.findIndex(({ status }) => status === 200);
  expect(votes.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const policies = await policyAbout(name);
  expect(policies.map(({ version }) => version)).toEqual([1]);
  expect(policies[0]?.document.includes('allow:')).toBe(winner === 0);
});

test('a refusal at the same time as an answer leaves no policy of what was refused', async () => {
  const { name, assentry } = await newKey();
  await connect({ words: listedServer(list).words, assentry });
  const { id } = await findRequest(approver, 'New server: notes, 1 tool');
  const shown = await admin.show(id);
  await Promise.all([
    admin.vote(shown, { content: { believe: ['list_things'] }, opened: [''] }),
    approver.vote(id, 'decline'),
  ]);
  const { status } = await json<ElicitationDetail>(admin.call('GET', `/api/elicitations/${id}`));
  expect(await policyAbout(name)).toHaveLength(status === 'accepted' ? 1 : 0);
});

test('the exported answer holds at an empty node and a new gateway, without a question', async () => {
  const { name, assentry } = await newKey();
  const upstream = listedServer(...everything);
  const { isFree } = await connect({ words: upstream.words, assentry });
  await answer('New server: notes, 5 tools', { believe: ['list_things', 'count_things'], block: ['remove_thing'] });
  await until(() => isFree('list_things'));
  const exported = (await policyAbout(name)).map(({ document }) => document);
  const empty = await startTestServer();
  try {
    const reader = await empty.newUser('approver');
    await empty.applyPolicies([reading, ...exported]);
    const key = createClient({ url: empty.url, apiKey: await empty.newServerKey(name) });
    const there = await connect({ words: upstream.words, assentry: key });
    expect(withoutOwn(there.tools)).toEqual([list, count, find, write]);
    expect(await Promise.all(['list_things', 'count_things', 'write_thing'].map((of) => there.isFree(of)))).toEqual([
      true,
      true,
      false,
    ]);
    const requests = await listRequests(reader);
    expect(requests.map(({ message }) => message)).toEqual(['Run write_thing on notes?']);
  } finally {
    await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
    await empty.stop();
  }
});

test('in production a second administrator agrees before anything is believed', async () => {
  const production = await startTestServer({ environment: 'production' });
  try {
    const { name, assentry } = await newKey(production);
    const [author, second] = [await openBrowser(production, 'admin'), await openBrowser(production, 'admin')] as const;
    const { isFree } = await connect({ words: listedServer(list, write).words, assentry });
    const reader = await production.newUser('approver');
    const { id } = await findRequest(reader, 'New server: notes, 2 tools');
    const vote = { content: { believe: ['list_things'] }, opened: [''] };
    // No one has checked who the requester is, so two people approve; the answer is that of the last one.
    expect(await (await second.vote(await second.show(id), vote)).json()).toMatchObject({ status: 'open' });
    expect(await (await author.vote(await author.show(id), vote)).json()).toMatchObject({ status: 'accepted' });
    expect(await isFree('list_things')).toBe(false);
    const { policies } = await json<PolicyList>(second.call('GET', '/api/policies'));
    const draft = policies.find((policy) => policy.name.startsWith(`tools-of-${name}`))?.latest;
    expect(draft).toMatchObject({ state: 'in-review', isPublished: false });
    const path = `/api/policies/${draft?.name}/versions/${draft?.version}`;
    const body = { verdict: 'approve', digest: draft?.digest };
    expect((await second.call('POST', `${path}/review`, body)).status).toBe(200);
    expect(await isFree('list_things')).toBe(false); // until it is published, as any other policy
  } finally {
    await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
    await production.stop();
  }
});

test('no client answers a look, whatever it says and whatever is left to it', async () => {
  const node = await startTestServer();
  try {
    await node.newUser('approver');
    await node.applyPolicies(['policy: everything\nmatch: { tool: "*_*" }\nconfirm: { ceiling: high }\n']);
    const messages: string[] = [];
    const client = makeClient(({ message }) => {
      messages.push(message);
      return { action: 'accept', content: { decision: 'approve' } };
    });
    const { assentry } = await newKey(node);
    const { isFree } = await connect({ words: listedServer(list).words, assentry, client });
    expect(await isFree('list_things')).toBe(true); // once, by the yes of its person
    expect(await isFree('list_things')).toBe(true);
    expect([messages.length, messages.join().includes('New')]).toEqual([2, false]);
  } finally {
    await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
    await node.stop();
  }
});

test('where a policy decides about the tools, no one is asked to look', async () => {
  const node = await startTestServer();
  try {
    await node.newUser('approver');
    await node.applyPolicies([
      'policy: everyone\nmatch: { tool: "*" }\nrequire: { stages: [{ name: S, approvers: anyone }] }\n',
    ]);
    const { assentry } = await newKey(node);
    const { isFree, wrapped } = await connect({ words: listedServer(list, write).words, assentry });
    expect(await isFree('list_things')).toBe(false);
    expect(wrapped.warnings.join()).not.toContain('No one has looked');
  } finally {
    await Promise.all(open.splice(0).map((wrapped) => wrapped.close()));
    await node.stop();
  }
});
