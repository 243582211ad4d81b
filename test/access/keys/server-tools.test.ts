import { afterAll, expect, test } from '@jest/globals';
import { routes } from '#platform/http/contract/openapi';
import type { ServerTool, ToolList } from '#access/keys/contract/key';
import { toolPolicyName } from '#access/keys/verbs/tools';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { publish } from '../../support/requests/policies.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const admin = await openBrowser(two.nodes[0], 'admin');
const asking = askingAt(two.nodes[1].url, await two.nodes[0].newServerKey('files'));
await publish(
  two.nodes[0],
  'policy: reading\nmatch: { annotations: { readOnlyHint: true } }\nallow: { ceiling: medium }',
  'policy: closed\nmatch: { tool: drop }\ndeny: { reason: No. }',
  'policy: small\nmatch: { tool: pay }\nwhen: request.args.amount < 9\nallow: { ceiling: medium }',
);

const [first, second, third] = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32));
const toolOf = (name: string, parts: object = {}) => ({
  name,
  annotations: {},
  definition: first,
  changed: null,
  ...parts,
});
const report = (tools: object[], by = asking) => by.call('POST', '/v1/tools', { tools });
const idOf = async (name: string) =>
  (await two.nodes[0].engine.directory.read()).servers.find((server) => server.name === name)?.id;
const list = async (by = admin) => by.call('GET', `/api/servers/${await idOf('files')}/tools`);
const shown = async (): Promise<Record<string, ServerTool>> => {
  const { tools } = await json<ToolList>(list());
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
};
const logged = (tool: string) =>
  two.query(
    `SELECT entry FROM audit_log WHERE type IN ('tool.changed', 'tool.accepted') AND entry->>'tool' = $1 ${asWritten}`,
    [tool],
  );

test('administrators see which tools there are, what became of requests, and what the policies say', async () => {
  const readOnly = { annotations: { readOnlyHint: true } };
  expect((await report([toolOf('list', readOnly), toolOf('drop'), toolOf('pay'), toolOf('write')])).status).toBe(204);
  await asking.open({ tool: { name: 'drop' } });
  await asking.open({ tool: { name: 'write' } });
  await asking.open({ tool: { name: 'unseen' } });
  const tools = await shown();
  expect(tools['list']).toMatchObject({
    seen: { annotations: { readOnlyHint: true }, definition: first, changed: null },
    rule: { outcome: 'allow', policy: 'reading@1', varies: false },
    policyName: 'files-list',
    request: null,
  });
  expect(tools['drop']).toMatchObject({ outcomes: { open: 0, declined: 1 }, rule: { outcome: 'deny' } });
  expect(tools['pay']).toMatchObject({ rule: { varies: true } });
  expect(tools['write']).toMatchObject({ outcomes: { open: 1, accepted: 0 }, rule: { outcome: 'require' } });
  expect(tools['unseen']).toMatchObject({ seen: null, rule: null, outcomes: { open: 1 } });
  expect(routes.listTools.success[200].safeParse(await (await list()).json()).success).toBe(true);
});

test('a changed definition is in the log once, with the request that asks about it, and so is its acceptance', async () => {
  await report([toolOf('edit')]);
  expect(await logged('edit')).toEqual([]);
  const changed = [toolOf('edit', { changed: second })];
  await Promise.all([report(changed), report(changed, asking.at(two.nodes[0].url)), report(changed)]);
  const question = { tool: { name: 'assentry.definition' }, arguments: { server: 'files', tool: 'edit' } };
  const { id } = await asking.open(question);
  expect((await shown())['edit']).toMatchObject({ seen: { definition: first, changed: second }, request: id });
  await report([toolOf('edit', { definition: second })]);
  await report([toolOf('edit', { definition: second, changed: third })]);
  expect(await logged('edit')).toMatchObject([
    { type: 'tool.changed', serverName: 'files', accepted: first, changed: second },
    { type: 'tool.accepted', accepted: second, before: first },
    { type: 'tool.changed', accepted: second, changed: third },
  ]);
});

test('only administrators read it, and a key reports only its own server and the tools it is for', async () => {
  for (const role of ['approver', 'reviewer'] as const)
    expect((await list(await openBrowser(two.nodes[0], role))).status).toBe(403);
  const response = await admin.call('POST', '/api/keys', { server: 'files', tools: ['own_*'] });
  const narrow = askingAt(two.nodes[0].url, (await json<{ key: string }>(response)).key);
  const other = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('other'));
  await report([toolOf('own_one'), toolOf('foreign')], narrow);
  await report([toolOf('elsewhere')], other);
  const tools = await shown();
  expect([tools['own_one'], tools['foreign'], tools['elsewhere']]).toMatchObject([
    { seen: { definition: first } },
    undefined,
    undefined,
  ]);
});

test('a report without end is refused, and the tools of a server are', async () => {
  expect((await report(Array.from({ length: 101 }, (_, at) => toolOf(`t${at}`)))).status).toBe(400);
  const many = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('many'));
  for (let page = 0; page < 11; page += 1)
    await report(
      Array.from({ length: 100 }, (_, at) => toolOf(`t${page}_${at}`)),
      many,
    );
  const [rows] = await two.query(
    `SELECT json_build_object('count', count(*)) AS entry FROM server_tool t JOIN server s ON s.id = t.server_id WHERE s.name = 'many'`,
  );
  expect(rows).toEqual({ count: 1_000 });
});

test('no two tools have one policy', () => {
  const names = [
    ['files', 'write_file'],
    ['files', 'write-file'],
    ['files', 'WRITE-FILE'],
    ['files-write', 'file'],
    ['files', 'write.file'],
    ['files', 'x'.repeat(100)],
    ['files', `${'x'.repeat(100)}y`],
  ].map(([server = '', tool = '']) => toolPolicyName(server, tool));
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z0-9-]{1,64}$/.test(name))).toEqual([]);
});
