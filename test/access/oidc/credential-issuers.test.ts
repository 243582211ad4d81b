import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openReceipt } from '#audit/receipts/rules';
import { parseVerifierKey } from '#audit/tree/rules/notes';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import type { AddedUser, UserList } from '#people/users/contract';
import { breakGlassElicitation } from '#requests/deliberation/verbs/emergency';
import { addGroup, changeMembers, setConfirmation, showConfirmation } from '#people/groups/verbs';
import { makePasswordLink, type PasswordLink } from '#access/passwords/verbs';
import { signedInUser } from '#access/sign-in/verbs/sessions';
import { castVote } from '#requests/voting/verbs';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import { askingAt } from '../../support/nodes/asking.ts';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { enterBy, mailedLink, mailsDown } from '../../support/nodes/mailed-link.ts';
import { query } from '../../support/databases/embedded.ts';
import { publish, setUser } from '../../support/requests/policies.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

const server = await startTestServer({ smtp: mailsDown });
afterAll(() => server.stop());
const asking = askingAt(server.url, await server.newServerKey('payments'));
const [root, ada] = [await openBrowser(server, 'admin'), await openBrowser(server)];
await publish(
  server,
  `policy: two
match: { tool: wire }
require: { stages: [{ name: S, approve: 2, approvers: anyone }] }`,
);

/** The link that the administrator has mailed: the address may be one that they read themselves. */
async function linkFor(id: string): Promise<PasswordLink> {
  expect((await root.call('POST', `/api/users/${id}/password-link`)).status).toBe(202);
  return mailedLink(server, id);
}

const enter = (link: PasswordLink): Promise<string> => enterBy(link, server);

async function vote(cookie: string, { id, digest }: OpenedElicitation) {
  const response = await fetch(`${server.url}/api/elicitations/${id}/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, cookie },
    body: JSON.stringify({ action: 'accept', content: {}, digest }),
  });
  const { code, status } = await json<{ code?: string; status: unknown }>(response);
  return [response.status, code ?? status];
}

const ofRoot = () => asking.open({ requester: { subject: root.user.email, verified: true } });
const wire = () => asking.open({ tool: { name: 'wire' } });

async function invented(): Promise<string> {
  const person = { email: `${crypto.randomUUID()}@example.com`, name: 'Invented', role: 'approver' };
  const { user } = await json<AddedUser>(root.call('POST', '/api/users', person));
  return enter(await mailedLink(server, user.id));
}

describe.each<[string, () => Promise<string>]>([
  ['takes over someone', async () => enter(await linkFor((await openBrowser(server)).user.id))],
  ['invents someone', invented],
])('an administrator who %s', (_how, signIn) => {
  test('does not decide what they ask themselves', async () => {
    const request = await ofRoot();
    expect(await vote(await signIn(), request)).toEqual([409, 'not-now']);
    expect(await vote(ada.cookie, request)).toEqual([200, 'accepted']);
  });

  test('fills one seat, no matter who of the two votes first', async () => {
    const [first, second] = [await wire(), await wire()];
    const cookie = await signIn();
    expect(await vote(cookie, first)).toEqual([200, 'open']);
    expect(await vote(root.cookie, first)).toEqual([409, 'already-voted']);
    expect(await vote(root.cookie, second)).toEqual([200, 'open']);
    expect(await vote(cookie, second)).toEqual([409, 'already-voted']);
    expect(await vote(ada.cookie, second)).toEqual([200, 'accepted']);
  });

  test('is named by the page and by the receipt', async () => {
    const request = await asking.open();
    expect(await vote(await signIn(), request)).toEqual([200, 'accepted']);
    const { votes, timeline } = await ada.show(request.id);
    expect(votes).toMatchObject([{ factor: 'link', issuer: root.user.name }]);
    expect(timeline.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'elicitation.voted', issuer: { name: root.user.name } }),
    );
    const receipt = await (await ada.call('GET', `/api/elicitations/${request.id}/receipt`)).text();
    const { keys } = await server.logKeys();
    const entry = openReceipt(receipt, [parseVerifierKey(keys[0]?.key ?? '')])?.entry;
    expect(JSON.parse(String(entry))).toMatchObject({ factor: 'link', issuer: root.user.id });
  });
});

describe('whom someone in such a session lets vote for them', () => {
  let bob: Browser;
  let cookie: string;
  let ally: Browser;
  const call = (by: string, path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url, cookie: by },
      body: JSON.stringify(body),
    });
  const letVote = (by: string, to: Browser) =>
    call(by, '/api/delegations', { toId: to.user.id, endsAt: Date.now() + 3_600_000 });
  beforeAll(async () => {
    [bob, ally] = [await openBrowser(server), await openBrowser(server)];
    const finance = await addGroup(server.engine, 'operator', { name: 'finance' });
    await changeMembers(server.engine, 'operator', finance, { add: [bob.user.id, root.user.id] });
    const policy = (name: string, approve: number) =>
      `policy: ${name}\nmatch: { tool: ${name} }\nrequire: { stages: [{ name: S, approve: ${approve}, approvers: { group: finance } }] }`;
    await publish(server, policy('pay', 1));
    await publish(server, policy('pay-two', 2));
    cookie = await enter(await linkFor(bob.user.id));
    expect((await letVote(cookie, ally)).status).toBe(201);
  });

  const voteFor = async (by: Browser, request: OpenedElicitation) => {
    const { code, status } = await json<{ code?: string; status: unknown }>(by.vote(request, { for: bob.user.id }));
    return code ?? status;
  };
  const finds = async (by: Browser, { id }: OpenedElicitation) => {
    const list = await json<{ items: { id: string }[] }>(by.call('GET', '/api/elicitations?view=mine&limit=100'));
    return list.items.some((item) => item.id === id);
  };

  test('does not decide for them what the administrator asks', async () => {
    const requester = { subject: root.user.email, verified: true };
    const request = await asking.open({ tool: { name: 'pay' }, requester });
    expect((await ally.show(request.id)).standsInFor).toEqual([]);
    expect([await voteFor(ally, request), await finds(ally, request)]).toEqual(['not-now', false]);
  });

  test('fills the one seat of both, and the log and the page name the administrator', async () => {
    const [first, second] = [
      await asking.open({ tool: { name: 'pay-two' } }),
      await asking.open({ tool: { name: 'pay-two' } }),
    ];
    expect(await voteFor(ally, first)).toBe('open');
    expect(await vote(root.cookie, first)).toEqual([409, 'already-voted']);
    expect((await ally.show(first.id)).votes).toMatchObject([{ issuer: root.user.name }]);
    expect(await vote(root.cookie, second)).toEqual([200, 'open']);
    expect([await voteFor(ally, second), await finds(ally, second)]).toEqual(['already-voted', false]);
    const delegations = await query(
      server.databaseUrl,
      `SELECT entry->>'countsFor' FROM audit_log WHERE entry->>'to' = '${ally.user.id}'`,
    );
    expect(delegations).toEqual([root.user.id]);
  });

  test('does not vote for them in a session that counts for another administrator, and may be that administrator', async () => {
    const other = await openBrowser(server, 'admin');
    const clerk = await openBrowser(server);
    expect((await other.call('POST', `/api/users/${clerk.user.id}/password-link`)).status).toBe(202);
    const clerks = browserAt(server.url, clerk.user, await enter(await mailedLink(server, clerk.user.id)));
    expect((await letVote(cookie, clerk)).status).toBe(201);
    expect((await letVote(cookie, root)).status).toBe(201);
    const request = await asking.open({ tool: { name: 'pay' } });
    expect([await voteFor(clerks, request), await finds(clerks, request)]).toEqual(['not-found', false]);
    expect(await voteFor(root, request)).toBe('accepted');
  });

  test('decides it if they have let them in a session of their own as well', async () => {
    const requester = { subject: root.user.email, verified: true };
    const request = await asking.open({ tool: { name: 'pay' }, requester });
    expect((await letVote((await ownSession(bob)).cookie, ally)).status).toBe(201);
    expect((await ally.show(request.id)).standsInFor).toMatchObject([{ id: bob.user.id }]);
    expect(await voteFor(ally, request)).toBe('accepted');
  });
});

describe('what no one does about themselves, nor does someone else in a session of theirs', () => {
  /** An emergency override by this person; returns how someone reviews it. */
  const overridden = async (by: User, opened = asking.open()) => {
    const { id, digest } = await opened;
    const authentication = {
      method: 'password',
      assurance: 'single-factor',
      at: server.engine.now(),
      by: null,
    } as const;
    const emergency = { digest, reason: 'The pager says production is down.', content: {} };
    await setUser(server, { user: by } as Browser, { mayBreakGlass: true });
    await breakGlassElicitation(server.engine, { ...by, authentication }, id as ElicitationId, emergency);
    const review = { isJustified: true, finding: 'All was well.' };
    return async (browser: Browser) => {
      await browser.look(id);
      return browser.call('POST', `/api/elicitations/${id}/break-glass/review`, review);
    };
  };
  const issued = async (browser: Browser): Promise<Browser> =>
    browserAt(server.url, browser.user, await enter(await linkFor(browser.user.id)));
  const refusal = async (response: Promise<Response>) =>
    (await json<{ refusal?: { code: string } }>(response)).refusal?.code;

  test('an override of the administrator is not reviewed in it', async () => {
    const review = await overridden(root.user);
    const reviewer = await openBrowser(server, 'reviewer');
    expect(await refusal(review(await issued(reviewer)))).toBe('own-override');
    expect((await review(await ownSession(reviewer))).status).toBe(200);
  });

  test('an override that was made in it is not reviewed by the administrator', async () => {
    const { user } = await openBrowser(server);
    const review = await overridden({ ...user, credentialIssuer: root.user.id });
    expect(await refusal(review(root))).toBe('own-override');
    expect((await review(await openBrowser(server, 'reviewer'))).status).toBe(200);
  });

  test('an override for the administrator’s own request is not reviewed in it', async () => {
    const review = await overridden((await openBrowser(server)).user, ofRoot());
    const reviewer = await openBrowser(server, 'reviewer');
    expect(await refusal(review(await issued(reviewer)))).toBe('own-request');
    expect((await review(await ownSession(reviewer))).status).toBe(200);
  });

  test('the administrator’s membership is not confirmed in it', async () => {
    const owner = await openBrowser(server);
    const id = await addGroup(server.engine, 'operator', { name: 'confirmed' });
    await changeMembers(server.engine, 'operator', id, { add: [root.user.id] });
    await setConfirmation(server.engine, 'operator', { id, days: 30, owners: [owner.user.id] });
    const group = (await server.engine.directory.read()).groups.find((each) => each.id === id);
    const digest = group && showConfirmation(group)?.digest;
    const confirm = (by: Browser) => by.call('POST', `/api/groups/${id}/confirmation`, { digest });
    expect(await refusal(confirm(await issued(owner)))).toBe('own-confirmation');
    expect((await confirm(await ownSession(owner))).status).toBeLessThan(300);
  });
});

/** The same person, signed in by a way that counts for no one else. */
const ownSession = async ({ user }: Browser): Promise<Browser> =>
  browserAt(server.url, user, await enter(await makePasswordLink(server.engine, user.id)));

test('a password set by a link of the operator is the person’s own', async () => {
  const bob = await openBrowser(server);
  await enter(await linkFor(bob.user.id));
  const cookie = await enter(await makePasswordLink(server.engine, bob.user.id));
  expect(await vote(cookie, await ofRoot())).toEqual([200, 'accepted']);
});

test('a member of Slack that an administrator named votes for that administrator as well', async () => {
  const bob = await openBrowser(server);
  expect((await root.call('PATCH', `/api/users/${bob.user.id}`, { chatMember: 'U0ROOT99' })).status).toBe(200);
  const clicker = (await server.engine.users.byChatMember('U0ROOT99')) as User;
  const click = ({ id, digest }: OpenedElicitation) =>
    castVote(server.engine, clicker, id as ElicitationId, { action: 'accept', content: {}, digest, chat: 'slack' });
  await expect(click(await ofRoot())).rejects.toMatchObject({ code: 'not-now' });
  const request = await wire();
  expect(await vote(root.cookie, request)).toEqual([200, 'open']);
  await expect(click(request)).rejects.toMatchObject({ code: 'already-voted' });
  // Signed in by a way of their own, the same person is no one else.
  expect(await vote(bob.cookie, await ofRoot())).toEqual([200, 'accepted']);
});

describe('if no mails are sent', () => {
  let production: TestServer;
  let administrator: Browser;
  beforeAll(async () => {
    production = await startTestServer({ environment: 'production' });
    administrator = await openBrowser(production, 'admin');
  });
  afterAll(() => production?.stop());

  const people = () => json<UserList>(administrator.call('GET', '/api/users'));
  const storedLinks = async () => (await query(production.databaseUrl, 'SELECT 1 FROM link')).length;

  test('the console adds someone and shows no link: none is made', async () => {
    const person = { email: 'New@example.com', name: 'New', role: 'approver' };
    const response = await administrator.call('POST', '/api/users', person);
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { linkUntil: null, user: { hasPassword: false } },
    ]);
    expect((await people()).linksBy).toBe('terminal');
    expect(await storedLinks()).toBe(0);
  });

  test('no administrator makes a link for someone, and hears which command the operator runs', async () => {
    const bob = await openBrowser(production);
    const response = await administrator.call('POST', `/api/users/${bob.user.id}/password-link`);
    const problem = await json<ProblemDocument>(response);
    expect([response.status, problem.refusal]).toEqual([
      403,
      { code: 'link-from-operator', values: { command: `user link ${bob.user.email}` } },
    ]);
    expect(problem.detail).toContain(`assentry user link ${bob.user.email}`);
    expect(await storedLinks()).toBe(0);
    expect((await bob.call('GET', '/api/session')).status).toBe(200);
  });

  test('the operator’s terminal makes it, and it is the person’s own', async () => {
    const person = { email: 'own@example.com', name: 'Own', role: 'approver' };
    await administrator.call('POST', '/api/users', person);
    const { address } = await production.makePasswordLink('own@example.com');
    expect(address).toMatch(/\/password#link=[\w-]{43}$/);
    const response = await fetch(`${production.url}/api/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: production.url },
      body: JSON.stringify({ link: address.split('link=')[1], password: 'a password of my own choice' }),
    });
    const secret = /=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const user = await signedInUser(production.engine, secret);
    expect(user).toMatchObject({ email: 'own@example.com' });
    expect(user?.credentialIssuer ?? null).toBeNull();
  });
});

test('if mails are sent, the console says that links go by mail, and shows none', async () => {
  const list = await root.call('GET', '/api/users');
  expect(await json<UserList>(list)).toMatchObject({ linksBy: 'mail' });
  const bob = await openBrowser(server);
  const answer = await root.call('POST', `/api/users/${bob.user.id}/password-link`);
  expect(await answer.json()).toEqual({ linkUntil: expect.any(Number) });
});
