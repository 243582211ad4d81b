import { afterAll, expect, test } from '@jest/globals';
import type { AccountPairList, PairAnswer } from '#people/accounts/contract';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { WaitingChange } from '#people/changes/contract';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { applyAccepted, showChange } from '#people/changes/verbs/changes';
import { reviewVersion } from '#policies/verbs/review';
import { listReviews, showPolicyVersion } from '#policies/verbs/show';
import { addGroup, changeMembers, setConfirmation, showConfirmation } from '#people/groups/verbs';
import { decidePair } from '#people/accounts/verbs/decide-pair';
import { viewerOf } from '#requests/inbox/verbs/visibility';
import { castVote } from '#requests/voting/verbs';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { sequenceAll, verify } from '../../support/nodes/log.ts';
import { admit, startTestServer } from '../../support/nodes/server.ts';
import { publish, setUser } from '../../support/requests/policies.ts';

const server = await startTestServer({ environment: 'production' });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('payments'));
const [root, other] = [await openBrowser(server, 'admin', 'password'), await openBrowser(server, 'admin', 'password')];
await publish(
  server,
  `policy: two
match: { tool: wire }
require: { stages: [{ name: S, approve: 2, approvers: anyone }] }`,
  `policy: apart
match: { tool: book }
require: { stages: [{ name: First, approvers: anyone }, { name: Second, approvers: anyone }], separation: { earlierVoters: true } }`,
);

const ask = (tool: string, subject?: string) =>
  asking.open({ tool: { name: tool }, ...(subject && { requester: { subject, verified: true } }) });

async function vote(by: Browser, { id, digest }: OpenedElicitation, action = 'accept') {
  const body = { action, content: {}, comment: 'As agreed.', digest };
  const response = await by.call('POST', `/api/elicitations/${id}/vote`, body);
  const { code, status } = await json<{ code?: string; status: unknown }>(response);
  return [response.status, code ?? status];
}

const say = (first: Browser, second: Browser, answer: PairAnswer | null) =>
  decidePair(server.engine, 'operator', { user: first.user.id, other: second.user.id, answer });

const people = () => Promise.all([openBrowser(server), openBrowser(server), openBrowser(server)]);

test('AI-13 two accounts of one person fill one seat, in whatever order, until it is taken back', async () => {
  const [ada, asAda, ben] = await people();
  const before = await ask('wire');
  expect([await vote(ada, before), await vote(asAda, before)]).toEqual([
    [200, 'open'],
    [200, 'accepted'],
  ]);
  await say(ada, asAda, 'one-person');
  const [first, second] = [await ask('wire'), await ask('wire')];
  expect([await vote(ada, first), await vote(asAda, first)]).toEqual([
    [200, 'open'],
    [409, 'already-voted'],
  ]);
  expect([await vote(asAda, second), await vote(ada, second)]).toEqual([
    [200, 'open'],
    [409, 'already-voted'],
  ]);
  expect(await vote(ben, second)).toEqual([200, 'accepted']);
  await say(asAda, ada, 'two-people');
  expect(await vote(asAda, first)).toEqual([200, 'accepted']);
});

test('AI-13 no one approves under another account what they asked for, nor votes in a stage for fresh voters', async () => {
  const [ada, asAda, ben] = await people();
  await say(ada, asAda, 'one-person');
  const own = await ask('wire', ada.user.email);
  expect(await vote(asAda, own)).toEqual([409, 'not-now']);
  const staged = await ask('book');
  expect(await vote(ada, staged)).toEqual([200, 'open']);
  expect((await vote(asAda, staged))[0]).toBe(409);
  expect(await vote(ben, staged)).toEqual([200, 'accepted']);
});

test('AI-13 of two votes on an open request the second is void once they are one person', async () => {
  const [ada, asAda, ben] = await people();
  await publish(
    server,
    `policy: three
match: { tool: pay }
require: { stages: [{ name: S, approve: 3, approvers: anyone }] }`,
  );
  const open = await ask('pay');
  await vote(ada, open);
  await vote(asAda, open);
  await say(ada, asAda, 'one-person');
  const row = await server.engine.reader.elicitation(open.id as ElicitationId);
  expect(row?.state.context.votes.map(({ by }) => by)).toEqual([ada.user.id]);
  expect(await vote(ben, open)).toEqual([200, 'open']);
  expect(await vote(root, open)).toEqual([200, 'accepted']);
});

test('AI-13 an approval that rests on two accounts of one person no longer runs', async () => {
  const [ada, asAda] = await people();
  const approved = await ask('wire');
  await vote(ada, approved);
  expect(await vote(asAda, approved)).toEqual([200, 'accepted']);
  await say(ada, asAda, 'one-person');
  const answer = await asking.claim(approved.toolCall, 'attempt', { tool: { name: 'wire' } });
  expect(await json<{ code?: string }>(answer)).toMatchObject({ code: 'approval-lapsed' });
});

test('AI-13 people whom two accounts of one administrator let in fill one seat with them', async () => {
  const [ben, carl, dan] = await people();
  const letInBy = (issuer: Browser, { user }: Browser, { id, digest }: OpenedElicitation) =>
    castVote(server.engine, { ...user, credentialIssuer: issuer.user.id }, id as ElicitationId, {
      action: 'accept',
      content: {},
      digest,
    });
  const before = await ask('wire');
  await letInBy(root, ben, before);
  await letInBy(other, carl, before);
  await say(root, other, 'one-person');
  expect(await json(asking.claim(before.toolCall, 'attempt', { tool: { name: 'wire' } }))).toMatchObject({
    code: 'approval-lapsed',
  });
  const after = await ask('wire');
  await letInBy(root, ben, after);
  const viewer = await viewerOf(server.engine, { ...carl.user, credentialIssuer: other.user.id });
  const page = await server.engine.inbox.page(viewer, { view: 'mine', order: 'newest', after: null, limit: 1000 });
  expect(page.map(({ id }) => id)).not.toContain(after.id);
  await expect(letInBy(other, carl, after)).rejects.toMatchObject({ code: 'already-voted' });
  expect(await vote(dan, after)).toEqual([200, 'accepted']);
  await say(root, other, null);
});

test('two administrators who are one person are one; a decision needs a second, and no one says that they are someone else', async () => {
  const [ada, ben] = await people();
  const pair = { user: ada.user.id, other: ben.user.id, answer: 'one-person' };
  const waiting = await root.call('POST', '/api/user-pairs', pair);
  expect(waiting.status).toBe(202);
  const { request, sentence } = await json<WaitingChange>(waiting);
  expect(sentence).toContain('second administrator');
  const row = await server.engine.reader.elicitation(request as ElicitationId);
  expect(row?.tool).toBe('decide-pair');
  const digest = row?.digest ?? '';
  expect((await other.vote({ id: request, digest })).status).toBe(200);
  await applyAccepted(server.engine);
  const { pairs } = await json<AccountPairList>(root.call('GET', '/api/user-pairs'));
  expect(pairs.find(({ user, other }) => [user.id, other.id].includes(ada.user.id))?.answer).toBe('one-person');

  const apart = { user: root.user.id, other: ada.user.id, answer: 'two-people' };
  expect((await root.call('POST', '/api/user-pairs', apart)).status).toBe(403);
  await say(root, ada, 'one-person');
  expect((await root.call('POST', '/api/user-pairs', { ...pair, answer: 'two-people' })).status).toBe(403);
  await say(root, ada, null);

  await say(root, other, 'one-person');
  const alone = await root.call('POST', '/api/user-pairs', { ...pair, answer: null });
  expect([alone.status, await json(alone)]).toEqual([403, expect.objectContaining({ code: 'forbidden' })]);
  await say(root, other, null);
});

test('no administrator accepts that they are someone else than another account of theirs', async () => {
  const [asOther] = await people();
  await say(other, asOther, 'one-person');
  const pair = { user: other.user.id, other: asOther.user.id, answer: 'two-people' };
  const { request } = await json<WaitingChange>(root.call('POST', '/api/user-pairs', pair));
  const row = await server.engine.reader.elicitation(request as ElicitationId);
  const digest = row?.digest ?? '';
  expect((await other.vote({ id: request, digest })).status).toBe(200);
  await applyAccepted(server.engine);
  expect(await showChange(server.engine, root.user, request as ElicitationId)).toEqual({
    state: 'not-made',
    because: 'second-administrator',
  });
  await say(other, asOther, null);
});

test('what no one does about themselves, they do about no other account of theirs', async () => {
  const [asRoot, ben] = await people();
  const group = await addGroup(server.engine, 'operator', { name: 'payers' });
  await changeMembers(server.engine, 'operator', group, { add: [asRoot.user.id] });
  await setConfirmation(server.engine, 'operator', { id: group, days: 90, owners: [root.user.id] });
  await say(root, asRoot, 'one-person');
  const record = (await server.engine.directory.read()).groups.find(({ id }) => id === group);
  const digest = record && showConfirmation(record)?.digest;
  const answers = [
    await root.call('PATCH', `/api/users/${asRoot.user.id}`, { mayBreakGlass: true }),
    await root.call('PATCH', `/api/users/${ben.user.id}`, { managerId: asRoot.user.id }),
    await root.call('POST', `/api/groups/${group}/members`, { remove: [asRoot.user.id] }),
    await root.call('POST', `/api/groups/${group}/confirmation`, { digest }),
  ];
  const problems = await Promise.all(answers.map((answer) => json<ProblemDocument>(answer)));
  const refusals = ['own-power', 'own-report', 'own-leaving', 'own-confirmation'];
  expect(problems.map(({ refusal }) => refusal?.code)).toEqual(refusals);
  expect((await root.call('PATCH', `/api/users/${asRoot.user.id}`, { disabled: true })).status).toBe(200);
});

test('no one reviews under another account a version that they wrote, nor is offered to', async () => {
  const [author, asAuthor, issued] = [
    await openBrowser(server, 'admin', 'password'),
    await openBrowser(server, 'admin', 'password'),
    await openBrowser(server, 'admin', 'password'),
  ];
  const place = { name: 'reviewed', version: 1 };
  const document = 'policy: reviewed\nmatch: { tool: reviewed }\nallow: {}\n';
  await author.call('POST', '/api/policies', { document });
  expect((await author.call('POST', '/api/policies/reviewed/versions/1/submit')).status).toBe(200);
  await say(author, asAuthor, 'one-person');
  const offered = async ({ user }: Pick<Browser, 'user'>) => [
    (await listReviews(server.engine, user)).length,
    (await showPolicyVersion(server.engine, user, place)).can.review.allowed,
  ];
  const letInByAuthor = { user: { ...issued.user, credentialIssuer: asAuthor.user.id } };
  expect([await offered(author), await offered(asAuthor), await offered(letInByAuthor)]).toEqual([
    [0, false],
    [0, false],
    [0, false],
  ]);
  const { digest } = await showPolicyVersion(server.engine, author.user, place);
  const review = { verdict: 'approve', digest } as const;
  for (const { user } of [author, asAuthor, letInByAuthor])
    await expect(reviewVersion(server.engine, user, place, review)).rejects.toMatchObject({
      refusal: { code: 'own-version' },
    });
  expect(await offered(root)).toEqual([1, true]);
});

test('in production two accounts of one mailbox count once until someone says that they are two people', async () => {
  const [ada] = await people();
  const email = ada.user.email.replace('@', '+two@');
  const user: User = { kind: 'user', id: newId('user'), name: 'Someone else', email, role: 'approver' };
  const asAda = browserAt(server.url, user, await admit(server.engine, user));
  const request = await ask('wire');
  expect([await vote(ada, request), await vote(asAda, request)]).toEqual([
    [200, 'open'],
    [409, 'already-voted'],
  ]);
  const { pairs } = await json<AccountPairList>(root.call('GET', '/api/user-pairs'));
  expect(pairs.find(({ user, other }) => [user.id, other.id].includes(ada.user.id))).toMatchObject({
    sign: 'mailbox',
    answer: null,
  });
  await say(ada, asAda, 'two-people');
  expect(await vote(asAda, request)).toEqual([200, 'accepted']);
});

test('what no one could complete with the persons there are is not published', async () => {
  const [ada, asAda] = await people();
  await setUser(server, ada, { name: 'Ada' });
  const policy = `policy: both
match: { tool: never }
require: { stages: [{ name: S, approve: 2, approvers: [{ user: ${ada.user.email} }, { user: ${asAda.user.email} }] }] }`;
  await say(ada, asAda, 'one-person');
  await expect(publish(server, policy)).rejects.toMatchObject({ code: 'unsatisfiable' });
  await say(ada, asAda, 'two-people');
  await publish(server, policy);
});

test('the log confirms every row after all of this', async () => {
  const { engine } = server;
  while (await engine.merkleLog.isWaiting()) await sequenceAll(engine, engine.ring);
  expect(await verify(engine, {}, engine.ring)).toMatchObject({ fault: null });
});
