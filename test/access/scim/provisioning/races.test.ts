import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { GroupId, UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { locks } from '#platform/database/sql';
import { adoptGroup } from '#people/groups/verbs';
import { startSession, byLink } from '#access/sign-in/verbs/sessions';
import { json } from '../../../support/json.ts';
import { lockWaits } from '../../../support/databases/lock-waits.ts';
import { browserAt, openBrowser, type Browser } from '../../../support/nodes/console.ts';
import { createMeanwhile } from '../../../support/nodes/meanwhile.ts';
import { oktaUser, scimAt, scimProvider, type Scim } from '../../../support/nodes/scim.ts';
import { asWritten, startTwoNodes } from '../../../support/nodes/two-nodes.ts';
import { until } from '../../../support/poll.ts';
import { publish } from '../../../support/requests/policies.ts';
import { runs } from '../../../support/runs.ts';

let people = 0;
/** Provisioned, a member of the group, and signed in at the first node. */
async function newPayer(): Promise<Browser> {
  const [{ engine, url }] = two.nodes;
  const id = (await scim[0].call('POST', '/Users', oktaUser(`payer${(people += 1)}`))).body.id as UserId;
  expect((await join(scim[1], id)).status).toBe(200);
  const user = (await engine.users.byId(id)) as User;
  return browserAt(url, user, `assentry=${(await startSession(engine, user, byLink))?.secret}`);
}
const join = (by: Scim, value: UserId) =>
  by.patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value }] });

/** What a provider changes at one node while people vote at the other. */
const two = await startTwoNodes({ signInProviders: [scimProvider('okta')] });
afterAll(() => two.stop());
const [first, second] = two.nodes;
const { token } = await first.scim.createToken('okta');
const scim: [Scim, Scim] = [scimAt(first.url, token), scimAt(second.url, token)];
const meanwhile = createMeanwhile(two);
const group = (await scim[0].call('POST', '/Groups', { displayName: 'payers' })).body.id as GroupId;
await adoptGroup(first.engine, 'operator', { id: group, adopted: true });
for (let at = 0; at < 2; at += 1) await newPayer();
await publish(
  first,
  'policy: pay\nmatch: { tool: pay }\nrequire: { stages: [{ name: One, approve: 2, approvers: { group: payers } }] }\n',
);
const leave = (by: Scim, id: UserId) =>
  by.patch(`/Groups/${group}`, { op: 'Remove', path: `members[value eq "${id}"]` });
const disable = (by: Scim, id: UserId) => by.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
const remove = (by: Scim, id: UserId) => by.call('DELETE', `/Users/${id}`);
const pay = () => two.asking.open({ tool: { name: 'pay' } });

describe('a vote that was decided at one node while the other', () => {
  test.each([
    ['takes the voter out of the group', leave, 409],
    ['disables the voter', disable, 401],
    ['deletes the voter', remove, 401],
  ])('%s is not stored', async (_name, change, expected) => {
    const [voter, other] = [await newPayer(), await newPayer()];
    const request = await pay();
    expect((await other.vote(request)).status).toBe(200);
    meanwhile.next(async () => expect((await change(scim[1], voter.user.id)).status).toBeLessThan(300));
    expect((await voter.vote(request)).status).toBe(expected);
    expect(await other.show(request.id)).toMatchObject({ status: 'open', progress: { have: 1, need: 2 } });
  });

  test('takes another member out is stored', async () => {
    const [voter, other] = [await newPayer(), await newPayer()];
    const request = await pay();
    meanwhile.next(async () => expect((await leave(scim[1], other.user.id)).status).toBe(200));
    expect((await voter.vote(request)).status).toBe(200);
    expect((await voter.show(request.id)).progress).toMatchObject({ have: 1, need: 2 });
  });
});

const races = runs(200);
const inOneTest = 20;
const parts = Array.from({ length: Math.ceil(races / inOneTest) }, (_, part) => part * inOneTest);
const steady = await newPayer();
const outcomes = new Set<string>();

describe('a vote at once with two changes of its voter counts only if it came before them', () => {
  test.each(parts)('from race %i', async (from) => {
    for (let at = from; at < Math.min(races, from + inOneTest); at += 1) {
      const voter = await newPayer();
      const request = await pay();
      expect((await steady.vote(request)).status).toBe(200);
      // From a vote that comes when the right is gone to one that was counted before.
      const changes = async () => [
        await leave(scim[1], voter.user.id),
        await (at % 2 === 0 ? disable : remove)(scim[0], voter.user.id),
      ];
      if (at === 0) await changes();
      const voting = voter.vote(request);
      if (at === 1) await voting;
      await Promise.all([changes(), voting]);
      const { status, progress } = await steady.show(request.id);
      outcomes.add(status);
      const order = await two.query(
        `SELECT type FROM audit_log WHERE elicitation_id = $1 AND type = 'elicitation.voted' AND entry->'actor'->>'id' = $2
         OR type IN ('group.members-changed', 'user.changed') AND entry::text LIKE '%' || $2 || '%' ${asWritten}`,
        [request.id, voter.user.id],
      );
      if (status === 'accepted') expect(order.slice(0, 2)).toEqual(['group.members-changed', 'elicitation.voted']);
      else expect([status, progress]).toMatchObject(['open', { have: 1, need: 2 }]);
    }
    expect([...outcomes].toSorted()).toEqual(['accepted', 'open']);
  });
});

test.each([
  ['leaves the group', (voter: Browser) => leave(scim[1], voter.user.id), 'group.members-changed'],
  ['is disabled', (voter: Browser) => disable(scim[1], voter.user.id), 'user.changed'],
])('a vote that PostgreSQL is storing when its voter %s comes before that in the log', async (_name, change, type) => {
  const voter = await newPayer();
  const request = await pay();
  const after = await storingWhile(
    request.id,
    () => voter.vote(request),
    () => change(voter),
  );
  expect(after.map(({ status }) => status)).toEqual([200, 200]);
  expect(await typesSince(request.id, type)).toEqual(['elicitation.voted', type]);
});

test('a vote for someone that PostgreSQL is storing when its delegation is revoked comes before that in the log', async () => {
  const [giver, receiver] = [await newPayer(), await openBrowser(first)];
  const endsAt = first.engine.now() + 3_600_000;
  const answer = await giver.call('POST', '/api/delegations', { toId: receiver.user.id, endsAt });
  const { id } = await json<{ id: string }>(answer);
  const request = await pay();
  const after = await storingWhile(
    request.id,
    () => receiver.vote(request, { for: giver.user.id }),
    () => giver.at(second.url).call('POST', `/api/delegations/${id}/revoke`),
  );
  expect(after.map(({ status }) => status)).toEqual([200, 200]);
  expect(await typesSince(request.id, 'delegation.revoked')).toEqual(['elicitation.voted', 'delegation.revoked']);
});

/** Holds the row of the request while a vote is stored, until the change is stored as well or waits. */
async function storingWhile(id: string, vote: () => Promise<Response>, change: () => Promise<{ status: number }>) {
  const holder = new pg.Client({ connectionString: first.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM elicitation WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const voting = vote();
    await until(async () => (await two.query(lockWaits))[0] === 1);
    let isStored = false;
    const changing = change().finally(() => (isStored = true));
    await until(async () => isStored || (await two.query(lockWaits))[0] === 2);
    await holder.query('COMMIT');
    return await Promise.all([voting, changing]);
  } finally {
    await holder.end();
  }
}

/** The vote on this request, and what of this type follows the opening. */
const typesSince = (id: string, type: string): Promise<unknown[]> =>
  two.query(
    `SELECT type FROM audit_log WHERE (elicitation_id = $1 AND type = 'elicitation.voted' OR type = $2)
        AND (SELECT seq FROM audit_entry WHERE audit_entry.id = audit_log.id) >
          (SELECT seq FROM audit_entry e WHERE e.elicitation_id = $1 AND e.type = 'elicitation.opened') ${asWritten}`,
    [id, type],
  );

test('of the same person or group at both nodes at once one is added', async () => {
  for (let at = 0; at < runs(10); at += 1) {
    const bodies: [string, object][] = [
      ['/Users', oktaUser(`twin${at}`)],
      ['/Groups', { displayName: `Twins ${at}`, externalId: `twins-${at}` }],
    ];
    for (const [path, body] of bodies) {
      const answers = await Promise.all(scim.map((by) => by.call('POST', path, body)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    }
  }
});

test('a change with a token that is revoked before it is stored is not stored', async () => {
  const [{ url, scim: operator, databaseUrl }, other] = two.nodes;
  const { token, kid } = await operator.createToken('okta');
  const id = (await scim[0].call('POST', '/Users', oktaUser('kept'))).body.id;
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query(`SELECT pg_advisory_lock(${locks.directory})`);
    const changing = [
      disable(scimAt(url, token), id as UserId),
      scimAt(other.url, token).call('POST', '/Users', oktaUser('added')),
    ];
    await until(async () => (await two.query(lockWaits))[0] === changing.length);
    await other.scim.revokeToken(kid);
    await holder.query(`SELECT pg_advisory_unlock(${locks.directory})`);
    expect((await Promise.all(changing)).map(({ status }) => status)).toEqual([401, 401]);
  } finally {
    await holder.end();
  }
  const { users } = await other.engine.directory.read();
  expect(users.find((user) => user.id === id)).toMatchObject({ disabledAt: null });
  expect(users.filter(({ email }) => email === 'added@example.com')).toEqual([]);
});

test('of two changes of one version at both nodes at once one is stored', async () => {
  const { body, headers } = await scim[0].call('POST', '/Users', oktaUser('edited'));
  const ifMatch = { 'if-match': headers.get('etag') ?? '' };
  const answers = await Promise.all(
    scim.map((by, at) => by.call('PUT', `/Users/${body.id}`, oktaUser('edited', { displayName: `By ${at}` }), ifMatch)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
});
