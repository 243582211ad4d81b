import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { RequestRecord, Report } from '#audit/search/contract';
import { addGroup, changeMembers } from '#people/groups/verbs';
import { changeUser } from '#people/users/verbs';
import type { ElicitationId, GroupId, UserId } from '#platform/model/id';
import { readExport } from '../../support/audit/read-export.ts';
import { countVoters } from '../../support/audit/naive-reports.ts';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { enterBy, mailedLink, mailsDown } from '../../support/nodes/mailed-link.ts';
import { sequenceAll } from '../../support/nodes/log.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';

const documents = [
  `policy: twice
match: { tool: pay }
require:
  editable: { amount: { type: number } }
  stages: [{ name: First, approvers: anyone }, { name: Second, approve: 2, approvers: anyone }]`,
  `policy: by-group
match: { tool: wire }
require:
  stages: [{ name: First, approvers: anyone }, { name: Second, approve: 2, approvers: { group: finance } }]`,
];

let server: TestServer;
let asking: Asking;
let owner: pg.Client;
let finance: GroupId;
let [ada, bob, eve, dan, reviewer] = [] as unknown as [Browser, Browser, Browser, Browser, Browser];

beforeAll(async () => {
  server = await startTestServer({ smtp: mailsDown });
  asking = askingAt(server.url, await server.newServerKey());
  [ada, bob, eve, dan] = [
    await openBrowser(server),
    await openBrowser(server),
    await openBrowser(server),
    await openBrowser(server),
  ];
  reviewer = await openBrowser(server, 'reviewer');
  finance = await addGroup(server.engine, 'operator', { name: 'finance' });
  const add = [ada, bob, eve, dan].map(({ user }) => user.id);
  await changeMembers(server.engine, 'operator', finance, { add });
  await publish(server, ...documents);
  owner = new pg.Client({ connectionString: server.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await server?.stop();
});

const must = async (answer: Promise<Response>): Promise<void> => expect((await answer).status).toBe(200);
type Opened = { id: string; digest: string };
const vote = (by: Browser, request: Opened) => must(by.vote(request));
const withdraw = (by: Browser, { id, digest }: Opened) =>
  must(by.call('POST', `/api/elicitations/${id}/withdraw-vote`, { digest }));

/** Who approved, and whose votes are void, in each place that says so. */
async function answersOn(id: string) {
  await sequenceAll(server.engine);
  const [decision] = (
    await owner.query<{ approvers: string[] }>(`SELECT approvers FROM audit.decisions WHERE request = $1`, [id])
  ).rows;
  const votes = await owner.query<{ person: string; void: boolean }>(
    `SELECT person, void_at IS NOT NULL AS void FROM audit.votes WHERE request = $1 ORDER BY voted_at`,
    [id],
  );
  const record = await json<RequestRecord>(reviewer.call('GET', `/api/audit/requests/${id}`));
  const { rows, columns } = await json<Report>(
    reviewer.call('GET', `/api/audit/reports/approvals?from=0&to=${server.engine.now() + 1000}`),
  );
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  const row = rows.find((cells) => cells[place('request')] === id);
  return {
    sql: decision?.approvers,
    report: row?.[place('approvers')],
    offline: countVoters(await readExport(server.engine), id),
    votes: votes.rows.map((each) => [each.person, each.void]),
    record: record.votes.map(({ by, voidAt }) => [by, voidAt !== null]),
  };
}

/** The same in every place. */
async function expectApproved(id: string, votes: [Browser, boolean][]): Promise<void> {
  const counted = votes.filter(([, isVoid]) => !isVoid).map(([{ user }]) => user.id);
  const all = votes.map(([{ user }, isVoid]) => [user.id, isVoid]);
  expect((await server.engine.reader.elicitation(id as ElicitationId))?.status).toBe('accepted');
  expect(await answersOn(id)).toEqual({ sql: counted, report: counted, offline: counted, votes: all, record: all });
}

describe('who approved is whose votes counted at the end', () => {
  test('without those of a stage that a withdrawal before it closed', async () => {
    const request = await asking.open({ tool: { name: 'pay' } });
    await vote(ada, request);
    await vote(bob, request);
    await withdraw(ada, request);
    await vote(eve, request);
    await vote(ada, request);
    await vote(dan, request);
    await expectApproved(request.id, [
      [ada, true],
      [bob, true],
      [eve, false],
      [ada, false],
      [dan, false],
    ]);
  });

  test('with those of another stage of a person who lost the right to vote in one', async () => {
    const request = await asking.open({ tool: { name: 'wire' } });
    await vote(ada, request);
    await vote(ada, request);
    await changeMembers(server.engine, 'operator', finance, { remove: [ada.user.id as UserId] });
    await vote(bob, request);
    await vote(eve, request);
    await changeMembers(server.engine, 'operator', finance, { add: [ada.user.id as UserId] });
    await expectApproved(request.id, [
      [ada, false],
      [ada, true],
      [bob, false],
      [eve, false],
    ]);
  });

  test('without those on what was asked before an edit', async () => {
    const request = await asking.open({ tool: { name: 'pay' } });
    await vote(ada, request);
    await vote(bob, request);
    const edit = { digest: request.digest, arguments: { amount: 1 } };
    const edited = await json<Opened>(eve.call('POST', `/api/elicitations/${request.id}/edit`, edit));
    const after = { id: request.id, digest: edited.digest };
    await vote(ada, after);
    await vote(dan, after);
    await vote(bob, after);
    await expectApproved(request.id, [
      [ada, true],
      [bob, true],
      [ada, false],
      [dan, false],
      [bob, false],
    ]);
  });

  test('without the one cast with a credential of someone who turns out to be the requester', async () => {
    const [root, invited] = [await openBrowser(server, 'admin'), await openBrowser(server)];
    expect((await root.call('POST', `/api/users/${invited.user.id}/password-link`)).status).toBe(202);
    const cookie = await enterBy(await mailedLink(server, invited.user.id), server);
    const clerk = browserAt(server.url, invited.user, cookie);
    const request = await asking.open({ tool: { name: 'pay' }, requester: { subject: 'unknown-yet' } });
    await vote(clerk, request);
    await changeUser(server.engine, 'operator', root.user.id as UserId, { subjects: ['unknown-yet'] });
    await vote(ada, request);
    await vote(bob, request);
    await vote(dan, request);
    await expectApproved(request.id, [
      [clerk, true],
      [ada, false],
      [bob, false],
      [dan, false],
    ]);
  });
});
