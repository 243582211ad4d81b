import { afterAll, expect, test } from '@jest/globals';
import type { UserId } from '#platform/model/id';
import { browserAt, openBrowser, type Browser } from '../../support/nodes/console.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { publish } from '../../support/requests/policies.ts';
import { json } from '../../support/json.ts';
import { listPairs } from '#people/accounts/verbs/decide-pair';

const now = Date.now();
/** It speaks for no domain: anyone may have any address verified there. */
const freemail = await startHostileProvider('freemail', () => now);
const company = await startHostileProvider('company', () => now);
const server = await startTestServer({
  environment: 'production',
  now: () => now,
  signInProviders: [freemail.settings(), company.settings({ domains: ['example.com'] })],
});
afterAll(async () => {
  await server.stop();
  await Promise.all([freemail.close(), company.close()]);
});
const asking = askingAt(server.url, await server.newServerKey('payments'));

const mailboxOf = (email: string) => ({ email, email_verified: true });

async function pairSigns(of: Browser) {
  const pairs = await listPairs(server.engine);
  return pairs.filter(({ user, other }) => [user.id, other.id].includes(of.user.id)).map(({ sign }) => sign);
}

async function publishTwo(name: string, first: Browser, second: Browser) {
  const approvers = `[{ user: ${first.user.email} }, { user: ${second.user.email} }]`;
  await publish(
    server,
    `policy: ${name}\nmatch: { tool: ${name} }\nrequire: { stages: [{ name: S, approve: 2, approvers: ${approvers} }] }`,
  );
}

async function accept(by: Browser, tool: string, subject?: string) {
  const requester = subject === undefined ? {} : { requester: { subject, verified: true } };
  const { id, digest } = await asking.open({ tool: { name: tool }, ...requester });
  return (await by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest })).status;
}

/** Signs in with someone else's address at a provider. */
async function signInAs(provider: typeof freemail, by: Browser, sub: string, email: string) {
  await server.connectUser(by.user.email, { issuer: provider.issuer, subject: sub });
  const { cookie = '' } = await signInBy(provider, server.url, { sub, acr: 'mfa', ...mailboxOf(email) });
  expect(await json(browserAt(server.url, by.user, cookie).call('GET', '/api/session'))).toMatchObject({
    user: { id: by.user.id },
  });
}

test('a rival whose provider calls the address of another person verified takes no vote of theirs and stops no policy', async () => {
  const [ada, mal] = [await openBrowser(server), await openBrowser(server)];
  await publishTwo('rivals', ada, mal);
  await signInAs(freemail, mal, 'mal-1', ada.user.email);
  expect(await accept(ada, 'rivals')).toBe(200);
  expect(await accept(ada, 'other', mal.user.email)).toBe(200);
  const { id, digest } = await asking.open({ tool: { name: 'rivals' } });
  const votes = [ada, mal].map(
    (by) => () => by.call('POST', `/api/elicitations/${id}/vote`, { action: 'accept', content: {}, digest }),
  );
  const answers = [];
  for (const vote of votes) answers.push(await json<{ status: string }>(vote()));
  expect(answers.map(({ status }) => status)).toEqual(['open', 'accepted']);
  expect(await pairSigns(ada)).toEqual(['mailbox-hint']);
});

test('an address counts once a provider that may speak for its domain verifies it as well', async () => {
  const [ben, asBen] = [await openBrowser(server), await openBrowser(server)];
  await signInAs(freemail, asBen, 'ben-1', ben.user.email);
  expect(await pairSigns(ben)).toEqual(['mailbox-hint']);
  await signInAs(company, asBen, 'ben-2', ben.user.email);
  expect(await pairSigns(ben)).toEqual(['mailbox']);
  await expect(publishTwo('one-person', ben, asBen)).rejects.toMatchObject({ code: 'unsatisfiable' });
});

test('a domain below, above or next to one of the list is another domain', async () => {
  const carl = await openBrowser(server);
  await signInAs(company, carl, 'carl-1', 'ceo@mail.example.com');
  await signInAs(company, carl, 'carl-2', 'ceo@com');
  await signInAs(company, carl, 'carl-3', 'ceo@badexample.com');
  const record = (await server.engine.directory.read()).users.find(({ id }) => id === (carl.user.id as UserId));
  expect(record?.vouchedAddresses).toBeNull();
});
