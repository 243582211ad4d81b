import { afterAll, describe, expect, test } from '@jest/globals';
import { routes } from '#platform/http/contract/openapi';
import { delegate } from '#people/delegations/verbs';
import { listGrants } from '#requests/grants/verbs';
import { breakGlassElicitation } from '#requests/deliberation/verbs/emergency';
import { takeDueTimers } from '#requests/state/verbs/end';
import type { ElicitationId } from '#platform/model/id';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { newGroup, publish, setUser } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

let clock = Date.parse('2027-01-01T12:00:00Z');
const confirmPath = routes.confirmPassword.path;

const policies = {
  finance:
    'policy: finance\nmatch: { tool: pay }\nrequire: { stages: [{ name: Finance, approve: 2, approvers: { group: finance } }] }',
  edited: `policy: edited
match: { tool: edited }
require:
  stages: [{ name: Approval, approvers: anyone }]
  separation: { editor: true }
  editable: { amount: { type: integer } }`,
  everyone: `policy: everyone
match: { tool: everyone }
require:
  stages: [{ name: First, approvers: { group: three } }, { name: Rest, approve: 34%, approvers: { group: three } }]
  separation: { earlierVoters: true }`,
  scarce: `policy: scarce
match: { tool: scarce }
require:
  stages: [{ name: First, approvers: { group: three } }, { name: Second, approve: 2, approvers: { group: finance } }]
  separation: { earlierVoters: true }`,
  small:
    'policy: small\npriority: 9\nmatch: { tool: edited }\nwhen: request.args.amount < 10\nallow: { ceiling: medium }',
};

const server = await startTestServer({ now: () => clock });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey());
const [admin, ada, bob, cleo] = await Promise.all([
  openBrowser(server, 'admin'),
  openBrowser(server),
  openBrowser(server),
  openBrowser(server),
]);
await newGroup(server, 'finance', [ada, bob]);
await newGroup(server, 'three', [ada, bob, cleo]);
await publish(server, ...Object.values(policies));

/** Votes with the digest of now, whatever this person may see. */
const vote = async (browser: Browser, { id }: { id: string }, parts: object = {}) => {
  const digest = (await server.engine.reader.elicitation(id as ElicitationId))?.digest ?? '';
  return answer(await browser.vote({ id, digest }, parts));
};
const provenNow = ({ user }: Browser) => ({
  ...user,
  authentication: { method: 'password', assurance: 'single-factor', at: clock, by: null } as const,
});
const answer = async (response: Response) => [response.status, (await json<{ code?: string }>(response)).code];
const statusOf = async ({ id }: { id: string }) =>
  (await server.engine.reader.elicitation(id as ElicitationId))?.status;

describe('P7 a delegate', () => {
  test('cannot cast the vote of someone who no longer has one', async () => {
    const request = await asking.open({ tool: { name: 'pay' } });
    for (const { user } of [bob, cleo])
      await delegate(server.engine, ada.user, { toId: user.id, endsAt: clock + 60_000 });
    await setUser(server, ada, { role: 'reviewer' });
    // Cleo saw it as Ada’s delegate alone.
    expect(await vote(cleo, request, { for: ada.user.id })).toEqual([404, 'not-found']);
    expect(await vote(bob, request, { for: ada.user.id })).toEqual([403, 'forbidden']);
    await setUser(server, ada, { role: 'approver' });
    expect(await vote(cleo, request, { for: ada.user.id })).toEqual([200, undefined]);
  });
});

describe('P7 the requester', () => {
  test('never decides, even if they turn out to be the requester only later', async () => {
    const dan = await openBrowser(server, 'admin');
    await setUser(server, dan, { mayBreakGlass: true });
    const request = await asking.open({ requester: { subject: 'dan-at-work', verified: true } });
    const other = await openBrowser(server);
    await delegate(server.engine, dan.user, { toId: other.user.id, endsAt: clock + 60_000 });
    await setUser(server, dan, { subjects: ['dan-at-work'] });
    expect(await vote(dan, request)).toEqual([409, 'not-now']);
    expect(await vote(other, request, { for: dan.user.id })).toEqual([409, 'not-now']);
    const emergency = { digest: request.digest, reason: 'The pager says production is down.', content: {} };
    const attempt = breakGlassElicitation(server.engine, provenNow(dan), request.id as ElicitationId, emergency);
    await expect(attempt).rejects.toThrowProblem('forbidden');
    expect(await statusOf(request)).toBe('open');
  });
});

test('the requester cannot review the emergency override that was used for them', async () => {
  const frank = await openBrowser(server, 'admin');
  await setUser(server, frank, { subjects: ['frank-at-work'] });
  await setUser(server, bob, { mayBreakGlass: true });
  const request = await asking.open({ requester: { subject: 'frank-at-work', verified: true } });
  const emergency = { digest: request.digest, reason: 'The pager says production is down.', content: {} };
  await breakGlassElicitation(server.engine, provenNow(bob), request.id as ElicitationId, emergency);
  const review = { isJustified: true, finding: 'All was well.' };
  const path = `/api/elicitations/${request.id}/break-glass/review`;
  expect(await answer(await frank.call('POST', path, review))).toEqual([403, 'forbidden']);
  expect(await answer(await admin.call('POST', path, review))).toEqual([200, undefined]);
});

describe('no vote comes', () => {
  test.each([
    { verified: true, told: [409, 'not-now'] },
    { verified: false, told: [404, 'not-found'] },
  ])(
    'from the requester by escalation or as an added approver (verified: $verified)',
    async ({ verified, told: messages }) => {
      const rule = `stages: [{ name: S, approvers: { user: ${bob.user.email} }, escalate: { after: 1m, add: { role: approver } } }]`;
      await publish(server, `policy: slow\nmatch: { tool: slow }\nrequire: { ${rule} }`);
      const request = await asking.open({ tool: { name: 'slow' }, requester: { subject: ada.user.email, verified } });
      const added = { digest: request.digest, user: ada.user.id };
      expect(await answer(await bob.call('POST', `/api/elicitations/${request.id}/approvers`, added))).toEqual([
        409,
        'not-now',
      ]);
      clock += 61_000;
      await takeDueTimers(server.engine);
      expect(await vote(ada, request)).toEqual(messages);
      expect(await vote(cleo, request)).toEqual([200, undefined]);
    },
  );

  test('from a person who can no longer vote, or with the digest of another request', async () => {
    const [request, other] = [await asking.open(), await asking.open()];
    expect(await vote(cleo, request, { digest: other.digest })).toEqual([412, 'digest-mismatch']);
    const demoted = await openBrowser(server);
    await setUser(server, demoted, { role: 'reviewer' });
    expect(await vote(demoted, request)).toEqual([403, 'forbidden']);
    expect(await statusOf(request)).toBe('open');
  });
});

test('no one can spend a vote that a later stage needs', async () => {
  const request = await asking.open({ tool: { name: 'scarce' } });
  const before = await server.engine.reader.elicitation(request.id as ElicitationId);
  expect(await vote(ada, request)).toEqual([409, 'unsatisfiable']);
  expect((await server.engine.reader.elicitation(request.id as ElicitationId))?.version).toBe(before?.version);
  for (const browser of [cleo, ada, bob]) expect((await vote(browser, request))[0]).toBe(200);
  expect(await statusOf(request)).toBe('accepted');
});

test('a password is not guessed in a stolen session, from however many addresses', async () => {
  const guess = (at: number) =>
    cleo.call('POST', confirmPath, { password: `guess ${at}` }, { 'x-forwarded-for': `10.9.0.${at}` });
  const statuses: number[] = [];
  for (let at = 1; at <= 21; at += 1) statuses.push((await guess(at)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(400), ...Array<number>(11).fill(429)]);
});

test.each([
  ['manager', () => ({ managerId: bob.user.id })],
  ['subjects', () => ({ subjects: ['someone-else'] })],
  ['permission of the emergency override', () => ({ mayBreakGlass: true })],
])('no administrator changes their own %s', async (_name, changes) => {
  const own = `/api/users/${admin.user.id}`;
  expect(await answer(await admin.call('PATCH', own, changes()))).toEqual([403, 'forbidden']);
});

test('the editor of a request does not vote on it, even if the policies no longer ask anyone', async () => {
  const request = await asking.open({ tool: { name: 'edited' }, arguments: { amount: 100 } });
  const edit = { digest: request.digest, arguments: { amount: 5 } };
  expect((await bob.call('POST', `/api/elicitations/${request.id}/edit`, edit)).status).toBe(200);
  expect(await vote(bob, request)).toEqual([409, 'not-now']);
  expect(await vote(cleo, request)).toEqual([200, undefined]);
});

describe('a standing approval', () => {
  const rule = (approve: number) =>
    `policy: lasting\nmatch: { tool: lasting }\nrequire: { stages: [{ name: S, approve: ${approve}, approvers: anyone }], grant: { longest: 8h, review: 2h } }`;
  const parts = { tool: { name: 'lasting' }, requester: { subject: 'eve-at-work', verified: true } };

  test('is renewed by someone other than the requester, and ends with the version of the policy', async () => {
    await publish(server, rule(1));
    const request = await asking.open(parts);
    expect(await vote(bob, request, { allowFor: 8 * 3_600_000 })).toEqual([200, undefined]);
    expect((await asking.open(parts)).status).toBe('accepted');
    const eve = await openBrowser(server);
    await setUser(server, eve, { subjects: ['eve-at-work'] });
    const [grant] = (await listGrants(server.engine, bob.user)).grants;
    expect(await answer(await eve.call('POST', `/api/grants/${grant?.id}/review`))).toEqual([403, 'forbidden']);
    expect(await answer(await cleo.call('POST', `/api/grants/${grant?.id}/review`))).toEqual([200, undefined]);
    await publish(server, rule(2));
    expect((await asking.open(parts)).status).toBe('open');
  });
});

test('a share of those who have not voted before leaves out who starts the stage, too', async () => {
  const request = await asking.open({ tool: { name: 'everyone' }, schema: { type: 'object', properties: {} } });
  expect(await vote(ada, request)).toEqual([200, undefined]);
  expect(await vote(bob, request)).toEqual([200, undefined]);
  expect(await statusOf(request)).toBe('accepted');
});
