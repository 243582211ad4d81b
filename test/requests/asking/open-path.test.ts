import { afterAll, describe, expect, test } from '@jest/globals';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { giveServers } from '../../support/requests/owner.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { entriesOf, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const elsewhere = two.asking.at(two.nodes[1].url);
/** Of the server that asks. */
const [ada, grace, boss, owner] = await Promise.all([
  openBrowser(two.nodes[0]),
  openBrowser(two.nodes[0]),
  openBrowser(two.nodes[0]),
  openBrowser(two.nodes[0]),
]);
await giveServers(two.nodes[0], owner.user);
await newGroup(two.nodes[0], 'finance', [ada, grace]);

/** A question about this tool, to which only the policies of its test apply. */
const ask = (tool: string, parts: Record<string, unknown> = {}) => ({ tool: { name: tool }, ...parts });
const askNothing = { schema: { type: 'object', properties: {} } };
const decide = (by: Browser, { id, digest }: Pick<OpenedElicitation, 'id' | 'digest'>, action = 'accept') =>
  by.call('POST', `/api/elicitations/${id}/vote`, { action, digest, content: {}, comment: 'said' });
/** Of those whom no stage names, only who sees the request learns that it is there. */
const expectNoVote = async (request: OpenedElicitation): Promise<void> =>
  expect([(await decide(boss, request)).status, (await decide(owner, request)).status]).toEqual([404, 409]);
const refused = async (response: Response): Promise<[number, ProblemDocument]> => [
  response.status,
  await json<ProblemDocument>(response),
];
const openAt = (asking: Asking, parts: Record<string, unknown>): Promise<Response> =>
  asking.call('POST', '/v1/elicitations', { ...base, ...parts });
const base = {
  arguments: { amount: 100 },
  message: 'Transfer the money?',
  requester: { subject: 'alice' },
  audience: 'approvers',
};

test('P1 a condition over arguments decides who is asked, and the request pins the version that decided', async () => {
  await publish(
    two.nodes[0],
    `policy: p1
match: { server: payments, tool: p1 }
when: request.args.amount > 1000
require: { risk: high, stages: [{ name: Finance, approve: 2, approvers: { group: finance } }] }`,
  );
  const small = await two.asking.open(ask('p1'));
  const large = await two.asking.open(ask('p1', { arguments: { amount: 5000 } }));
  const [first, other] = await Promise.all([ada.show(small.id), ada.show(large.id)]);
  expect([first.policy.name, first.progress?.need]).toEqual(['built-in@1', 1]);
  expect([other.policy.name, other.progress?.need, other.risk]).toEqual(['p1@1', 2, 'high']);
  await expectNoVote(large); // not of finance
  await decide(ada, large);
  const visible = await (await two.asking.call('GET', `/v1/elicitations/${large.id}`)).json();
  expect(visible).toMatchObject({
    status: 'open',
    policy: { name: 'p1@1', sentence: expect.stringContaining('Finance') },
  });
  await publish(
    two.nodes[0],
    'policy: p1\nmatch: { tool: p1 }\nrequire: { stages: [{ name: Any, approvers: anyone }] }',
  );
  expect(await (await decide(grace, large)).json()).toMatchObject({ id: large.id, status: 'accepted' });
  expect((await grace.show(large.id)).policy.name).toBe('p1@1');
  const missing = await two.asking.open(ask('p1', { arguments: {} }));
  expect((await ada.show(missing.id)).policy.name).toBe('p1@2');
});

test('P1 a missing field leads to the strictest decision', async () => {
  await publish(
    two.nodes[0],
    `policy: p1-allow
match: { tool: p1-missing }
when: request.args.amount < 10
allow: { ceiling: medium }`,
  );
  const terms = { ...askNothing, audience: 'requester' };
  const allowed = await two.asking.open(ask('p1-missing', { ...terms, arguments: { amount: 1 } }));
  const missing = await two.asking.open(ask('p1-missing', { ...terms, arguments: {} }));
  expect([allowed.status, missing.status, missing.audience]).toEqual(['accepted', 'open', 'approvers']);
  const { considered } = (await ada.show(missing.id)).policy;
  expect(considered).toMatchObject([{ policy: 'p1-allow@1', result: 'failed', failure: expect.any(String) }]);
});

describe('P2 a deny', () => {
  test('wins over allow and require; the caller gets the reason, and the log names the policy', async () => {
    await publish(
      two.nodes[0],
      'policy: p2-allow\npriority: 100\nmatch: { tool: p2 }\nallow: { ceiling: medium }',
      'policy: p2-deny\nmatch: { tool: p2 }\ndeny: { reason: Not on Fridays. }',
    );
    const opened = await two.asking.open(ask('p2', { ...askNothing, call: 'p2' }));
    expect(opened).toMatchObject({ status: 'declined', action: 'decline', comment: 'Not on Fridays.' });
    const entries = await entriesOf(two, opened.id);
    expect(entries).toMatchObject([
      { type: 'elicitation.opened', to: 'open' },
      {
        type: 'elicitation.decided',
        actor: { kind: 'policy', policy: 'p2-deny@1' },
        action: 'decline',
        to: 'declined',
      },
    ]);
    const claim = await two.asking.claim(opened.toolCall, 'a');
    expect(await refused(claim)).toMatchObject([409, { code: 'already-closed' }]);
    expect(await two.asking.open(ask('p2', { ...askNothing, call: 'p2' }))).toMatchObject({
      id: opened.id,
      joined: true,
    });
  });

  test('that is published at one node acts on the very next request of the other', async () => {
    for (let round = 0; round < 5; round++) {
      expect((await elsewhere.open(ask(`p2-next-${round}`))).status).toBe('open');
      await publish(
        two.nodes[0],
        `policy: p2-next-${round}\nmatch: { tool: p2-next-${round} }\ndeny: { reason: Stop. }`,
      );
      expect((await elsewhere.open(ask(`p2-next-${round}`))).status).toBe('declined');
    }
  });
});

describe('P15 an allow', () => {
  test('answers with the defaults, is recorded as a decision of the policy, and releases one execution', async () => {
    await publish(two.nodes[0], 'policy: p15\nmatch: { tool: p15 }\nallow: {}');
    const schema = { type: 'object', properties: { note: { type: 'string', default: 'none' } }, required: ['note'] };
    const tool = { name: 'p15', annotations: { readOnlyHint: true } };
    const opened = await two.asking.open({ tool, schema });
    expect(opened).toMatchObject({ status: 'accepted', action: 'accept', content: { note: 'none' }, comment: null });
    const { timeline, votes, policy, status } = await owner.show(opened.id);
    expect([status, votes, policy.name]).toEqual(['accepted', [], 'p15@1']);
    expect(timeline.map(({ by, event }) => [by, event])).toEqual([
      [{ kind: 'server', name: 'payments' }, { type: 'elicitation.opened' }],
      [
        { kind: 'policy', policy: 'p15@1', grant: null },
        { type: 'elicitation.decided', action: 'accept' },
      ],
    ]);
    const claim = (attempt: string) =>
      two.asking.claim(opened.toolCall, attempt, { tool }).then((response) => response.json());
    expect([await claim('a'), await claim('b')]).toMatchObject([{ state: 'claimed' }, { state: 'running' }]);
  });

  test('never applies above its risk ceiling, and leaves a form that needs a person to the requester', async () => {
    const annotations = [{ readOnlyHint: true }, {}, { destructiveHint: true }];
    const opened = await Promise.all(
      annotations.map((annotation) =>
        two.asking.open({ tool: { name: 'p15', annotations: annotation }, ...askNothing }),
      ),
    );
    expect(opened.map(({ status }) => status)).toEqual(['accepted', 'open', 'open']);
    const schema = { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] };
    const tool = { name: 'p15', annotations: { readOnlyHint: true } };
    expect((await two.asking.open({ tool, schema, audience: 'requester' })).audience).toBe('requester');
  });
});

test('P16 while a freeze window is open, even allowed calls need approvers', async () => {
  const [now, day] = [Date.now(), 86_400_000];
  const windows = (from: number, until: number) =>
    `freeze: [{ name: year end, from: ${new Date(from).toISOString()}, until: ${new Date(until).toISOString()}, approvers: { group: finance } }]`;
  await publish(
    two.nodes[0],
    `policy: p16-now\nmatch: { tool: p16-now }\nallow: { ceiling: medium, ${windows(now - day, now + day)} }`,
    `policy: p16-past\nmatch: { tool: p16-past }\nallow: { ceiling: medium, ${windows(now - day, now - 1)} }`,
  );
  await publish(
    two.nodes[0],
    `policy: p16-start\nmatch: { tool: p16-start }\nrequire: { stages: [{ name: S, approvers: anyone }], notBefore: true, ${windows(now + day / 2, now + day)} }`,
  );
  const stagesAt = async (notBefore: number): Promise<number> => {
    const { id } = await two.asking.open(ask('p16-start', { ...askNothing, call: `p16-${notBefore}`, notBefore }));
    return (await ada.show(id)).stages.length;
  };
  expect([await stagesAt(now + day / 4), await stagesAt(now + (day * 3) / 4)]).toEqual([1, 2]);
  const frozen = await two.asking.open(ask('p16-now', askNothing));
  expect((await two.asking.open(ask('p16-past', askNothing))).status).toBe('accepted');
  expect((await ada.show(frozen.id)).policy.terms).toContainEqual({ kind: 'frozen', window: 'year end' });
  await expectNoVote(frozen);
  expect(await (await decide(ada, frozen)).json()).toMatchObject({ status: 'accepted' });
});

test('P4 a share counts those who may vote when its stage starts, no matter who joins or leaves the group later', async () => {
  const [node] = two.nodes;
  const newcomers = await Promise.all([1, 2].map(() => openBrowser(node)));
  const emails = newcomers.map(({ user }) => user.email);
  await newGroup(node, 'p4', [ada, grace]);
  await newGroup(node, 'p4-first', [boss]);
  await publish(
    node,
    `policy: p4
match: { tool: p4 }
require: { stages: [{ name: First, approvers: { group: p4-first } }, { name: Half, approve: "50%", approvers: { group: p4 } }] }`,
  );
  const opened = await two.asking.open({ ...askNothing, ...ask('p4') });
  await node.changeMembers('p4', { add: emails.slice(0, 1) });
  expect((await decide(boss, opened)).status).toBe(200);
  const half = async () => (await boss.show(opened.id)).stages[1]?.groups[0];
  expect(await half()).toMatchObject({ need: 2, open: { length: 3 } }); // of the three there were by then
  await node.changeMembers('p4', { add: emails.slice(1), remove: [grace.user.email] });
  expect(await half()).toMatchObject({ need: 2, open: { length: 2 } }); // who has left decides no more of it
  expect((await decide(newcomers[1] as Browser, opened)).status).toBe(404);
  expect((await decide(ada, opened)).status).toBe(200);
  expect((await boss.show(opened.id)).status).toBe('open');
  expect((await decide(grace, opened)).status).toBe(409);
  expect((await decide(newcomers[0] as Browser, opened)).status).toBe(200);
  expect((await boss.show(opened.id)).status).toBe('accepted');
});

describe('P6 a request that no one could complete', () => {
  test('is refused at once, with who is missing, and nothing is stored', async () => {
    const only = await openBrowser(two.nodes[0]);
    await newGroup(two.nodes[0], 'p6', [only]);
    await publish(
      two.nodes[0],
      'policy: p6\nmatch: { tool: p6 }\nrequire: { stages: [{ name: Both, approvers: { group: p6 } }] }',
    );
    const pending = await two.asking.open(ask('p6', { call: 'pending' }));
    await setUser(two.nodes[0], only, { disabled: true });
    const before = await two.query('SELECT count(*)::int FROM elicitation');
    const [status, problem] = await refused(await openAt(elsewhere, ask('p6')));
    expect([status, problem.code]).toEqual([409, 'unsatisfiable']);
    expect(problem.detail).toBe('Stage Both needs 1 person, but no one can vote there.');
    expect(await two.query('SELECT count(*)::int FROM elicitation')).toEqual(before);
    // What was asked before is still joined.
    expect(await two.asking.open(ask('p6', { call: 'pending' }))).toMatchObject({ id: pending.id, joined: true });
  });

  test('the requester never counts, by address or by any of their names', async () => {
    const eve = await openBrowser(two.nodes[0]);
    await newGroup(two.nodes[0], 'p6-eve', [eve]);
    await setUser(two.nodes[0], eve, { subjects: ['auth0|eve'] });
    await publish(
      two.nodes[0],
      'policy: p6-self\nmatch: { tool: p6-self }\nrequire: { stages: [{ name: Eve, approvers: { group: p6-eve } }] }',
    );
    for (const subject of ['auth0|eve', eve.user.email, eve.user.email.toUpperCase()]) {
      const [status, problem] = await refused(await openAt(two.asking, ask('p6-self', { requester: { subject } })));
      const text = `Stage Eve needs 1 person, but no one can vote there.`;
      expect([subject, status, problem.code, problem.detail]).toEqual([subject, 409, 'unsatisfiable', text]);
    }
    const own = await two.asking.open(ask('p6-own', { requester: { subject: 'auth0|eve' } }));
    expect((await decide(eve, own)).status).toBe(409); // also where anyone may vote
    expect((await decide(ada, own)).status).toBe(200);
  });
});

test('a stage’s approvers are determined when the stage starts', async () => {
  const requester = await openBrowser(two.nodes[0]);
  await setUser(two.nodes[0], requester, { managerId: ada.user.id });
  await publish(
    two.nodes[0],
    `policy: two-stages
match: { tool: two-stages }
require:
  stages: [{ name: First, approvers: { group: finance } }, { name: Second, approvers: { manager: requester } }]`,
  );
  const terms = { requester: { subject: requester.user.email, verified: true } };
  const opened = await two.asking.open(ask('two-stages', terms));
  await setUser(two.nodes[1], requester, { managerId: boss.user.id });
  expect((await decide(ada, opened)).status).toBe(200);
  expect(await (await decide(ada, opened)).json()).toMatchObject({
    code: expect.stringMatching(/not-now|already-voted/),
  });
  expect(await (await decide(boss, opened)).json()).toMatchObject({ status: 'accepted' });
});

test('a reason and a start time are accepted as the policy says', async () => {
  await publish(
    two.nodes[0],
    `policy: reasons
match: { tool: reasons }
require: { stages: [{ name: One, approvers: anyone }], deadline: 1h, justification: { requester: { minLength: 5, like: "JIRA-*" } } }`,
  );
  for (const reason of [undefined, 'JIRA', 'because']) {
    const [status, problem] = await refused(await openAt(two.asking, ask('reasons', { reason })));
    expect([reason, status, problem.errors?.[0]?.path]).toEqual([reason, 400, ['reason']]);
  }
  const opened = await two.asking.open(ask('reasons', { reason: 'JIRA-123', ttl: 86_400_000 }));
  expect(opened.deadlineAt - opened.openedAt).toBe(3_600_000);
  const early = ask('reasons', { reason: 'JIRA-123', notBefore: Date.now() + 60_000 });
  expect((await refused(await openAt(two.asking, early)))[1].errors?.[0]?.path).toEqual(['notBefore']);
});

test('P29 the explanation is stored sealed with the request: the clauses, what else was considered, and who can still approve', async () => {
  const leaver = await openBrowser(two.nodes[0]);
  await newGroup(two.nodes[0], 'p29-leaving', [leaver]);
  await publish(
    two.nodes[0],
    `policy: p29
match: { tool: p29 }
when: request.args.amount > 10 && request.server == "payments"
require: { stages: [{ name: Money, approve: 2, approvers: [{ group: finance }, { group: p29-leaving }] }] }`,
    'policy: p29-other\nmatch: { tool: p29 }\nwhen: request.args.amount > 100000\ndeny: { reason: Too much. }',
  );
  const { id } = await two.asking.open(ask('p29'));
  const { policy } = await owner.show(id);
  expect(policy).toMatchObject({
    name: 'p29@1',
    considered: [
      { policy: 'p29-other@1', result: 'not-applied', decided: false },
      { policy: 'p29@1', result: 'applied', decided: true, clauses: [{ holds: true }, { holds: true }] },
    ],
    stages: [
      { name: 'Money', groups: [{ users: expect.arrayContaining([{ id: ada.user.id, name: ada.user.name }]) }] },
    ],
  });
  expect(policy.terms).toMatchObject([
    { kind: 'stage', groups: [{ approvers: expect.arrayContaining([{ kind: 'group', name: 'finance' }]) }] },
    { kind: 'separation' },
  ]);
  const [stored] = await two.query('SELECT explanation FROM elicitation WHERE id = $1', [id]);
  expect((stored as Buffer).toString('latin1')).not.toContain('finance');
  const stillCan = async () => (await owner.show(id)).stages[0]?.groups[0]?.open?.map((user) => user.id).toSorted();
  const idsOf = (...browsers: Browser[]) => browsers.map(({ user }) => user.id).toSorted();
  expect(await stillCan()).toEqual(idsOf(ada, grace, leaver));
  await setUser(two.nodes[1], leaver, { disabled: true });
  expect(await stillCan()).toEqual(idsOf(ada, grace));
  expect((await decide(ada, await owner.show(id))).status).toBe(200);
  expect(await stillCan()).toEqual(idsOf(grace));
  // A later version of the policy changes nothing of why.
  await publish(two.nodes[0], 'policy: p29\nmatch: { tool: p29 }\ndeny: { reason: Not now. }');
  expect((await owner.show(id)).policy).toMatchObject({ name: 'p29@1', considered: policy.considered });
});

test('a version in shadow mode decides nothing, and its decision is stored with the request', async () => {
  await publish(
    two.nodes[0],
    'policy: shaded\nmatch: { tool: shaded }\nrequire: { stages: [{ name: One, approvers: anyone }] }',
  );
  const admin = await openBrowser(two.nodes[0], 'admin');
  const document = 'policy: shaded\nmatch: { tool: shaded }\ndeny: { reason: No. }';
  await admin.call('POST', '/api/policies', { document });
  await admin.call('POST', '/api/policies/shaded/versions/2/submit');
  expect((await admin.call('POST', '/api/policies/shaded/shadow', { version: 2 })).status).toBe(200);
  const { id, status } = await elsewhere.open(ask('shaded'));
  expect(status).toBe('open');
  const report = await (await admin.call('GET', '/api/policies/shaded/shadow')).json();
  expect(report).toMatchObject({
    total: 1,
    different: 1,
    results: [{ elicitation: id, version: 2, live: 'require: One', shadow: 'deny' }],
  });
});

describe('the key facts next to the buttons', () => {
  const transfer = { amount: 12.5, currency: 'EUR', to: { iban: 'DE89', name: 'Zoe' } };
  const named = (facts: unknown) => ask('facts', { arguments: transfer, facts });
  const shown = async (id: string, by = owner) =>
    (await by.show(id)).facts.map(({ label, source, value }) => [label, source, value]);

  test('are the stored values that the author names, and the answer is bound to these values', async () => {
    const openBy = (path: string) => json<OpenedElicitation>(openAt(two.asking, named([{ label: 'Payee', path }])));
    const request = await openBy('/to/name');
    expect(await shown(request.id)).toEqual([['Payee', 'author', 'Zoe']]);
    const other = await openBy('/to/iban');
    expect([other.joined, await shown(other.id)]).toEqual([false, [['Payee', 'author', 'DE89']]]);
    expect(await openBy('/to/iban')).toMatchObject({ joined: true, id: other.id });
  });

  test('are chosen by rule if no one names them, and by the policy before the author', async () => {
    const byRule = await two.asking.open(named(undefined));
    expect(await shown(byRule.id)).toEqual([
      ['amount', 'rule', '12.5 EUR'],
      ['to.iban', 'rule', 'DE89'],
      ['to.name', 'rule', 'Zoe'],
    ]);
    await publish(
      two.nodes[0],
      `policy: facts
match: { tool: facts }
require:
  stages: [{ name: One, approvers: { group: finance } }]
  facts: [{ label: Sum, path: /amount }, { label: Cost center, path: /costCenter }]`,
    );
    const byPolicy = await two.asking.open(named([{ label: 'Payee', path: '/to/name' }]));
    expect(await shown(byPolicy.id, ada)).toEqual([
      ['Sum', 'policy', '12.5 EUR'],
      ['Cost center', 'policy', null],
    ]);
    expect((await ada.show(byPolicy.id)).policy.terms).toContainEqual({
      kind: 'facts',
      labels: ['Sum', 'Cost center'],
    });
  });

  test.each([
    ['leads nowhere', { label: 'Amount', path: '/amout' }, ['facts', 0, 'path'], 'Did you mean /amount?'],
    ['leads to a group', { label: 'Payee', path: '/to' }, ['facts', 0, 'path'], 'a group'],
    ['is no pointer', { label: 'Amount', path: 'amount' }, ['facts', 0, 'path'], 'JSON Pointer'],
    ['has no label', { label: '', path: '/amount' }, ['facts', 0, 'label'], ''],
  ])('one that %s is refused by its path', async (_what, fact, path, message) => {
    const [status, { errors }] = await refused(await openAt(two.asking, named([fact])));
    expect([status, errors]).toEqual([400, [{ path, message: expect.stringContaining(message) }]]);
  });
});

test('an approval can be taken back for as long as the policy says, and releases nothing before', async () => {
  await publish(
    two.nodes[0],
    'policy: undo\nmatch: { tool: undo }\nrequire: { stages: [{ name: One, approvers: { group: finance } }], undo: 8s }',
  );
  const request = await two.asking.open(ask('undo'));
  expect(await (await decide(ada, request)).json()).toMatchObject({ status: 'open' });
  const { settlesAt, can } = await ada.show(request.id);
  expect([settlesAt === null, can.withdrawVote.allowed]).toEqual([false, true]);
  expect((await ada.call('POST', `/api/elicitations/${request.id}/withdraw-vote`)).status).toBe(200);
  expect((await ada.show(request.id)).votes.some(({ stands }) => stands)).toBe(false);
  expect(await (await decide(grace, request)).json()).toMatchObject({ status: 'open' });
  const { engine } = two.nodes[1];
  await takeDueTimers({ ...engine, now: () => Date.now() + 9_000 });
  expect((await ada.show(request.id)).status).toBe('accepted');
  expect((await grace.call('POST', `/api/elicitations/${request.id}/withdraw-vote`)).status).toBe(409);
});
