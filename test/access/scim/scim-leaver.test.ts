import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditEntry } from '#audit/entries/rules/entry';
import type { CreatedKey } from '#access/keys/contract/key';
import type { SavedView } from '#requests/inbox/contract/history';
import { newId } from '#platform/crypto/random';
import { changeUser } from '#people/users/verbs';
import type { UserId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { json } from '../../support/json.ts';
import { askingAt, type Asking } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { readEvents, type EventReader } from '../../support/nodes/event-source.ts';
import { signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { newPeople, oktaUser, scimAt } from '../../support/nodes/scim.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { until } from '../../support/poll.ts';
import { publish } from '../../support/requests/policies.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';

const acme = await startHostileProvider();
const settings = acme.settings({ newPeople, scim: { attribute: 'externalId', claim: 'sub' } });
/** Someone whom the provider or an administrator disables: everything they could do ends at both nodes. */
const two = await startTwoNodes({ signInProviders: [settings] });
afterAll(async () => {
  await two.stop();
  await acme.close();
});
const scim = scimAt(two.nodes[0].url, (await two.nodes[0].scim.createToken('acme')).token);
const steady = await openBrowser(two.nodes[0]);
const admin = await openBrowser(two.nodes[0], 'admin', 'password');
await publish(
  two.nodes[0],
  'policy: leaving\nmatch: { tool: leave }\nrequire:\n  stages: [{ name: One, approvers: anyone }]\n  grant: { longest: 8h }\n',
);

interface Leaver {
  id: UserId;
  browser: Browser;
  /** Ends when they leave. */
  streams: EventReader[];
  /** Of a server whose key they made. */
  asking: Asking;
  /** A request of this server. */
  request: { id: string; digest: string };
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
  const request = await openStaged(two.nodes[0], asking, { stages: [stageOf({ approve: 1 })] });
  await addPasskey(id);
  await addOwnRows(id);
  return { id, browser, streams, asking, request };
}

async function addPasskey(userId: UserId): Promise<void> {
  const { passkeys, now } = two.nodes[0].engine;
  const [id, entryId, at, credentialId] = [newId('passkey'), newId('entry'), now(), `credential-of-${userId}`];
  const passkey = { id, entryId, userId, credentialId, publicKey: new Uint8Array(77), transports: [], addedAt: at };
  const rest = {
    aaguid: '00000000-0000-0000-0000-000000000000',
    isBackedUp: false,
    isSyncable: false,
    name: 'Phone',
    removedAt: null,
  };
  const event = { type: 'user.passkey-added', user: userId, passkey: id, credential: credentialId } as const;
  const entry = auditEntry(entryId, at, { kind: 'user', id: userId }, event as never);
  expect(await passkeys.add({ ...passkey, ...rest, issuedBy: null }, 0, entry, async () => {})).toBe('added');
}

const ownTables = ['push_device', 'upstream_credential'];

/** A device that is told of requests, a credential at a server, and a link that was never used. */
async function addOwnRows(id: UserId): Promise<void> {
  const server = `(SELECT id FROM server WHERE name = 'of-lea${people}')`;
  const bytes = `sha256($1::text::bytea)`;
  for (const statement of [
    `INSERT INTO push_device (id, user_id, hash, sealed, added_at) VALUES ('dev_' || $1, $1, ${bytes}, ${bytes}, now())`,
    `INSERT INTO upstream_credential (id, server_id, user_id, hash, sealed, stored_at)
      VALUES ('crd_' || $1, ${server}, $1, ${bytes}, ${bytes}, now())`,
    `INSERT INTO link (hash, user_id, purpose, expires_at) VALUES (${bytes}, $1, 'password', now() + interval '1 day')`,
  ])
    await two.query(statement, [id]);
}

/** A call that a standing approval may allow, at the node at which no one leaves. */
const askForLeave = () =>
  two.asking.at(two.nodes[1].url).open({
    tool: { name: 'leave' },
    requester: { subject: 'alice', verified: true },
    arguments: { of: people },
  });

const byProvider = () => ({ kind: 'provider', provider: acme.issuer });
const ways = [
  {
    name: 'the provider disables by PATCH',
    leave: (id: UserId) => scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
    actor: byProvider,
    refusal: 'more power than the rule',
  },
  {
    name: 'the provider deletes',
    leave: (id: UserId) => scim.at(two.nodes[1].url).call('DELETE', `/Users/${id}`),
    actor: byProvider,
    refusal: 'more power than the rule',
  },
  {
    name: 'an administrator disables in the console',
    leave: (id: UserId) => admin.call('PATCH', `/api/users/${id}`, { disabled: true }),
    actor: () => ({ kind: 'user', id: admin.user.id }),
    refusal: 'they were disabled here',
  },
];

describe.each(ways)('AU-03 whom $name', ({ leave, actor, refusal }) => {
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

  test('is signed out at both nodes when the change is answered', async () => {
    for (const { url } of two.nodes)
      expect((await leaver.browser.at(url).call('GET', '/api/session')).status).toBe(401);
    expect(await two.query('SELECT id FROM session WHERE user_id = $1', [leaver.id])).toEqual([]);
    const again = await signInBy(acme, two.nodes[1].url, { sub: `00u-lea${people}` });
    expect([again.next, again.cookie]).toEqual([expect.stringContaining('refused=access-ended'), undefined]);
  });

  test('hears nothing more on open streams, which end with the next event', async () => {
    const counts = leaver.streams.map(({ events }) => events.length);
    expect((await steady.vote(leaver.request)).status).toBe(200);
    await Promise.all(leaver.streams.map(({ ended }) => ended));
    expect(leaver.streams.map(({ events }) => events.length)).toEqual(counts);
  });

  test('has made keys that open nothing at any node', async () => {
    for (const { url } of two.nodes) expect((await leaver.asking.at(url).call('GET', '/v1/identity')).status).toBe(401);
  });

  const standing = async ({ id }: { id: string }) => {
    const { votes: shown, status } = await steady.show(id);
    return [status, shown.filter(({ stands }) => stands)];
  };

  test('loses their votes on open requests', async () => {
    expect(await standing(votes)).toEqual(['open', []]);
  });

  test('has delegated to no one: the vote for them is void, and no other is taken', async () => {
    expect(await standing(delegated)).toEqual(['open', []]);
    expect((await steady.vote(delegated, { for: leaver.id })).status).toBe(403);
    const { engine } = two.nodes[1];
    const inForce = await engine.delegations.inForce(steady.user.id, engine.now());
    expect(inForce.filter(({ fromId }) => fromId === leaver.id)).toEqual([]);
  });

  test('has given standing approvals that allow nothing more', async () => {
    expect((await askForLeave()).status).toBe('open');
  });

  test('has no passkey any more, and the log says who removed it', async () => {
    expect(await two.nodes[1].engine.passkeys.listOf(leaver.id)).toEqual([]);
    expect(await entriesOf('user.passkey-removed', leaver.id)).toMatchObject([{ actor: actor() }]);
  });

  test('leaves what they shared, and nothing else of their own', async () => {
    expect(await two.query('SELECT id FROM saved_view WHERE user_id = $1', [leaver.id])).toEqual(views.slice(1));
    for (const table of ownTables)
      expect(await two.query(`SELECT id FROM ${table} WHERE user_id = $1`, [leaver.id])).toEqual([]);
    expect(await two.query('SELECT hash FROM link WHERE user_id = $1 AND used_at IS NULL', [leaver.id])).toEqual([]);
  });

  test('is no administrator by the provider’s word again', async () => {
    const back = await scim.patch(`/Users/${leaver.id}`, { op: 'replace', value: { active: true } });
    const isDeleted = back.status === 404;
    const answer = isDeleted ? await scim.call('POST', '/Users', oktaUser(`lea${people}`)) : back;
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining(refusal)]);
    expect(await two.nodes[1].engine.users.byId(leaver.id)).toBeNull();
  });

  test('is in the log as the leaver, with everything from before', async () => {
    expect((await entriesOf('user.changed', leaver.id)).at(-1)).toMatchObject({
      actor: actor(),
      changed: { disabled: true },
    });
  });

  test('gets keys, delegations and standing approvals back when enabled, and no vote, session or passkey', async () => {
    const [{ url, engine }, other] = two.nodes;
    await changeUser(engine, 'operator', leaver.id, { disabled: false });
    expect((await leaver.asking.at(other.url).call('GET', '/v1/identity')).status).toBe(200);
    expect((await steady.vote(delegated, { for: leaver.id })).status).toBe(200);
    expect((await askForLeave()).status).toBe('accepted');
    expect(await standing(votes)).toEqual(['open', []]);
    expect((await leaver.browser.at(url).call('GET', '/api/session')).status).toBe(401);
    expect(await engine.passkeys.listOf(leaver.id)).toEqual([]);
  });
});

const entriesOf = (type: string, user: UserId): Promise<unknown[]> =>
  two.query(`SELECT entry FROM audit_log WHERE type = $1 AND entry->>'user' = $2 ${asWritten}`, [type, user]);

test('whom a provider deletes leaves its groups, and whom it disables stays in them', async () => {
  const members = await two.query(
    `SELECT g.name FROM group_member m JOIN app_group g ON g.id = m.group_id WHERE g.name LIKE 'Left%' ORDER BY g.name`,
  );
  expect(members).toEqual(['Left 1', 'Left 3']);
});
