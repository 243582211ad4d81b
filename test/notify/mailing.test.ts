import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { Delivery, DeliveryList } from '#notify/contract/settings';
import { newId } from '#platform/crypto/random';
import { planNews } from '#notify/verbs/plan';
import { saveDraft } from '#policies/verbs/draft';
import { digestDocument } from '#policies/verbs/read';
import { reviewVersion, submitVersion } from '#policies/verbs/review';
import { setOwner } from '#people/groups/verbs';
import type { ServerId, UserId } from '#platform/model/id';
import type { NodeWarning } from '#platform/nodes/contract/node-warning';
import { warnOfMails } from '#notify/mail/loops';
import { takeDueTimers } from '#requests/state/verbs/end';
import { openBrowser, type Browser } from '../support/nodes/console.ts';
import { newGroup, publish, setUser } from '../support/requests/policies.ts';
import { until } from '../support/poll.ts';
import { startTwoNodes } from '../support/nodes/two-nodes.ts';
import { untilQuiet } from './until-quiet.ts';
import { openMailBox, type ReceivedMail } from './mail-box.ts';
import { json } from '../support/json.ts';

const minute = 60_000;
let ahead = 0;
const box = await openMailBox();
const house = await startTwoNodes({ smtp: box.settings, now: () => Date.now() + ahead });
afterAll(async () => {
  await house.stop();
  await box.stop();
});
const [node] = house.nodes;
const [ada, bob, alice] = await Promise.all([openBrowser(node), openBrowser(node), openBrowser(node)]);
await setUser(node, alice, { subjects: ['alice'] });
await newGroup(node, 'first', [ada]);
await newGroup(node, 'second', [bob]);
const [first, second] = ['{ name: One, approvers: { group: first } }', '{ name: Two, approvers: { group: second } }'];
const escalating =
  '{ name: One, approvers: { group: first }, escalate: { after: [{ after: 2m, add: { group: second } }] } }';
const inPlace =
  '{ name: One, approvers: { group: first }, escalate: { after: 2m, stage: { name: Two, approvers: { group: second } } } }';
await publish(
  node,
  `policy: single\nmatch: { tool: single }\nrequire: { stages: [${first}], reminders: [2m], deadline: 5h }\n`,
  `policy: staged\nmatch: { tool: staged }\nrequire: { stages: [${first}, ${second}], deadline: 5h }\n`,
  `policy: replaced\nmatch: { tool: replaced }\nrequire: { stages: [${inPlace}], deadline: 5h }\n`,
  `policy: escalated\nmatch: { tool: escalated }\nrequire: { stages: [${escalating}], deadline: 5h }\n`,
);

/** Waits until there is nothing left to plan or to send, and returns what came about this request. */
async function mailsAbout(id: string): Promise<ReceivedMail[]> {
  await untilQuiet(house);
  return box.received.filter(({ source }) => source.includes(id));
}

const ask = (tool: string, subject = 'zoe') => house.asking.open({ tool: { name: tool }, requester: { subject } });

const formatTo = ({ to, subject }: ReceivedMail): string =>
  `${to === ada.user.email ? 'ada' : to === bob.user.email ? 'bob' : 'alice'}: ${subject}`;

async function vote(by: Browser, id: string, action: 'accept' | 'decline'): Promise<void> {
  const { digest } = await by.show(id);
  const body = action === 'accept' ? { action, digest, content: {} } : { action, digest, comment: 'not now' };
  expect((await by.call('POST', `/api/elicitations/${id}/vote`, body)).status).toBe(200);
}

async function deliveriesOf(by: Browser, id: string): Promise<Delivery[]> {
  const answer = await by.call('GET', `/api/elicitations/${id}/deliveries`);
  return (await json<DeliveryList>(answer)).deliveries;
}

async function later(): Promise<void> {
  ahead += 2 * minute;
  await Promise.all(house.nodes.map(({ engine }) => takeDueTimers(engine)));
}

test('only those who may vote now are told, once, though two nodes run; and nothing of the content', async () => {
  const canary = randomBytes(6).toString('hex');
  const { id } = await house.asking.open({
    tool: { name: 'single' },
    arguments: { canary },
    message: canary,
    reason: canary,
    requester: { subject: canary },
  });
  const mails = await mailsAbout(id);
  expect(mails.map(formatTo)).toEqual(['ada: Your approval is needed: single']);
  const [{ source }] = mails as [ReceivedMail];
  expect(source).not.toContain(canary);
  for (const part of ['Server: payments', 'Tool: single', 'Risk: ', 'Until: ', `/requests/${id}`])
    expect(source).toContain(part);
  const deliveries = `SELECT to_json(d) FROM audit.deliveries d WHERE request = $1`;
  expect(await house.query(deliveries, [id])).toMatchObject([
    { channel: 'email', kind: 'turn', person: ada.user.id, arrived: true, tool: 'single', policy: 'single' },
  ]);
});

test('all who are told of a request by mail have one entry in the log, and a row each for reviewers', async () => {
  const [node] = house.nodes;
  const many = await Promise.all(Array.from({ length: 5 }, () => openBrowser(node)));
  await newGroup(node, 'many', many);
  await publish(
    node,
    `policy: crowd\nmatch: { tool: crowd }\nrequire: { stages: [{ name: One, approvers: { group: many } }], deadline: 5h }\n`,
  );
  const { id } = await ask('crowd');
  expect(await mailsAbout(id)).toHaveLength(5);
  const entries = `SELECT type FROM audit_log WHERE elicitation_id = $1 AND type = 'notification.sent'`;
  expect(await house.query(entries, [id])).toHaveLength(1);
  const people = await house.query('SELECT person FROM audit.deliveries WHERE request = $1 ORDER BY person', [id]);
  expect(people).toEqual(many.map(({ user }) => user.id).sort());
});

test('each stage is told to its own people when it begins, and the requester hears how it ended', async () => {
  const { id } = await ask('staged', 'alice');
  const first = (await mailsAbout(id)).map(formatTo);
  await vote(ada, id, 'accept');
  const second = (await mailsAbout(id)).map(formatTo);
  await vote(bob, id, 'accept');
  const last = (await mailsAbout(id)).map(formatTo);
  expect([first, second.slice(1), last.slice(2)]).toEqual([
    ['ada: Your approval is needed: staged'],
    ['bob: Your approval is needed: staged'],
    ['alice: Approved: staged'],
  ]);
  const mail = (by: Browser, kind: string) => ({ channel: 'email', kind, state: 'sent', to: by.user.name });
  expect(await deliveriesOf(bob, id)).toMatchObject([mail(ada, 'turn'), mail(bob, 'turn'), mail(alice, 'outcome')]);
});

test('the requester is not told if someone else may have the same name, or if no person decided', async () => {
  const { id } = await ask('single');
  await vote(ada, id, 'decline');
  const withdrawn = await ask('single', 'alice');
  await house.asking.call('POST', `/v1/elicitations/${withdrawn.id}/cancel`, {});
  const mails = [...(await mailsAbout(id)), ...(await mailsAbout(withdrawn.id))];
  expect(mails.filter(({ to }) => to !== ada.user.email)).toEqual([]);
});

test('a reminder goes once to those who still may vote', async () => {
  const open = await ask('single');
  await mailsAbout(open.id);
  const decided = await ask('single');
  await mailsAbout(decided.id);
  await vote(ada, decided.id, 'accept');
  await later();
  await until(async () => (await mailsAbout(open.id)).length === 2);
  const reminder = (await mailsAbout(open.id)).at(-1);
  expect([reminder?.to, reminder?.source]).toEqual([
    ada.user.email,
    expect.stringContaining('Still waiting for you: single'),
  ]);
  expect(await mailsAbout(decided.id)).toHaveLength(1);
});

test('an escalation asks whom it adds, and reminds the others', async () => {
  const { id } = await ask('escalated');
  await mailsAbout(id);
  await later();
  await until(async () => (await mailsAbout(id)).length === 3);
  expect((await mailsAbout(id)).map(formatTo).slice(1).sort()).toEqual([
    'ada: Still waiting for you: escalated',
    'bob: Your approval is needed: escalated',
  ]);
});

test('a stage that takes the place of another asks its own people, and no one else any more', async () => {
  const { id } = await ask('replaced');
  await mailsAbout(id);
  await later();
  await until(async () => (await mailsAbout(id)).length === 2);
  expect((await mailsAbout(id)).map(formatTo)).toEqual([
    'ada: Your approval is needed: replaced',
    'bob: Your approval is needed: replaced',
  ]);
});

test('a mail waits while the server refuses it, and is never sent once it no longer applies', async () => {
  box.refuse(451, 2);
  const [late, decided] = [await ask('single'), await ask('staged')];
  const failing = `SELECT id FROM notification WHERE fault = '451'`;
  await until(async () => (await house.query(failing)).length === 2);
  expect(await warningsOfMails()).toEqual([]); // one refusal says nothing
  box.refuse(451, 2);
  ahead += 10_000;
  await until(async () => (await house.query(`${failing} AND failures = 2`)).length === 2);
  expect(await warningsOfMails()).toEqual([{ code: 'mails-fail', mails: 2, since: expect.any(Number), fault: '451' }]);
  await vote(ada, decided.id, 'decline');
  ahead += minute;
  expect((await mailsAbout(late.id)).map(formatTo)).toEqual(['ada: Your approval is needed: single']);
  expect(await mailsAbout(decided.id)).toEqual([]);
  const states = 'SELECT state FROM notification WHERE elicitation_id = $1';
  expect(await house.query(states, [decided.id])).toEqual(['moot']);
  expect(await warningsOfMails()).toEqual([]);
});

async function warningsOfMails(): Promise<NodeWarning[]> {
  const { engine } = house.nodes[0];
  await warnOfMails(engine, { error: () => {} });
  return engine.health.warnings().filter(({ code }) => code === 'mails-fail');
}

test('what the server refuses for good is kept, without its words, and can be sent again', async () => {
  const [node] = house.nodes;
  box.refuse(550, 1);
  const { id } = await ask('single');
  expect(await mailsAbout(id)).toEqual([]);
  const [failed] = await node.notifications.list({ isFailed: true });
  expect(failed).toMatchObject({ elicitationId: id, state: 'failed', fault: '550', to: { id: ada.user.id } });
  expect(JSON.stringify(failed)).not.toContain('a text');
  expect(await deliveriesOf(ada, id)).toMatchObject([{ state: 'failed', to: ada.user.name }]);
  expect((await alice.call('GET', `/api/elicitations/${id}/deliveries`)).status).toBe(404);
  expect(await node.notifications.replay([failed!.id])).toBe(1);
  expect(await mailsAbout(id)).toHaveLength(1);
  expect(await node.notifications.list({ isFailed: true })).toEqual([]);
  await expect(node.notifications.replay([failed!.id])).rejects.toThrowProblem('not-found');
});

test('the owner of a server hears that no one decided in time, and that a key expires; once, and no one else', async () => {
  const [node, other] = house.nodes;
  const owner = await openBrowser(node);
  const [server] = await house.query(`SELECT id FROM server WHERE name = 'payments'`);
  await setOwner(node.engine, 'operator', server as ServerId, owner.user.id as UserId);
  const { id } = await ask('single');
  await mailsAbout(id);
  ahead += 300 * minute;
  await later();
  const heard = async () => (await mailsAbout(id)).filter(({ to }) => to === owner.user.email);
  await until(async () => (await heard()).length > 0);
  expect((await heard()).map(({ source }) => source)).toEqual([
    expect.stringContaining('Expired, no one decided in time: single'),
  ]);
  const expiresAt = Date.now() + ahead + 7 * 24 * 60 * minute;
  const admin = await openBrowser(node, 'admin');
  expect((await admin.call('POST', '/api/keys', { server: 'payments', expiresAt })).status).toBe(201);
  await Promise.all([planNews(node.engine), planNews(other.engine)]);
  await planNews(node.engine);
  await untilQuiet(house);
  const warnings = box.received.filter(({ subject }) => subject === 'A key expires soon: payments');
  expect(warnings.map(({ to }) => to)).toEqual([owner.user.email]);
  await setOwner(node.engine, 'operator', server as ServerId, null);
});

test('the owner of a server hears once of each definition of a tool that changed, and not once it is accepted', async () => {
  const [node, other] = house.nodes;
  const owner = await openBrowser(node);
  const [id] = (await house.query(`SELECT id FROM server WHERE name = 'payments'`)) as ServerId[];
  await setOwner(node.engine, 'operator', id!, owner.user.id as UserId);
  const see = (changed: string | null) =>
    node.engine.serverTools.see(
      id!,
      [{ name: 'pay', annotations: {}, definition: 'a'.repeat(64), changed }],
      1,
      () => [],
    );
  const news = async () => {
    await Promise.all([planNews(node.engine), planNews(other.engine)]);
    await untilQuiet(house);
    return box.received.filter(({ subject }) => subject.startsWith('A tool of your server')).map(({ to }) => to);
  };
  await see(null);
  expect(await news()).toEqual([]);
  await see('b'.repeat(64));
  expect(await news()).toEqual([owner.user.email]);
  expect(box.to(owner.user.email).at(-1)).toMatchObject({
    subject: 'A tool of your server changed: pay (payments)',
    source: expect.stringContaining(`/settings/servers/${id}`),
  });
  expect(await news()).toEqual([owner.user.email]);
  await see('c'.repeat(64));
  expect(await news()).toEqual([owner.user.email, owner.user.email]);
  await owner.call('PATCH', '/api/notifications/settings', { digest: 'hourly' });
  await see('d'.repeat(64));
  await planNews(node.engine);
  await see(null);
  ahead += 60 * minute;
  expect(await news()).toHaveLength(2);
  await setOwner(node.engine, 'operator', id!, null);
});

test('those who may review a policy are told, and not its author; never once it is reviewed', async () => {
  const [node] = house.nodes;
  const [author, reviewer] = [await openBrowser(node, 'admin'), await openBrowser(node, 'admin')];
  const submit = async (name: string) => {
    const place = await saveDraft(node.engine, author.user, { document: draftOf(name) });
    await submitVersion(node.engine, author.user, place);
    return place;
  };
  await submit('first-draft');
  await planNews(node.engine);
  await untilQuiet(house);
  const subjects = (by: Browser) => box.to(by.user.email).map(({ subject }) => subject);
  expect([subjects(author), subjects(reviewer)]).toEqual([[], ['A policy waits for your review: first-draft@1']]);
  await reviewer.call('PATCH', '/api/notifications/settings', { digest: 'hourly' });
  const place = await submit('second-draft');
  await planNews(node.engine);
  const digest = digestDocument(draftOf('second-draft'));
  await reviewVersion(node.engine, reviewer.user, place, { verdict: 'approve', digest });
  ahead += 60 * minute;
  await untilQuiet(house);
  expect(subjects(reviewer)).toEqual(['A policy waits for your review: first-draft@1']);
});

const draftOf = (name: string) =>
  `policy: ${name}\nmatch: { tool: ${name} }\nrequire: { stages: [{ name: One, approvers: anyone }] }\n`;

test('a test goes the way of every mail; nothing is sent to a person who has left', async () => {
  const [node] = house.nodes;
  await node.notifications.test(alice.user.email);
  await untilQuiet(house);
  expect(box.to(alice.user.email).at(-1)?.subject).toBe('A test from Assentry');
  const mails = box.received.length;
  box.refuse(451, 1);
  const { id } = await ask('escalated');
  await until(
    async () => (await house.query('SELECT id FROM notification WHERE elicitation_id = $1', [id])).length === 1,
  );
  await setUser(node, ada, { disabled: true });
  ahead += minute;
  await untilQuiet(house);
  expect(box.received).toHaveLength(mails);
});

test('dozens that are due for a person at once are one mail', async () => {
  const { notifications, now } = house.nodes[0].engine;
  const due = Array.from({ length: 60 }, (_, at) => ({
    id: newId('notification'),
    elicitationId: null,
    channel: 'email' as const,
    target: alice.user.id,
    kind: 'test' as const,
    occasion: `many ${at}`,
    dueAt: now(),
  }));
  await untilQuiet(house);
  const before = box.to(alice.user.email).length;
  await notifications.add(due, now());
  await untilQuiet(house);
  const subjects = box
    .to(alice.user.email)
    .slice(before)
    .map(({ subject }) => subject);
  expect(subjects).toEqual(['Assentry: 60 notices']);
});
