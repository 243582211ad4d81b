import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LogPage, Report } from '#audit/search/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { Insights } from '#audit/reports/contract/insights';
import { newId } from '#platform/crypto/random';
import type { ServerId, SpaceId } from '#platform/model/id';
import { reportIds } from '#audit/reports/contract/report';
import type { SpaceRole } from '#people/roles/contract';
import { applyPolicies } from '#policies/verbs/apply';
import { addSpace, moveToSpace } from '#people/spaces/verbs';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, openMember, type Browser } from '../../support/nodes/console.ts';
import { startTestServer } from '../../support/nodes/server.ts';

const names = ['payments', 'refunds', 'care', 'global'] as const;
type Name = (typeof names)[number];

let [admin, lea, rev, olli, owner, plain] = [] as unknown as Browser[] as [
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
  Browser,
];

const member = (space: SpaceId, role: SpaceRole): Promise<Browser> => openMember(server, { space, role });

// Two spaces, of which one has two servers, and a server of none. At each, another person decides.
const server = await startTestServer();
afterAll(() => server.stop());
const { engine } = server;
const allow = (name: string) =>
  `policy: ${name}\nmatch: { server: ${name}, tool: read }\nallow: { ceiling: medium, sample: 100% }\n`;
await applyPolicies(engine, names.map(allow));
const spaces: Record<'payments' | 'care' | 'empty', SpaceId> = {
  payments: await addSpace(engine, 'operator', 'Payments'),
  care: await addSpace(engine, 'operator', 'Care'),
  empty: await addSpace(engine, 'operator', 'Empty'),
};
const opened = await Promise.all(names.map(fill));
const servers = Object.fromEntries(opened.map(({ name, id }) => [name, id])) as Record<Name, ServerId>;
const voters = Object.fromEntries(opened.map(({ name, voter }) => [name, voter])) as Record<Name, Browser>;
const place = { payments: spaces.payments, refunds: spaces.payments, care: spaces.care } as const;
for (const [name, space] of Object.entries(place))
  await moveToSpace(engine, 'operator', { space, server: servers[name as Name] });
[admin, plain, owner] = [await openBrowser(server, 'admin'), await openBrowser(server), await openBrowser(server)];
[lea, rev] = [await member(spaces.payments, 'space-admin'), await member(spaces.payments, 'reviewer')];
olli = await member(spaces.payments, 'operator');
await server.setOwner('care', owner.user.email);

const unused = (name: string) => `policy: ${name}\nmatch: { tool: unused }\ndeny: { reason: No. }\n`;

/** One more than those before it: so many requests, of which one is allowed, and the others are decided in haste. */
async function fill(name: Name) {
  const asking = askingAt(server.url, await server.newServerKey(name));
  const { id } = (await server.engine.directory.read()).servers.find((candidate) => candidate.name === name)!;
  const voter = await openBrowser(server);
  await asking.open({ tool: { name: 'read' } });
  for (let at = 0; at < 2 + names.indexOf(name); at += 1) {
    const request = await asking.open({ tool: { name: `pay_${name}` } });
    await voter.show(request.id);
    expect((await voter.vote(request)).status).toBe(200);
  }
  return { name, id, voter };
}

const ask = (by: Browser, search = '') => by.call('GET', `/api/insights?to=${Date.now() + 600_000}${search}`);
const read = async (by: Browser, search?: string): Promise<Insights> => {
  const answer = await ask(by, search);
  expect(answer.status).toBe(200);
  return json<Insights>(answer);
};
const refusal = async (answer: Promise<Response>): Promise<unknown> => {
  const response = await answer;
  const { code, refusal: refused } = await json<ProblemDocument>(response);
  return [response.status, code, refused?.code];
};
const refused = [403, 'forbidden', 'reviewers-read-log'];

/** What may be told of these servers, and nothing else. */
const countOf = (among: readonly Name[]) => ({
  accepted: among.reduce((sum, name) => sum + 3 + names.indexOf(name), 0),
  servers: among.flatMap((name) => [name, name]).toSorted(),
  voters: Object.fromEntries(among.map((name) => [voters[name].user.id, 2 + names.indexOf(name)])),
  named: among.map((name) => voters[name].user.id).toSorted(),
  policies: [...among].toSorted(),
});
const counted = (insights: Insights) => ({
  accepted: insights.spans.reduce((sum, { accepted }) => sum + accepted, 0),
  servers: insights.tools.map((tool) => tool.server).toSorted(),
  voters: Object.fromEntries(insights.voters.map(({ person, votes }) => [person, votes])),
  named: Object.keys(insights.names).toSorted(),
  policies: insights.samples.map(({ policy }) => policy).toSorted(),
});

describe.each(['request by request', 'from totals'])('Insights, counted %s,', (how) => {
  beforeAll(async () => {
    const { insightTotals } = server.engine;
    if (how === 'from totals') while (await insightTotals.countNext(Date.now() + 120_000, 3));
  });

  test('are of the servers that someone looks after or owns, and no number has another one', async () => {
    for (const by of [lea, rev]) expect(counted(await read(by))).toEqual(countOf(['payments', 'refunds']));
    expect(counted(await read(owner))).toEqual(countOf(['care']));
    expect(counted(await read(admin))).toEqual(countOf(names));
  });

  test('are of the servers of a space, if one is chosen', async () => {
    const inPayments = countOf(['payments', 'refunds']);
    expect(counted(await read(admin, `&space=${spaces.payments}`))).toEqual(inPayments);
    expect(counted(await read(lea, `&space=${spaces.payments}`))).toEqual(inPayments);
    expect(counted(await read(admin, `&space=${spaces.empty}`))).toEqual(countOf([]));
    expect(counted(await read(owner, `&space=${spaces.care}`))).toEqual(countOf(['care']));
  });

  test('a space that is absent and one of others are refused alike', async () => {
    for (const by of [lea, owner, olli, plain])
      for (const space of [newId('space'), by === owner ? spaces.payments : spaces.care, spaces.empty])
        expect(await refusal(ask(by, `&space=${space}`))).toEqual(refused);
    expect(await refusal(ask(admin, `&space=${newId('space')}`))).toEqual([404, 'not-found', undefined]);
  });
});

test('Insights are refused to who neither reads the log of a space nor owns a server', async () => {
  for (const by of [olli, plain]) expect(await refusal(ask(by))).toEqual(refused);
  const keeper = await member(spaces.empty, 'space-admin');
  expect(counted(await read(keeper))).toEqual(countOf([]));
});

test('a server that is moved or given to someone else is read about no longer', async () => {
  const { engine } = server;
  await moveToSpace(engine, 'operator', { space: spaces.care, server: servers.refunds });
  expect(counted(await read(lea))).toEqual(countOf(['payments']));
  await moveToSpace(engine, 'operator', { space: spaces.payments, server: servers.refunds });
  await server.setOwner('care', plain.user.email);
  expect(await refusal(ask(owner))).toEqual(refused);
  await server.setOwner('care', owner.user.email);
});

describe('reports', () => {
  const byServer = ['approvals', 'requests', 'own-approvals', 'automatic', 'overrides', 'edited', 'hasty'];
  const report = (by: Browser, id: string, search = '') =>
    by.call('GET', `/api/audit/reports/${id}?from=0&to=${Date.now() + 1}${search}`);
  const serversIn = async (by: Browser, id: string, search?: string) => {
    const { columns, rows } = await json<Report>(report(by, id, search));
    const at = columns.findIndex(({ name }) => name === 'server');
    return [...new Set(rows.map((row) => row[at]))].toSorted();
  };

  test('about requests are of the servers of the space; those about people and policies are refused', async () => {
    for (const id of reportIds) {
      const isByServer = byServer.includes(id);
      for (const path of [id, `${id}/csv`]) {
        const { status } = await report(lea, path, id === 'access' ? `&person=${lea.user.id}` : '');
        expect([path, status]).toEqual([path, isByServer ? 200 : 403]);
        for (const by of [olli, owner, plain]) expect(await refusal(report(by, path))).toEqual(refused);
      }
    }
    for (const id of ['approvals', 'requests', 'automatic', 'hasty']) {
      expect([id, await serversIn(lea, id)]).toEqual([id, ['payments', 'refunds']]);
      expect([id, await serversIn(admin, id)]).toEqual([id, [...names].toSorted()]);
    }
  });

  test('say the same of a name of another space as of one that is absent', async () => {
    const answers = ['care', 'nowhere'].map(async (name) => {
      const answer = await json<Report>(report(lea, 'requests', `&server=${name}`));
      return answer;
    });
    expect(await answers[0]).toEqual(await answers[1]);
    expect(await answers[0]).toMatchObject({ rows: [], unknown: ['server'], names: {} });
    const unknownIn = async (search: string) => (await json<Report>(report(lea, 'own-approvals', search))).unknown;
    for (const tool of ['pay_care', 'pay_nowhere']) expect(await unknownIn(`&tool=${tool}`)).toEqual(['tool']);
    await applyPolicies(server.engine, [unused('unused-here')], { space: spaces.payments });
    await applyPolicies(server.engine, [unused('unused-there')], { space: spaces.care });
    for (const policy of ['unused-there', 'nowhere']) expect(await unknownIn(`&policy=${policy}`)).toEqual(['policy']);
    // What is global, or of the space, is offered to choose from.
    for (const policy of ['care', 'unused-here']) expect(await unknownIn(`&policy=${policy}`)).toEqual([]);
    expect(await unknownIn('&tool=pay_refunds&server=refunds')).toEqual([]);
    const search = await lea.call('GET', '/api/audit/entries?tool=pay_care');
    expect(await json<LogPage>(search)).toMatchObject({ entries: [], unknown: ['tool'] });
    expect(await serversIn(lea, 'requests', `&person=${voters.care.user.id}`)).toEqual([]);
    const file = await (await report(lea, 'requests/csv')).text();
    expect(file).toContain('pay_refunds');
    expect(file).not.toContain('pay_care');
  });
});
