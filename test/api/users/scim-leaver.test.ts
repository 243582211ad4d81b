import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CreatedKey } from '../../../src/contract/users/key.ts';
import type { SavedView } from '../../../src/contract/view-routes.ts';
import { changeUser } from '../../../src/engine/users/change-user.ts';
import type { UserId } from '../../../src/model/id.ts';
import type { User } from '../../../src/model/user.ts';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { readEvents, type EventReader } from '../../support/nodes/event-source.ts';
import { signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider, type HostileProvider } from '../../support/nodes/hostile-provider.ts';
import { newPeople, oktaUser, scimAt, type Scim } from '../../support/nodes/scim.ts';
import { startTwoNodes, type TwoNodes } from '../../support/nodes/two-nodes.ts';
import { until } from '../../support/poll.ts';
import { publish } from '../../support/requests/policies.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';

/** Someone whom the provider disables or deletes, as an administrator: everything they could do ends at both nodes. */
let two: TwoNodes;
let acme: HostileProvider;
let scim: Scim;
let steady: Browser;
beforeAll(async () => {
  acme = await startHostileProvider();
  const settings = acme.settings({ newPeople, scim: { attribute: 'externalId', claim: 'sub' } });
  two = await startTwoNodes({ signInProviders: [settings] });
  scim = scimAt(two.nodes[0].url, (await two.nodes[0].scim.createToken('acme')).token);
  steady = await openBrowser(two.nodes[0]);
  await openBrowser(two.nodes[0], 'admin', 'password');
  await publish(
    two.nodes[0],
    'policy: leaving\nmatch: { tool: leave }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h }\n',
  );
});
afterAll(async () => {
  await two?.stop();
  await acme?.close();
});

interface Leaver {
  id: UserId;
  browser: Browser;
  /** Ends when they leave. */
  streams: EventReader[];
  /** Of a server whose key they made. */
  asking: Asking;
}

let people = 0;

/** Provisioned, signed in at the provider, and made an administrator, so that there is a key of theirs. */
async function newLeaver(): Promise<Leaver> {
  const name = `lea${(people += 1)}`;
  const { body } = await scim.call('POST', '/Users', oktaUser(name));
  const id = body.id as UserId;
  await changeUser(two.nodes[0].engine, 'operator', id, { role: 'admin' });
  const { cookie = '' } = await signInBy(acme, two.nodes[0].url, {
    sub: `00u-${name}`,
    email: `${name}@example.com`,
    email_verified: true,
  });
  const user = (await two.nodes[0].engine.users.byId(id)) as User;
  const browser = browserAt(two.nodes[0].url, user, cookie);
  const { key } = await json<CreatedKey>(browser.call('POST', '/api/keys', { server: `of-${name}` }));
  const asking = askingAt(two.nodes[1].url, key);
  const streams = [
    await readEvents(`${two.nodes[0].url}/api/stream`, { cookie }),
    await readEvents(`${two.nodes[1].url}/api/stream`, { cookie }),
    await readEvents(`${two.nodes[1].url}/v1/stream`, { authorization: `Bearer ${key}` }),
  ];
  await until(() => streams.every(({ events }) => events.length > 0));
  return { id, browser, streams, asking };
}

/** A call that a standing approval may allow, at the node at which no one leaves. */
const askForLeave = () =>
  two.asking.at(two.nodes[1].url).open({
    tool: { name: 'leave' },
    requester: { subject: 'alice', verified: true },
    arguments: { of: people },
  });

const ways: [string, (id: string) => Promise<{ status: number }>][] = [
  ['disables by PATCH', (id) => scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })],
  ['deletes', (id) => scim.at(two.nodes[1].url).call('DELETE', `/Users/${id}`)],
];

describe.each(ways)('AU-03 whom the provider %s', (_name, leave) => {
  let leaver: Leaver;
  let votes: { id: string; digest: string };
  let delegated: { id: string; digest: string };
  let views: string[];
  beforeAll(async () => {
    leaver = await newLeaver();
    const [{ engine }] = two.nodes;
    const staged = () => openStaged(two.nodes[0], two.asking, { stages: [stageOf({ approve: 2 })] });
    [votes, delegated] = [await staged(), await staged()];
    expect((await leaver.browser.vote(votes)).status).toBe(200);
    const absence = { toId: steady.user.id, endsAt: engine.now() + 3_600_000 };
    expect((await leaver.browser.call('POST', '/api/delegations', absence)).status).toBe(201);
    expect((await steady.vote(delegated, { for: leaver.id })).status).toBe(200);
    const allowing = { allowFor: 3_600_000 };
    expect((await leaver.browser.vote(await askForLeave(), allowing)).status).toBe(200);
    expect((await askForLeave()).status).toBe('accepted');
    views = await Promise.all(
      [false, true].map(async (isShared) => {
        const view = { name: `View ${isShared}`, filters: { view: 'all' }, isShared };
        return (await json<SavedView>(leaver.browser.call('POST', '/api/views', view))).id;
      }),
    );
    await scim.call('POST', '/Groups', { displayName: `Left ${people}`, members: [{ value: leaver.id }] });
    expect((await leave(leaver.id)).status).toBeLessThan(300);
  });

  test('is signed out at both nodes when the provider has its answer', async () => {
    for (const { url } of two.nodes)
      expect((await leaver.browser.at(url).call('GET', '/api/session')).status).toBe(401);
    expect(await two.query('SELECT id FROM session WHERE user_id = $1', [leaver.id])).toEqual([]);
    const again = await signInBy(acme, two.nodes[1].url, { sub: `00u-lea${people}` });
    expect([again.next, again.cookie]).toEqual([expect.stringContaining('refused=access-ended'), undefined]);
  });

  test('hears nothing more on open streams, which end with the next event', async () => {
    const counts = leaver.streams.map(({ events }) => events.length);
    await two.asking.open();
    await Promise.all(leaver.streams.slice(0, 2).map(({ ended }) => ended));
    expect(leaver.streams.slice(0, 2).map(({ events }) => events.length)).toEqual(counts.slice(0, 2));
    leaver.streams[2]?.cut();
  });

  test('has made keys that open nothing at any node', async () => {
    for (const { url } of two.nodes) expect((await leaver.asking.at(url).call('GET', '/v1/identity')).status).toBe(401);
  });

  test('loses their votes on open requests, and those cast for them', async () => {
    for (const { id } of [votes, delegated]) {
      const { votes: shown, status } = await steady.show(id);
      expect([status, shown.filter(({ stands }) => stands)]).toEqual(['open', []]);
    }
    expect((await steady.vote(delegated, { for: leaver.id })).status).toBe(403);
    const { engine } = two.nodes[1];
    const inForce = await engine.delegations.inForce(steady.user.id, engine.now());
    expect(inForce.filter(({ fromId }) => fromId === leaver.id)).toEqual([]);
  });

  test('has given standing approvals that allow nothing more', async () => {
    expect((await askForLeave()).status).toBe('open');
  });

  test('leaves what they shared, and nothing else of their own', async () => {
    expect(await two.query('SELECT id FROM saved_view WHERE user_id = $1', [leaver.id])).toEqual(views.slice(1));
    for (const table of ['upstream_credential', 'push_device'])
      expect(await two.query(`SELECT id FROM ${table} WHERE user_id = $1`, [leaver.id])).toEqual([]);
    expect(await two.query('SELECT hash FROM link WHERE user_id = $1 AND used_at IS NULL', [leaver.id])).toEqual([]);
  });

  test('is no administrator by the provider’s word again', async () => {
    const back = await scim.patch(`/Users/${leaver.id}`, { op: 'replace', value: { active: true } });
    const isDeleted = back.status === 404;
    const answer = isDeleted ? await scim.call('POST', '/Users', oktaUser(`lea${people}`)) : back;
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('more power than the rule')]);
    expect(await two.nodes[1].engine.users.byId(leaver.id)).toBeNull();
  });

  test('is in the log as the provider’s leaver, with everything from before', async () => {
    const entries = await two.query(`SELECT entry FROM audit_log WHERE type = 'user.changed' AND entry->>'user' = $1`, [
      leaver.id,
    ]);
    expect(entries.at(-1)).toMatchObject({
      actor: { kind: 'provider', provider: acme.issuer },
      changed: { disabled: true },
    });
  });
});

test('whom a provider deletes leaves its groups, and whom it disables stays in them', async () => {
  const members = await two.query(
    `SELECT g.name FROM group_member m JOIN app_group g ON g.id = m.group_id WHERE g.name LIKE 'Left%' ORDER BY g.name`,
  );
  expect(members).toEqual(['Left 1']);
});
