import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { WaitingChange } from '#people/changes/contract';
import type { PolicyDetail } from '#policies/contract/documents';
import type { WaitingKey, WaitingRotation } from '#access/keys/contract/key';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import type { UserEntry } from '#people/users/contract';
import { applyAccepted, requestChange } from '#people/changes/verbs/changes';
import { addGroup, deleteGroup } from '#people/groups/verbs';
import { castVote } from '#requests/voting/verbs';
import type { ElicitationId, GroupId } from '#platform/model/id';
import type { SignedInUser, User } from '#people/directory/contract/user';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { query } from '../../support/databases/embedded.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let eve: Browser;
let groups = 0;
const server = await startTestServer({ environment: 'production' });
afterAll(() => server.stop());
const [ada, ben] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
beforeEach(async () => {
  eve = await openBrowser(server);
});

const newGroup = (): Promise<GroupId> => addGroup(server.engine, 'operator', { name: `Group ${(groups += 1)}` });

async function userNow({ user }: Browser): Promise<UserEntry> {
  const { users } = await json<{ users: UserEntry[] }>(ada.call('GET', '/api/users'));
  return users.find(({ id }) => id === user.id) as UserEntry;
}

const patch = (by: Browser, who: Browser, body: unknown) => by.call('PATCH', `/api/users/${who.user.id}`, body);

async function waiting(response: Response): Promise<string> {
  expect(response.status).toBe(202);
  const { request, sentence } = await json<WaitingChange>(response);
  expect(sentence).toContain('second administrator');
  return request;
}

const promote = async () => waiting(await patch(ada, eve, { role: 'admin' }));

async function vote(by: Browser, id: string, action: 'accept' | 'decline' = 'accept', digest?: string) {
  const visible = digest ?? (await by.show(id)).digest;
  const body = { action, digest: visible, ...(action === 'decline' && { comment: 'No.' }) };
  const response = await by.call('POST', `/api/elicitations/${id}/vote`, body);
  const { code, status, refusal } = await json<ProblemDocument & { status: unknown }>(response);
  return refusal?.code ?? code ?? status;
}

/** How the change ended, by its timeline: made, or why not. */
async function endOf(id: string) {
  const { timeline } = await ben.look(id);
  return timeline.flatMap(({ event }) => (event.type === 'call.applied' ? [event.refused ?? 'made'] : []));
}

describe('a change that gives power', () => {
  test('waits, shows who, what, from and to, and is made when another administrator accepts it', async () => {
    const id = await promote();
    expect((await userNow(eve)).role).toBe('approver');
    const shown = await ben.show(id);
    expect(shown).toMatchObject({ server: 'assentry', risk: 'high', requester: { subject: ada.user.email } });
    expect(JSON.parse(shown.arguments)).toEqual({
      user: { id: eve.user.id, name: eve.user.name, email: eve.user.email },
      from: { role: 'approver' },
      to: { role: 'admin' },
    });
    expect(await vote(ben, id)).toBe('accepted');
    expect((await userNow(eve)).role).toBe('admin');
    expect(await endOf(id)).toEqual(['made']);
    await setUser(server, eve, { role: 'approver' });
  });

  test('names both people in its entry', async () => {
    const id = await promote();
    await vote(ben, id);
    const bodies = await query(
      server.databaseUrl,
      `SELECT convert_from(body, 'UTF8') FROM audit_entry WHERE type = 'user.changed' ORDER BY seq DESC LIMIT 1`,
    );
    expect(JSON.parse(String(bodies[0]))).toMatchObject({
      actor: { kind: 'user', id: ada.user.id, agreed: { with: [ben.user.id], request: id } },
      user: eve.user.id,
      changed: { role: 'admin' },
    });
    await setUser(server, eve, { role: 'approver' });
  });

  test('changes nothing when it is declined, or withdrawn by its requester', async () => {
    const declined = await promote();
    expect(await vote(ben, declined, 'decline')).toBe('declined');
    const withdrawn = await promote();
    const { digest } = await ada.show(withdrawn);
    const response = await ada.call('POST', `/api/elicitations/${withdrawn}/cancel`, { digest });
    expect(response.status).toBe(200);
    expect((await userNow(eve)).role).toBe('approver');
  });

  test('opens one request, however often it is sent', async () => {
    expect(await promote()).toBe(await promote());
  });

  test('is refused before anyone is asked if it cannot be made', async () => {
    const { status } = await patch(ada, eve, { chatMember: 'U0TAKEN01', managerId: eve.user.id });
    expect(status).toBe(400);
  });

  test.each<[string, () => Promise<Response>]>([
    ['a person who may vote', () => ada.call('POST', '/api/users', newcomer({}))],
    ['a manager', () => patch(ada, eve, { managerId: ben.user.id })],
    ['a name at MCP clients', () => patch(ada, eve, { subjects: [`sub-${eve.user.id.toLowerCase()}`] })],
    ['the emergency override', () => patch(ada, eve, { mayBreakGlass: true })],
    ['a member of Slack', () => patch(ada, eve, { chatMember: 'U0EVE0001' })],
  ])('is also %s', async (_what, ask) => {
    const id = await waiting(await ask());
    expect(await vote(ben, id)).toBe('accepted');
    expect(await endOf(id)).toEqual(['made']);
  });

  test('is also a member of a group, and the owner of a server', async () => {
    const group = await newGroup();
    const body = { add: [eve.user.id] };
    const joining = await waiting(await ada.call('POST', `/api/groups/${group}/members`, body));
    await server.newServerKey('owned');
    const { servers } = await server.engine.directory.read();
    const { id = '' } = servers.find(({ name }) => name === 'owned') ?? {};
    const owning = await waiting(await ada.call('PATCH', `/api/servers/${id}`, { ownerId: eve.user.id }));
    expect([await vote(ben, joining), await vote(ben, owning)]).toEqual(['accepted', 'accepted']);
    const after = await server.engine.directory.read();
    expect(after.groups.find((record) => record.id === group)?.members).toEqual([eve.user.id]);
    expect(after.servers.find((server) => server.id === id)?.ownerId).toBe(eve.user.id);
  });
});

const newcomer = (parts: object) => ({
  email: `${crypto.randomUUID()}@example.com`,
  name: 'New person',
  role: 'approver',
  ...parts,
});

describe('what takes power away', () => {
  test('never waits', async () => {
    await setUser(server, eve, { role: 'admin', mayBreakGlass: true, chatMember: 'U0EVE0002', managerId: ben.user.id });
    const taking = { role: 'reviewer', mayBreakGlass: false, chatMember: null, managerId: null, disabled: true };
    expect((await patch(ada, eve, taking)).status).toBe(200);
    expect(await userNow(eve)).toMatchObject({ role: 'reviewer', chatMember: null, managerId: null });
    expect((await patch(ada, eve, { disabled: false })).status).toBe(202);
  });

  test('does not wait for what gives power next to it', async () => {
    await setUser(server, eve, { mayBreakGlass: true });
    const id = await waiting(await patch(ada, eve, { mayBreakGlass: false, name: 'Eve', role: 'admin' }));
    expect(await userNow(eve)).toMatchObject({ mayBreakGlass: false, name: 'Eve', role: 'approver' });
    expect(JSON.parse((await ben.show(id)).arguments)).toMatchObject({ to: { role: 'admin' } });
  });

  test('does not let anyone decide alone afterwards', async () => {
    const alone = await startTestServer({ environment: 'production' });
    const [first, second] = [
      await openBrowser(alone, 'admin', 'password'),
      await openBrowser(alone, 'admin', 'password'),
    ];
    for (const parts of [{ disabled: true }, { role: 'reviewer' }]) {
      const path = `/api/users/${second.user.id}`;
      expect((await first.call('PATCH', path, parts)).status).toBe(202); // taking the last other one asks them
      expect(await json<SignedIn>(second.call('GET', '/api/session'))).toMatchObject({ user: { role: 'admin' } });
    }
    await setUser(alone, second, { role: 'approver' });
    expect((await first.call('POST', '/api/users', newcomer({}))).status).toBe(201);
    await alone.stop();
  });
});

/** As they are in a session that was proven just now. */
const proven = (user: User): SignedInUser => ({
  ...user,
  authentication: { method: 'password', at: server.engine.now(), assurance: 'single-factor', by: null },
});

describe('is never decided by', () => {
  test('its requester', async () => {
    const id = await promote();
    expect(await vote(ada, id)).toBe('is-requester');
    expect((await userNow(eve)).role).toBe('approver');
  });

  test('someone whose login the requester made, or the requester for such a person', async () => {
    const carl = await openBrowser(server, 'admin', 'password');
    const id = await promote();
    const { digest } = await ben.show(id);
    const issued: User = { ...carl.user, credentialIssuer: ada.user.id };
    const ballot = { action: 'accept', digest } as const;
    await expect(castVote(server.engine, issued, id as ElicitationId, ballot)).rejects.toMatchObject({
      refusal: { code: 'for-requester' },
    });
    const { waits } = await requestChange(server.engine, issued, 'change-user', {
      id: eve.user.id,
      changes: { mayBreakGlass: true },
    });
    const shown = await ben.show(waits ?? '');
    expect(await vote(ada, waits ?? '', 'accept', shown.digest)).toBe('is-requester');
    expect(await vote(ben, waits ?? '')).toBe('accepted');
    await setUser(server, carl, { role: 'reviewer' });
  });

  test('someone who is not an administrator, even with the emergency override or by delegation', async () => {
    await setUser(server, eve, { mayBreakGlass: true });
    const zoe = await openBrowser(server);
    const id = await waiting(await patch(ada, zoe, { role: 'admin' }));
    const { digest } = await ben.show(id);
    const delegated = { toId: eve.user.id, endsAt: server.engine.now() + 3_600_000 };
    expect((await ben.call('POST', '/api/delegations', delegated)).status).toBe(201);
    const ballot = { action: 'accept', digest } as const;
    const cast = (parts: object) => castVote(server.engine, eve.user, id as ElicitationId, { ...ballot, ...parts });
    await expect(cast({})).rejects.toMatchObject({ refusal: { code: 'other-stage' } });
    await expect(cast({ for: ben.user.id })).rejects.toMatchObject({ refusal: { code: 'not-delegated' } });
    const { can } = await eve.look(id);
    expect(can.breakGlass).toEqual({ allowed: false, refusal: 'second-administrator' });
    expect((await userNow(zoe)).role).toBe('approver');
  });
});

describe('an accepted change is not made', () => {
  const acceptedBut = async (id: string, happens: () => Promise<unknown>) => {
    // As a node leaves it that dies between the vote and the change.
    const { digest } = await ben.show(id);
    const { reader } = server.engine;
    const { acceptedUnused } = reader;
    reader.acceptedUnused = async () => []; // else the node's own loop makes the change first
    await castVote(server.engine, proven(ben.user), id as ElicitationId, { action: 'accept', digest });
    await happens();
    reader.acceptedUnused = acceptedUnused;
    await Promise.all([applyAccepted(server.engine), applyAccepted(server.engine).catch(() => {})]);
    await applyAccepted(server.engine);
  };

  test('twice, however many look for it at once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const id = await waiting(await ada.call('POST', '/api/users', newcomer({})));
      ids.push(id);
      const { digest } = await ben.show(id);
      await castVote(server.engine, proven(ben.user), id as ElicitationId, { action: 'accept', digest });
      const looks = Array.from({ length: 6 }, () => applyAccepted(server.engine).catch(() => {}));
      await Promise.all(looks);
    }
    await applyAccepted(server.engine);
    expect(await Promise.all(ids.map(endOf))).toEqual(ids.map(() => ['made']));
  });

  test.each<[string, () => Promise<unknown>]>([
    ['the person was disabled', () => setUser(server, eve, { disabled: true })],
    ['the role is another one', () => setUser(server, eve, { role: 'reviewer' })],
  ])('if %s', async (_what, happens) => {
    const id = await promote();
    await acceptedBut(id, happens);
    expect(await endOf(id)).toEqual(['change-outdated']);
    expect((await userNow(eve)).role).not.toBe('admin');
  });

  test('if the group is gone', async () => {
    const group = await newGroup();
    const id = await waiting(await ada.call('POST', `/api/groups/${group}/members`, { add: [eve.user.id] }));
    await acceptedBut(id, () => deleteGroup(server.engine, 'operator', group));
    expect(await endOf(id)).toEqual(['change-outdated']);
  });

  test('if the person who accepted or the person who asked is no longer an administrator', async () => {
    for (const who of [ben, ada]) {
      const id = await promote();
      await acceptedBut(id, () => setUser(server, who, { role: 'approver' }));
      expect((await userNow(eve)).role).toBe('approver');
      await setUser(server, who, { role: 'admin' });
    }
  });

  test('if it was revoked', async () => {
    const id = await promote();
    await acceptedBut(id, async () => {
      const { digest } = await ben.show(id);
      const revoked = await ben.call('POST', `/api/elicitations/${id}/revoke`, { digest });
      expect(revoked.status).toBe(200);
    });
    expect((await userNow(eve)).role).toBe('approver');
  });
});

test('an accepted change that the log does not confirm does not block the others', async () => {
  const write = (id: string | undefined, tool: string) =>
    query(server.databaseUrl, `UPDATE elicitation SET tool = '${tool}' WHERE id = '${id}'`);
  /** Two accepted changes, the first of them changed in the database before the node has made it. */
  const acceptTwo = async (): Promise<string[]> => {
    const ids = [await promote(), await waiting(await ada.call('POST', '/api/users', newcomer({})))];
    for (const id of ids) {
      const { digest } = await ben.show(id);
      await castVote(server.engine, proven(ben.user), id as ElicitationId, { action: 'accept', digest });
      if (id === ids[0]) await write(id, 'change-group');
    }
    const applied = `SELECT id FROM audit_entry WHERE elicitation_id = '${ids[0]}' AND type = 'call.applied'`;
    if ((await query(server.databaseUrl, applied)).length === 0) return ids;
    await write(ids[0], 'change-user'); // the node was faster
    await setUser(server, eve, { role: 'approver' });
    return acceptTwo();
  };
  const ids = await acceptTwo();
  await expect(applyAccepted(server.engine)).rejects.toMatchObject({ code: 'unproven' });
  await write(ids[0], 'change-user');
  expect(await endOf(ids[1] ?? '')).toEqual(['made']);
  await applyAccepted(server.engine);
  expect(await Promise.all(ids.map(endOf))).toEqual([['made'], ['made']]);
});

describe('policies', () => {
  test('that do not name Assentry say nothing of such changes; one that does can only require more', async () => {
    await publish(
      server,
      'policy: wide\nmatch: {}\ndeny: { reason: Nothing. }',
      [
        'policy: tight',
        'match: { server: assentry, tool: change-user }',
        'require: { stages: [{ name: Two, approve: 2, approvers: { role: admin } }] }',
      ].join('\n'),
    );
    const carl = await openBrowser(server, 'admin', 'password');
    const id = await promote();
    expect(await vote(ben, id)).toBe('open');
    expect((await userNow(eve)).role).toBe('approver');
    expect(await vote(carl, id)).toBe('accepted');
    expect((await userNow(eve)).role).toBe('admin');
    const allowing = 'policy: tight\nmatch: { server: assentry }\nallow: { ceiling: medium }';
    await publish(server, allowing, 'policy: wide\nmatch: {}\nretire: { reason: Done. }');
    await setUser(server, eve, { role: 'approver' });
    expect((await userNow(eve)).role).toBe('approver');
    await promote();
    expect((await userNow(eve)).role).toBe('approver');
  });
});

test('Assentry’s name is not a key', async () => {
  for (const name of ['assentry', 'Assentry'])
    await expect(server.newServerKey(name)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

describe('changes of keys, stops and policies:', () => {
  test('a key is shown at once, and opens nothing before it is accepted', async () => {
    const response = await ada.call('POST', '/api/keys', { server: 'ledger' });
    expect(response.status).toBe(202);
    const { key, request, kid } = await json<WaitingKey>(response);
    const opens = async () => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${server.url}/v1/elicitations/eli_AAAAAAAAAAAAAAAAAAAAAA`, { headers })).status;
    };
    expect(await opens()).toBe(401);
    expect((await ben.show(request)).arguments).not.toContain(key);
    expect(await vote(ben, request)).toBe('accepted');
    expect(await opens()).toBe(404);
    expect((await server.engine.servers.byKey(kid))?.server).toMatchObject({ name: 'ledger', maker: ada.user.id });
  });

  test('the old key of a rotation gets its end only when a second administrator accepts the new one', async () => {
    const { engine } = server;
    const old = (await server.newServerKey('rotating')).split('_')[1] ?? '';
    const find = async (kid: string) => (await engine.servers.keys()).find((key) => key.kid === kid);
    const ask = async () => {
      const response = await ada.call('POST', `/api/keys/${old}/rotate`, { overlapMs: 3_600_000 });
      expect(response.status).toBe(202);
      const waitingKey = await json<WaitingRotation>(response);
      expect(waitingKey).toMatchObject({
        replaces: old,
        server: 'rotating',
        key: expect.stringContaining(waitingKey.kid),
      });
      return waitingKey;
    };
    const [first, second] = [await ask(), await ask()];
    expect(await find(old)).toMatchObject({ expiresAt: null, replacedBy: null });
    expect(await engine.servers.byKey(first.kid)).toBeNull();
    const shown = await ben.show(first.request);
    expect(shown.message).toContain(`It replaces the key ${old}, which ends 1 hours after this is accepted`);
    expect(await vote(ben, first.request)).toBe('accepted');
    const next = await find(first.kid);
    expect(await find(old)).toMatchObject({ replacedBy: first.kid, expiresAt: (next?.createdAt ?? 0) + 3_600_000 });
    expect(await vote(ben, second.request)).toBe('accepted');
    expect(await find(second.kid)).toBeUndefined();
    expect((await find(old))?.replacedBy).toBe(first.kid);
    const refused = await json<unknown>(ada.call('POST', `/api/keys/${old}/rotate`, {}));
    expect(refused).toMatchObject({ refusal: { code: 'key-rotated' } });
  });

  test('an operator asks for a key, withdraws it, or gets it once an administrator accepts; no other operator can', async () => {
    const [otto, olga] = [await openBrowser(server, 'operator'), await openBrowser(server, 'operator')];
    const ask = async () => waiting(await otto.call('POST', '/api/keys', { server: 'stock' }));
    const withdrawn = await ask();
    const { digest } = await otto.show(withdrawn);
    expect((await otto.call('POST', `/api/elicitations/${withdrawn}/cancel`, { digest })).status).toBe(200);
    const id = await ask();
    expect(await vote(olga, id, 'accept', (await ben.show(id)).digest)).toBe('approvers-decide');
    await setUser(server, otto, { role: 'approver' });
    expect(await vote(ben, id)).toBe('accepted');
    expect(await endOf(id)).toEqual(['operators-only']);
    await setUser(server, otto, { role: 'operator' });
    const accepted = await ask();
    expect(await vote(ben, accepted)).toBe('accepted');
    expect(await endOf(accepted)).toEqual(['made']);
  });

  test('a policy author writes what another one reviews, and an administrator publishes', async () => {
    const [pia, paul] = [await openBrowser(server, 'policy-author'), await openBrowser(server, 'policy-author')];
    const document = 'policy: authored\nmatch: { server: authored }\ndeny: { reason: No. }';
    const { version, digest } = await json<PolicyDetail>(pia.call('POST', '/api/policies', { document }));
    const place = `/api/policies/authored/versions/${version}`;
    await pia.call('POST', `${place}/submit`);
    const review = { verdict: 'approve', digest };
    expect((await json<ProblemDocument>(pia.call('POST', `${place}/review`, review))).refusal?.code).toBe(
      'own-version',
    );
    expect((await paul.call('POST', `${place}/review`, review)).status).toBe(200);
    for (const author of [pia, paul]) {
      const refused = await json<ProblemDocument>(author.call('POST', `${place}/publish`));
      expect(refused.refusal?.code).toBe('administrators-publish');
    }
    await waiting(await ben.call('POST', `${place}/publish`));
  });

  test('a stop of everything does not keep administrators from lifting it together', async () => {
    const { id } = await json<{ id: string }>(ada.call('POST', '/api/stops', { reason: 'Drill.' }));
    const own = await ada.call('POST', `/api/stops/${id}/lift`);
    expect((await json<ProblemDocument>(own)).refusal?.code).toBe('lift-by-other');
    const request = await waiting(await ben.call('POST', `/api/stops/${id}/lift`));
    expect(JSON.parse((await ada.show(request)).arguments)).toMatchObject({
      stop: id,
      server: null,
      tool: null,
      reason: 'Drill.',
      by: { email: ada.user.email },
    });
    expect(await server.engine.stops.inForce()).toHaveLength(1);
    expect(await vote(ada, request)).toBe('accepted');
    expect(await server.engine.stops.inForce()).toEqual([]);
    const again = await ben.call('POST', `/api/stops/${id}/lift`);
    expect((await json<ProblemDocument>(again)).refusal?.code).toBe('already-lifted');
  });

  test('a policy decides only after its publication was accepted, and not if another was published meanwhile', async () => {
    const publishing = async (reason: string) => {
      const document = `policy: payments\nmatch: { server: payments }\ndeny: { reason: ${reason} }`;
      const drafted = await ada.call('POST', '/api/policies', { document });
      const { version, digest } = await json<PolicyDetail>(drafted);
      const place = `/api/policies/payments/versions/${version}`;
      await ada.call('POST', `${place}/submit`);
      await ben.call('POST', `${place}/review`, { verdict: 'approve', digest });
      return waiting(await ben.call('POST', `${place}/publish`));
    };
    const published = async () => (await server.engine.policies.find('payments'))?.publishedVersion;
    const [first, second] = [await publishing('One'), await publishing('Two')];
    expect(await published()).toBeNull();
    expect(JSON.parse((await ada.show(first)).arguments)).toMatchObject({
      policy: 'payments',
      from: null,
      to: 1,
      author: { email: ada.user.email },
      reviewer: { email: ben.user.email },
    });
    expect([await vote(ada, first), await vote(ada, second)]).toEqual(['accepted', 'accepted']);
    expect(await published()).toBe(1);
    const shown = await json<PolicyDetail>(ada.call('GET', '/api/policies/payments/versions/1'));
    expect(shown.publishers).toEqual([ben.user.name, ada.user.name]);
    expect(await endOf(second)).toEqual(['change-outdated']);
  });
});

test('the log confirms every row after all of this', async () => {
  const { engine } = server;
  while (await engine.merkleLog.isWaiting()) await sequenceAll(engine, engine.ring);
  expect(await verify(engine, {}, engine.ring)).toMatchObject({ fault: null });
});
