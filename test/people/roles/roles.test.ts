import { afterAll, describe, expect, test } from '@jest/globals';
import type { AppliedDirectory } from '#people/declared/contract';
import type { CreatedAdminToken } from '#access/tokens/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { CustomRole, CustomRoleList } from '#people/roles/contract';
import type { GrantId } from '#platform/model/id';
import { applyPolicies } from '#policies/verbs/apply';
import { addRole } from '#people/roles/verbs';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { readEvents } from '../../support/nodes/event-source.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { asWritten, entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { allowForAnHour } from '../../support/requests/grant.ts';
import { setUser } from '../../support/requests/policies.ts';
import { json } from '../../support/json.ts';
import { until } from '../../support/poll.ts';
import { accept, waiting } from '../../support/requests/waiting-change.ts';

/** Roles that an installation makes, in production: two administrators decide what gives anyone more. */
const two = await startTwoNodes({ environment: 'production', defaults: { requester: 'any', readingTime: 0 } });
afterAll(() => two.stop());
const [node] = two.nodes;
const [ada, ben] = [await openBrowser(node, 'admin', 'password'), await openBrowser(node, 'admin', 'password')];

async function outcome(answer: Promise<Response>): Promise<unknown> {
  const response = await answer;
  const text = await response.text();
  const { refusal, code, errors } = (text === '' ? {} : JSON.parse(text)) as Partial<ProblemDocument>;
  return response.ok ? response.status : (refusal?.code ?? errors?.[0]?.path.join('.') ?? code);
}

const add = (name: string, permissions: string[], by = ada) => by.call('POST', '/api/roles', { name, permissions });
const newRole = (name: string, permissions: string[]) => json<CustomRole>(add(name, permissions));
const change = ({ id }: CustomRole, permissions: string[], by = ada) =>
  by.call('PUT', `/api/roles/${id}`, { permissions });
const remove = ({ id }: CustomRole, by = ada) => by.call('DELETE', `/api/roles/${id}`);
const give = ({ user }: Browser, role: string, by = ada) => by.call('PATCH', `/api/users/${user.id}`, { role });

/** Someone who has had the role from the start. */
const personWith = (role: string) => openBrowser(two.nodes[0], role, 'password');

/** What this person is refused for stopping a tool, making a key and reading the log, at the second node. */
async function refusedTo(person: Browser): Promise<unknown[]> {
  const { call } = person.at(two.nodes[1].url);
  return Promise.all([
    outcome(call('POST', '/api/stops', { tool: `tool_${Math.random().toString(36).slice(2)}`, reason: 'A test.' })),
    outcome(call('POST', '/api/keys', { server: 'payments' })),
    outcome(call('GET', '/api/audit/entries')),
  ]);
}

const lastEntry = async (type: string): Promise<Record<string, unknown>> =>
  (
    (await two.query(`SELECT entry FROM audit_log WHERE type = $1 ${asWritten}`, [type])) as Record<string, unknown>[]
  ).at(-1) ?? {};

describe('a role', () => {
  test('is made by administrators alone, of permissions that are not theirs alone, and has a name of its own', async () => {
    for (const by of [await personWith('operator'), await personWith('reviewer')])
      expect(await outcome(add('mine', ['stop-calls'], by))).toBe('administrators-only');
    for (const permission of ['change-directory', 'change-space', 'sing'])
      expect(await outcome(add('mine', ['stop-calls', permission]))).toMatch(/^permissions/);
    const alike = [
      'administrat0r',
      'adrnin',
      'admins',
      'rev1ewer',
      'policyauthor',
      'аdmin',
      '__proto__',
      'constructor\u202e',
    ];
    for (const name of [
      'admin',
      'reviewer',
      'space-admin',
      'anyone',
      'Key keeper',
      'a',
      '-a',
      'a--b',
      'x'.repeat(41),
      ...alike,
    ])
      expect([name, await outcome(add(name, ['stop-calls']))]).toEqual([name, 'name']);
    expect(await outcome(add('mine', []))).toMatch(/^permissions/);
    const asOperator = addRole(two.nodes[0].engine, 'operator', { name: 'mine', permissions: ['change-directory'] });
    await expect(asOperator).rejects.toMatchObject({ errors: [{ path: ['permissions'] }] });
    expect(await outcome(add('first-role', ['stop-calls', 'change-keys']))).toBe(201);
    expect(await outcome(add('first-role', ['stop-calls']))).toBe('already-exists');
    const { roles } = await json<CustomRoleList>(ben.call('GET', '/api/roles'));
    expect(roles).toMatchObject([{ name: 'first-role', permissions: ['change-keys', 'stop-calls'], people: 0 }]);
    expect(await lastEntry('role.added')).toMatchObject({
      actor: { kind: 'user', id: ada.user.id },
      name: 'first-role',
      permissions: ['change-keys', 'stop-calls'],
    });
  });

  test('gives what it permits and nothing else, at every node, once a second administrator accepts', async () => {
    await newRole('key-keeper', ['change-keys', 'stop-calls']);
    const kim = await personWith('reviewer');
    const request = await waiting(give(kim, 'key-keeper'));
    const shown = await ben.show(request);
    expect(shown.message).toContain('to key-keeper (change-keys, stop-calls)');
    expect(JSON.parse(shown.arguments)).toMatchObject({ permits: ['change-keys', 'stop-calls'] });
    expect(await refusedTo(kim)).toEqual(['operators-only', 'operators-only', 200]);
    expect(await accept(ada, request)).toBe('is-requester');
    expect(await accept(ben, request)).toBe('accepted');
    expect(await refusedTo(kim)).toEqual([201, 202, 'reviewers-read-log']);
    const { user } = await json<{ user: object }>(kim.call('GET', '/api/session'));
    expect(user).toMatchObject({ role: 'key-keeper', permissions: ['change-keys', 'stop-calls'] });
  });

  test('can be given with a new person, and one that is absent cannot', async () => {
    await newRole('newcomer', ['write-policies']);
    const person = { email: 'new@example.com', name: 'New', role: 'newcomer' };
    expect(await outcome(ada.call('POST', '/api/users', { ...person, role: 'newcome' }))).toBe('role');
    expect(await outcome(give(await personWith('reviewer'), 'newcome'))).toBe('role');
    expect(await accept(ben, await waiting(ada.call('POST', '/api/users', person)))).toBe('accepted');
  });

  test('is given by two even if it permits no more, because policies name it; what is taken from administrators is taken by one', async () => {
    await newRole('looker', ['read-log']);
    await newRole('treasurer', ['decide']);
    const [approver, looking, admin] = [
      await personWith('approver'),
      await personWith('reviewer'),
      await openBrowser(two.nodes[0], 'admin', 'password'),
    ];
    const paid = `policy: treasury\nmatch: { tool: pay_out }\nrequire: { stages: [{ name: Treasury, approvers: [{ role: treasurer }, { role: admin }] }] }\n`;
    await applyPolicies(two.nodes[0].engine, [paid]);
    const waits = await waiting(give(approver, 'treasurer'));
    expect(await outcome(approver.vote(await two.asking.open({ tool: { name: 'pay_out' } })))).toBe('not-found');
    expect(await accept(ben, waits)).toBe('accepted');
    expect(await outcome(approver.vote(await two.asking.open({ tool: { name: 'pay_out', title: 'Again' } })))).toBe(
      200,
    );
    expect(await outcome(give(approver, 'approver'))).toBe(202);
    expect(await outcome(give(approver, 'reviewer'))).toBe(200);
    expect(await outcome(give(looking, 'looker'))).toBe(202);
    const person = { email: 'looking@example.com', name: 'New', role: 'looker' };
    expect(await outcome(ada.call('POST', '/api/users', person))).toBe(202);
    expect(await outcome(give(admin, 'treasurer'))).toBe(200);
    await applyPolicies(two.nodes[0].engine, ['policy: treasury\nretire: { reason: A test has ended. }\n']);
  });
});

test('publishing alone is enough to publish what others wrote and reviewed, and a second administrator accepts it', async () => {
  await newRole('publisher', ['publish-policies']);
  const [kim, writer, reviewer] = [
    await personWith('publisher'),
    await personWith('policy-author'),
    await personWith('policy-author'),
  ];
  const document = 'policy: by-a-publisher\nmatch: { tool: published }\ndeny: { reason: Never. }\n';
  const draft = { document, note: '' };
  expect(await outcome(kim.call('POST', '/api/policies', draft))).toBe('authors-change-policies');
  const { digest } = await json<{ digest: string }>(writer.call('POST', '/api/policies', draft));
  const step = (by: Browser, verb: string, body?: object) =>
    by.call('POST', `/api/policies/by-a-publisher/versions/1/${verb}`, body);
  await step(writer, 'submit');
  const review = { verdict: 'approve', digest };
  expect(await outcome(step(kim, 'review', review))).toBe('authors-change-policies');
  expect(await outcome(step(reviewer, 'review', review))).toBe(200);
  expect(await outcome(step(writer, 'publish'))).toBe('administrators-publish');
  expect(await accept(ada, await waiting(step(kim, 'publish')))).toBe('accepted');
  expect(await lastEntry('policy.published')).toMatchObject({
    actor: { id: kim.user.id, agreed: { with: [ada.user.id] } },
  });
});

describe('a change of a role', () => {
  test('that takes something away is made at once for everyone who has it, in one entry with before and after', async () => {
    const role = await newRole('narrowed', ['change-keys', 'stop-calls']);
    const people = [await personWith('narrowed'), await personWith('narrowed')];
    for (const person of people) expect((await refusedTo(person)).slice(0, 2)).toEqual([201, 202]);
    expect(await outcome(change(role, ['change-keys']))).toBe(200);
    for (const person of people) expect((await refusedTo(person)).slice(0, 2)).toEqual(['operators-only', 202]);
    expect(await lastEntry('role.changed')).toMatchObject({
      role: role.id,
      name: 'narrowed',
      before: ['change-keys', 'stop-calls'],
      permissions: ['change-keys'],
    });
    const count = () => two.query(`SELECT count(*)::int FROM audit_log WHERE type = 'role.changed'`);
    const before = await count();
    expect(await outcome(change(role, ['change-keys']))).toBe(200);
    expect(await count()).toEqual(before);
  });

  test('that gives anyone more waits for a second administrator, who sees whom it concerns', async () => {
    const role = await newRole('widened', ['change-keys']);
    const kim = await personWith('widened');
    const request = await waiting(change(role, ['change-keys', 'stop-calls', 'decide']));
    expect((await ben.show(request)).message).toContain(kim.user.email);
    expect(await outcome(kim.call('GET', `/api/elicitations/${request}`))).toBe('not-found');
    expect(await accept(ada, request)).toBe('is-requester');
    expect((await refusedTo(kim))[0]).toBe('operators-only');
    expect(await accept(ben, request)).toBe('accepted');
    expect((await refusedTo(kim))[0]).toBe(201);
    expect(await lastEntry('role.changed')).toMatchObject({ actor: { agreed: { with: [ben.user.id], request } } });
  });

  test('is judged for those who are disabled as well', async () => {
    const role = await newRole('resting', ['change-keys']);
    await setUser(two.nodes[0], await personWith('resting'), { disabled: true });
    expect((await change(role, ['change-keys', 'stop-calls'])).status).toBe(202);
  });

  test('that does both takes away at once, and asks for the rest', async () => {
    const role = await newRole('mixed', ['change-keys', 'read-tools']);
    const kim = await personWith('mixed');
    const request = await waiting(change(role, ['read-tools', 'stop-calls']));
    expect((await refusedTo(kim)).slice(0, 2)).toEqual(['operators-only', 'operators-only']);
    expect(await accept(ben, request)).toBe('accepted');
    expect((await refusedTo(kim)).slice(0, 2)).toEqual([201, 'operators-only']);
  });

  test('is not made as accepted if someone else has got the role meanwhile', async () => {
    const role = await newRole('shifting', ['change-keys']);
    await personWith('shifting');
    const request = await waiting(change(role, ['change-keys', 'stop-calls']));
    await personWith('shifting');
    await accept(ben, request);
    const state = await json<object>(ada.call('GET', `/api/changes/${request}`));
    expect(state).toEqual({ state: 'not-made', because: 'change-outdated' });
  });

  test('of a role that no one has is made by one, and what waits for the former role is not made', async () => {
    const role = await newRole('unused', ['read-tools']);
    const kim = await personWith('reviewer');
    const request = await waiting(give(kim, 'unused'));
    expect(await outcome(change(role, ['read-tools', 'publish-policies']))).toBe(200);
    await accept(ben, request);
    expect(await json<object>(ada.call('GET', `/api/changes/${request}`))).toMatchObject({ state: 'not-made' });
    expect(await json<object>(kim.call('GET', '/api/session'))).toMatchObject({ user: { role: 'reviewer' } });
  });

  test('ends what a console of one of its people hears', async () => {
    const role = await newRole('watcher', ['watch-requests', 'stop-calls']);
    const kim = await personWith('watcher');
    const named = await openBrowser(two.nodes[0]);
    const streams = await Promise.all(
      [kim, named].map(({ cookie }) => readEvents(`${two.nodes[1].url}/api/stream`, { cookie })),
    );
    const [heard, always] = streams.map(
      ({ events }) =>
        () =>
          events.map(({ data }) => data).join(),
    );
    const openHeard = async () => {
      await applyPolicies(two.nodes[0].engine, [
        `policy: heard\nmatch: { tool: heard }\nrequire: { stages: [{ name: One, approvers: { user: ${named.user.email} } }] }\n`,
      ]);
      const { id } = await two.asking.open({ tool: { name: 'heard' } });
      await until(() => always!().includes(id));
      return id;
    };
    await until(() => streams.every(({ events }) => events.length > 0));
    const first = await openHeard();
    await until(() => heard!().includes(first));
    await change(role, ['stop-calls']);
    const second = await openHeard();
    const third = await two.asking.open({ tool: { name: 'heard' } });
    await until(() => always!().includes(third.id));
    expect(heard!()).not.toContain(second);
    streams.forEach(({ cut }) => cut());
  });
});

describe('votes', () => {
  test('come by a policy that names the role, and are void once it no longer permits them', async () => {
    const role = await newRole('payer', ['decide']);
    const kim = await personWith('payer');
    const document = `policy: by-payers
match: { tool: pay_role }
require: { stages: [{ name: Payers, approve: 2, approvers: [{ role: payer }, { role: admin }] }] }
`;
    await applyPolicies(two.nodes[0].engine, [document]);
    const opened = await two.asking.open({ tool: { name: 'pay_role' } });
    expect((await kim.vote(opened)).status).toBe(200);
    expect(await outcome(change(role, ['read-tools']))).toBe(202);
    expect(await outcome(change(role, ['read-log']))).toBe(200);
    await until(async () => (await entriesOf(two, opened.id)).some(({ type }) => type === 'elicitation.votes-voided'));
    const other = await two.asking.open({ tool: { name: 'pay_role', title: 'Again' } });
    expect(await outcome(kim.vote(other))).toBe('approvers-decide');
    expect(await outcome(ada.vote(opened))).toBe(200);
    expect((await ada.look(opened.id)).status).toBe('open');
  });

  test('a standing approval ends, and no one votes for someone, who can no longer vote', async () => {
    const role = await newRole('granting', ['decide', 'read-log']);
    const [kim, deputy] = [await personWith('granting'), await openBrowser(two.nodes[0])];
    const { engine } = two.nodes[0];
    const { grant } = await allowForAnHour(two.nodes[0], kim);
    const inForce = async () => (await engine.grants.find(grant as GrantId))?.isVoterGone === false;
    const ends = { toId: deputy.user.id, endsAt: Date.now() + 3_600_000, policies: [], note: '' };
    expect(await outcome(kim.call('POST', '/api/delegations', ends))).toBe(201);
    const standIns = () => engine.delegations.inForce(deputy.user.id, engine.now());
    expect([await inForce(), (await standIns()).length]).toEqual([true, 1]);
    expect(await outcome(change(role, ['read-log']))).toBe(200);
    expect([await inForce(), (await standIns()).length]).toEqual([false, 0]);
  });
});

test('the views of the log say when a role could decide', async () => {
  const role = await newRole('counted', ['decide', 'read-log']);
  const kim = await personWith('reviewer');
  await setUser(two.nodes[0], kim, { role: 'counted' });
  const start = Date.now();
  await until(() => Date.now() > start + 2);
  expect(await outcome(change(role, ['read-log']))).toBe(200);
  const spans = `SELECT json_build_array(role, decides, until IS NULL) FROM audit.roles WHERE person = $1 ORDER BY since`;
  expect(await two.query(spans, [kim.user.id])).toEqual([
    ['counted', true, false],
    ['counted', false, true],
  ]);
});

describe('tokens', () => {
  test('of someone with the role have what it still permits', async () => {
    const role = await newRole('former-admin', ['change-keys', 'change-webhooks']);
    const cara = await openBrowser(two.nodes[0], 'admin', 'password');
    const terms = { name: 'pipeline', permissions: ['change-directory', 'change-keys', 'change-webhooks'] };
    const { token, request } = await json<CreatedAdminToken & { request: string }>(
      cara.call('POST', '/api/admin-tokens', terms),
    );
    expect(await accept(ben, request)).toBe('accepted');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const send = (path: string, body: object) =>
      outcome(fetch(`${two.nodes[1].url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
    const tried = async () => [
      await send('/api/groups', { name: `By token ${Math.random()}` }),
      await send('/api/keys', { server: 'payments' }),
    ];
    expect(await tried()).toEqual([201, 202]);
    await setUser(two.nodes[0], cara, { role: 'former-admin' });
    expect(await tried()).toEqual(['administrators-only', 202]);
    await change(role, ['change-webhooks']);
    expect(await tried()).toEqual(['administrators-only', 'operators-only']);
  });
});

describe('a role is removed', () => {
  test('once no one has it, and no policy in force names it', async () => {
    const role = await newRole('leaving', ['decide']);
    const kim = await personWith('leaving');
    await setUser(two.nodes[0], kim, { disabled: true });
    const response = await remove(role);
    expect(await json<object>(response)).toMatchObject({
      code: 'not-now',
      refusal: { code: 'role-in-use', values: { people: kim.user.name } },
    });
    const policy = (approver: string) =>
      applyPolicies(two.nodes[0].engine, [
        `policy: naming-a-role\nmatch: { tool: named }\nrequire: { stages: [{ name: One, approvers: [${approver}, { role: admin }] }] }\n`,
      ]);
    await setUser(two.nodes[0], kim, { disabled: false });
    await policy('{ role: leaving }');
    await setUser(two.nodes[0], kim, { role: 'reviewer' });
    expect(await outcome(remove(role))).toBe('role-in-policy');
    await policy('{ role: approver }');
    expect(await outcome(remove(role, await personWith('operator')))).toBe('administrators-only');
    expect(await outcome(remove(role))).toBe(204);
    expect(await lastEntry('role.removed')).toMatchObject({ role: role.id, name: 'leaving' });
    expect(await outcome(remove(role))).toBe('not-found');
  });

  test('or given to someone at the same time, but not both', async () => {
    const person = await personWith('reviewer');
    for (let round = 0; round < 8; round += 1) {
      const name = `raced-${round}`;
      const role = await newRole(name, ['read-log']);
      await Promise.allSettled([remove(role, ada.at(two.nodes[0].url)), give(person, name, ben.at(two.nodes[1].url))]);
      const [strays] = await two.query(
        `SELECT count(*)::int FROM app_user WHERE role LIKE 'raced-%' AND role NOT IN (SELECT name FROM custom_role)`,
      );
      expect(strays).toBe(0);
      await setUser(two.nodes[0], person, { role: 'reviewer' });
    }
  });
});

describe('a declared directory', () => {
  const apply = (body: object) => ada.call('POST', '/api/directory/apply', body);
  const changesOf = async (body: object) =>
    (await json<AppliedDirectory>(apply({ ...body, dryRun: true }))).changes.map((step) => step.change);

  test('makes a role and gives it, in one request and one commit', async () => {
    const file = {
      roles: [{ name: 'declared', permissions: ['stop-calls', 'read-log'] }],
      people: [{ email: 'declared@example.com', name: 'Dee', role: 'declared' }],
    };
    expect(await changesOf(file)).toEqual(['add-role', 'add-person']);
    expect(await accept(ben, await waiting(apply(file)))).toBe('accepted');
    expect(await changesOf(file)).toEqual([]);
    expect(await lastEntry('role.added')).toMatchObject({ name: 'declared', permissions: ['read-log', 'stop-calls'] });
  });

  test('gives no one more alone by widening a role before it is given', async () => {
    await newRole('stepwise', ['read-log']);
    const kim = await personWith('reviewer');
    const file = {
      roles: [{ name: 'stepwise', permissions: ['read-log', 'publish-policies'] }],
      people: [{ email: kim.user.email, role: 'stepwise' }],
    };
    const request = await waiting(apply(file));
    expect(JSON.parse((await ben.show(request)).arguments)).toMatchObject({
      changes: [
        { change: 'change-role', to: ['read-log', 'publish-policies'], people: [] },
        { change: 'change-person' },
      ],
    });
    expect((await json<CustomRoleList>(ada.call('GET', '/api/roles'))).roles).toContainEqual(
      expect.objectContaining({ name: 'stepwise', permissions: ['read-log'] }),
    );
    expect(await accept(ben, request)).toBe('accepted');
  });

  test('takes away at once: votes, and with --prune the roles it leaves out', async () => {
    const kept = async () => (await json<CustomRoleList>(ada.call('GET', '/api/roles'))).roles;
    await newRole('pruned', ['decide']);
    const kim = await personWith('pruned');
    await applyPolicies(two.nodes[0].engine, [
      'policy: pruned-two\nmatch: { tool: pruned }\nrequire: { stages: [{ name: Two, approve: 2, approvers: anyone }] }\n',
    ]);
    const opened = await two.asking.open({ tool: { name: 'pruned' } });
    expect((await kim.vote(opened)).status).toBe(200);
    const roles = (await kept()).map(({ name, permissions }) => ({ name, permissions }));
    const lessened = roles.map((role) => (role.name === 'pruned' ? { ...role, permissions: ['read-log'] } : role));
    expect(await outcome(apply({ roles: lessened }))).toBe(200);
    await until(async () => (await entriesOf(two, opened.id)).some(({ type }) => type === 'elicitation.votes-voided'));
    const without = lessened.filter(({ name }) => name !== 'pruned');
    expect(await outcome(apply({ roles: without, prune: true }))).toBe('role-in-use');
    const people = [{ email: kim.user.email, role: 'reviewer' }];
    expect(await changesOf({ roles: without, people })).toEqual(['change-person']);
    await setUser(two.nodes[0], kim, { role: 'reviewer' });
    expect(await outcome(apply({ roles: without, prune: true }))).toBe(200);
    expect((await kept()).map(({ name }) => name)).not.toContain('pruned');
  });

  test('names the place of each fault', async () => {
    const response = await apply({
      roles: [{ name: 'admin', permissions: ['stop-calls'] }],
      people: [{ email: 'wrong@example.com', name: 'Wrong', role: 'declarde' }],
    });
    const { errors } = await json<ProblemDocument>(response);
    expect(errors?.map(({ path }) => path.join('.'))).toEqual(['roles.0.name']);
    expect(await outcome(apply({ people: [{ email: 'wrong@example.com', name: 'Wrong', role: 'declarde' }] }))).toBe(
      'people.0.role',
    );
  });
});

test('an administrator who may no longer change the directory changes no role, and no one with a role accepts', async () => {
  const all = await json<CustomRole>(
    add('nearly-all', ['decide', 'publish-policies', 'write-policies', 'tend-requests']),
  );
  const kim = await personWith('nearly-all');
  const request = await waiting(change(all, ['decide', 'stop-calls']));
  expect(await outcome(kim.call('GET', `/api/elicitations/${request}`))).toBe('not-found');
  expect(await outcome(change(all, ['decide'], kim))).toBe('administrators-only');
});

test('what a row permits that no role can have permits nothing, and the check of the log names the row', async () => {
  await sequenceAll(two.nodes[0].engine);
  expect(await verify(two.nodes[0].engine)).toMatchObject({ fault: null });
  const role = await newRole('smuggled', ['read-tools']);
  const kim = await personWith('smuggled');
  await two.query(`UPDATE custom_role SET permissions = '{change-directory,read-tools}' WHERE id = $1`, [role.id]);
  expect(await outcome(add('by-kim', ['read-tools'], kim))).toBe('administrators-only');
  await sequenceAll(two.nodes[0].engine);
  expect(JSON.stringify(await verify(two.nodes[0].engine))).toContain(role.id);
});
