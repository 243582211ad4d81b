import { afterAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { routes, type RouteContract } from '#platform/http/contract/openapi';
import { freshFor, type Proof } from '#access/sign-in/contract/authentication';
import { isTrial } from '#policies/contract/policy';
import { openTableDigests } from '../../support/databases/table-contents.ts';
import { json } from '../../support/json.ts';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser, signInAnew, type Browser } from '../../support/nodes/console.ts';
import { startTestServer, type TestServer } from '../../support/nodes/server.ts';
import { addTotpRow } from '../../support/nodes/totp-row.ts';
import { setUser } from '../../support/requests/policies.ts';

const clock = 1_800_000_000_000;
let now = clock;
const server = await startTestServer({ environment: 'production', now: () => now });
const asking = askingAt(server.url, await server.newServerKey());
const opened = await asking.open({
  requester: { subject: 'alice', issuer: 'https://idp.example.com', verified: true },
});
const tables = await openTableDigests(server.databaseUrl);
afterAll(async () => {
  await tables.close();
  await server.stop();
});

const acts = Object.entries<RouteContract>(routes).filter(
  ([, { method, auth }]) => method !== 'get' && auth.startsWith('session'),
);
const taking = (...proofs: Proof[]) => acts.filter(([, { proof }]) => proof !== undefined && proofs.includes(proof));
const send = (browser: Browser, route: RouteContract): Promise<Response> =>
  browser.call(route.method.toUpperCase(), route.path.replaceAll(/\{\w+\}/g, 'any'), route.body && {});
const codeOf = async (answer: Promise<Response>): Promise<unknown> => (await json<{ code?: string }>(answer)).code;

/** Someone who may do everything, and a browser in which they proved every factor at this moment. */
const [plain, withApp] = [await openBrowser(server, 'admin'), await openBrowser(server, 'admin')];
await addTotpRow(server.engine, withApp.user.id);

describe('an act in a browser that was left open', () => {
  test.each(taking('fresh', 'every-factor'))(
    '%s needs a proof of the last ten minutes, and writes nothing',
    async (_, route) => {
      const browser = await signInAnew(server, plain);
      now += freshFor;
      const before = await tables.read();
      expect(await codeOf(send(browser, route))).toBe('fresh-sign-in-needed');
      expect(await tables.read()).toEqual(before);
    },
  );

  test.each(taking('every-factor'))('%s needs every factor and not the password alone', async (_, route) => {
    const browser = await signInAnew(server, withApp);
    const before = await tables.read();
    expect(await codeOf(send(browser, route))).toBe('second-factor-needed');
    expect(await tables.read()).toEqual(before);
  });

  test.each(taking('fresh'))('%s is content with one factor', async (_, route) => {
    const refused = await codeOf(send(await signInAnew(server, withApp), route));
    expect(['fresh-sign-in-needed', 'second-factor-needed']).not.toContain(refused);
  });
});

describe('with a fresh proof', () => {
  test.each(taking('fresh', 'every-factor'))('%s is judged by what it says', async (id, route) => {
    const refused = await codeOf(send(await signInAnew(server, plain), route));
    // A verb may ask for more, such as what a policy says.
    expect([id, refused]).not.toEqual([id, 'fresh-sign-in-needed']);
    expect([id, refused]).not.toEqual([id, 'second-factor-needed']);
  });
});

describe('the second administrator', () => {
  const propose = async (by: Browser): Promise<{ id: string; digest: string }> => {
    const person = { email: `${crypto.randomUUID()}@example.com`, name: 'New', role: 'admin' };
    const { request } = await json<{ request: string }>(by.call('POST', '/api/users', person));
    return { id: request, digest: (await by.show(request)).digest };
  };

  test.each<[string, Browser, number, string]>([
    ['who proved nothing for ten minutes', plain, freshFor, 'fresh-sign-in-needed'],
    ['who proved a password but not their app', withApp, 0, 'second-factor-needed'],
  ])('%s gives no power, and may decline', async (_, person, age, code) => {
    const asker = await openBrowser(server, 'admin');
    const request = await propose(asker);
    const browser = await signInAnew(server, person);
    now += age;
    expect(await codeOf(browser.vote(request))).toBe(code);
    expect((await browser.vote(request, { action: 'decline', comment: 'I do not know this person.' })).status).toBe(
      200,
    );
  });

  test('who has just proved who they are does', async () => {
    const request = await propose(await openBrowser(server, 'admin'));
    expect((await (await signInAnew(server, plain)).vote(request)).status).toBe(200);
  });
});

test('an emergency override takes every factor', async () => {
  await setUser(server, withApp, { mayBreakGlass: true });
  const browser = await signInAnew(server, withApp);
  const override = { digest: opened.digest, reason: 'The payment system is down, and it is due.', content: {} };
  expect(await codeOf(browser.call('POST', `/api/elicitations/${opened.id}/break-glass`, override))).toBe(
    'second-factor-needed',
  );
});

test('in a trial, one person at their own machine proves nothing again', async () => {
  const trial: TestServer = await startTestServer();
  expect(isTrial(trial.engine.environment)).toBe(true);
  const browser = await openBrowser(trial, 'admin', 'link');
  expect((await browser.call('POST', '/api/groups', { name: 'Of a trial' })).status).toBe(201);
  await trial.stop();
});

test('the docs name the proof of each act', async () => {
  const text = await readFile('docs/sign-in/second-factor.md', 'utf8');
  for (const proof of ['fresh', 'every-factor'] as const) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${proof}\``)) ?? '';
    const named = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual([...taking(proof).map(([id]) => id), ...(proof === 'fresh' ? ['fresh'] : [])].sort());
  }
});
