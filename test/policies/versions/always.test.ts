import { afterAll, expect, test } from '@jest/globals';
import type { AlwaysChoices, PolicyDetail, Simulation } from '#policies/contract/documents';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { json } from '../../support/json.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const server = await startTestServer();
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('files'));
const [admin, approver] = (await Promise.all([openBrowser(server, 'admin'), openBrowser(server)])) as [
  Browser,
  Browser,
];

const folder = '/home/ada/project';
const writing = (path: string, parts = {}) => ({
  tool: { name: 'write_file', annotations: { destructiveHint: true } },
  arguments: { path, content: 'x' },
  schema: { type: 'object', properties: {} },
  ...parts,
});
const choicesFor = (id: string, by = approver): Promise<AlwaysChoices> =>
  json<AlwaysChoices>(by.call('GET', `/api/elicitations/${id}/always`));
const allow = (id: string, policy: string | undefined, by = admin) =>
  by.call('POST', `/api/elicitations/${id}/always`, { policy, days: 7 });

test('a rule for a folder is written from a request, says what it lets pass, and in a trial holds at once', async () => {
  const { id } = await asking.open(writing(`${folder}/a.ts`));
  const elsewhere = await asking.open(writing('/home/ada/.bashrc'));
  const { choices } = await choicesFor(id);
  expect(choices.map(({ kind, value }) => [kind, value])).toEqual([['folder', folder]]);
  const [choice] = choices;
  const body = { document: choice?.document, last: 100, tool: 'write_file' };
  const simulation = await json<Simulation>(admin.call('POST', '/api/policies/simulate', body));
  const freed = simulation.requests.filter(({ draft }) => draft.outcome === 'allow');
  expect(freed.map(({ elicitation }) => elicitation)).toEqual([id]);
  const response = await allow(id, choice?.policy);
  const published = (await response.json()) as PolicyDetail;
  expect([response.status, published]).toMatchObject([
    200,
    { isPublished: true, author: null, reviewer: { id: admin.user.id }, alone: { because: 'trial' } },
  ]);
  expect(published.document).toContain(`inFolder(request.args.path, "${folder}")`);
  expect(published.terms).toContainEqual({ kind: 'allowed', ceiling: 'high', until: expect.any(Number) });
  expect(await asking.open(writing(`${folder}/b.ts`))).toMatchObject({ status: 'accepted' });
  for (const path of [`${folder}-b/a.ts`, `${folder}/../.bashrc`, `${folder}/%2e%2e/x`])
    expect(await asking.open(writing(path))).toMatchObject({ status: 'open' });
  expect((await approver.show(elsewhere.id)).status).toBe('open');
});

test('the same rule again is its next version', async () => {
  const { id } = await asking.open({ ...writing('/srv/work/x/a'), arguments: { path: '/srv/work/x/a', content: 'y' } });
  const [choice] = (await choicesFor(id)).choices;
  for (const version of [1, 2])
    expect(await (await allow(id, choice?.policy)).json()).toMatchObject({ version, isPublished: true });
});

test('only administrators make one, and only one that the request leads to', async () => {
  const { id } = await asking.open(writing('/srv/work/y/a'));
  const [choice] = (await choicesFor(id)).choices;
  expect((await allow(id, choice?.policy, approver)).status).toBe(403);
  expect((await allow(id, 'always-anything')).status).toBe(404);
  const other = await asking.open(writing('/srv/work/z/a'));
  expect((await allow(other.id, choice?.policy)).status).toBe(404);
});

test('none is offered for what removes something, or names nothing', async () => {
  const removing = await asking.open({
    ...writing(''),
    tool: { name: 'delete_file' },
    arguments: { path: '/srv/work/a' },
  });
  const empty = await asking.open({ ...writing(''), tool: { name: 'sync' }, arguments: {} });
  for (const { id } of [removing, empty]) expect(await choicesFor(id)).toEqual({ choices: [] });
});

test('in production, a second administrator reviews it before it decides anything', async () => {
  const production = await startTestServer({ environment: 'production' });
  try {
    const [author, second] = [
      await openBrowser(production, 'admin', 'password'),
      await openBrowser(production, 'admin', 'password'),
    ];
    const files = askingAt(production.url, await production.newServerKey('files'));
    const { id } = await files.open(writing(`${folder}/a.ts`));
    await author.look(id);
    const [choice] = (await choicesFor(id, author)).choices;
    const draft = (await (await allow(id, choice?.policy, author)).json()) as PolicyDetail;
    expect(draft).toMatchObject({ state: 'in-review', isPublished: false, publishedAt: null });
    expect(draft.can.review).toMatchObject({ allowed: false, refusal: 'own-version' });
    expect(await files.open(writing(`${folder}/b.ts`))).toMatchObject({ status: 'open' });
    const path = `/api/policies/${draft.name}/versions/${draft.version}`;
    const review = { verdict: 'approve', digest: draft.digest };
    expect((await second.call('POST', `${path}/review`, review)).status).toBe(200);
  } finally {
    await production.stop();
  }
});
