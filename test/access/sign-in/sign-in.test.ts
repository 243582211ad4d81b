import { afterAll, describe, expect, test } from '@jest/globals';
import type { ProblemDocument } from '#platform/http/contract/problem';
import pg from 'pg';
import { openBrowser } from '../../support/nodes/console.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';
import { freePort } from '../../support/nodes/free-port.ts';

let clock = Date.now();
const publicUrl = 'https://approvals.example.com';
const password = 'seven quiet otters paint';
const server = await startTestServer({ now: () => clock });
afterAll(() => server.stop());

const secretIn = (address: string | null): string =>
  new URLSearchParams(new URL(address ?? '').hash.slice(1)).get('link') ?? '';

function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers };
  return fetch(`${url}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) });
}

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('the set-up link', () => {
  const admin = { email: 'first@example.com', name: 'First', password };

  test('of several nodes makes one administrator, once, while no one is there', async () => {
    const links = await Promise.all([server.setUpAddress(), server.setUpAddress()]);
    const wrong = await post(server.url, '/api/setup', { ...admin, link: 'A'.repeat(43) });
    expect(await wrong.json()).toMatchObject({ code: 'token-invalid' });
    const weak = await post(server.url, '/api/setup', { ...admin, password: 'short', link: secretIn(links[0]) });
    expect(await weak.json()).toMatchObject({ code: 'INVALID_INPUT', errors: [{ path: ['password'] }] });
    const results = await Promise.all(
      links.map((link, at) =>
        post(server.url, '/api/setup', { ...admin, email: `first${at}@example.com`, link: secretIn(link) }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([201, 400]);
    const first = results.find(({ status }) => status === 201);
    expect(await first?.json()).toMatchObject({ user: { role: 'admin' } });
    expect(first?.headers.get('set-cookie')).toMatch(/^assentry=/);
    for (const link of links) {
      const again = await post(server.url, '/api/setup', { ...admin, link: secretIn(link) });
      expect([again.status, await again.json()]).toMatchObject([400, { code: 'token-invalid' }]);
    }
    expect(await server.engine.users.count()).toBe(1);
    expect(await server.setUpAddress()).toBeNull();
  });
});

describe('a sign-in link', () => {
  test('signs in once, of many who use it at once', async () => {
    const { user } = await openBrowser(server);
    const link = secretIn(await server.signInAddress(user));
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => post(server.url, '/api/session', { link }, from(`10.1.0.${at}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
  });

  test('is refused when its ten minutes are over', async () => {
    const { user } = await openBrowser(server);
    const link = secretIn(await server.signInAddress(user));
    clock += 600_000;
    const late = await post(server.url, '/api/session', { link }, from('10.1.1.1'));
    expect([late.status, await late.json()]).toMatchObject([400, { code: 'token-invalid' }]);
  });

  test('does not set up, and a set-up link does not sign in', async () => {
    const { user } = await openBrowser(server);
    const link = secretIn(await server.signInAddress(user));
    const body = { email: 'second@example.com', name: 'Second', password, link };
    expect((await post(server.url, '/api/setup', body, from('10.1.1.2'))).status).toBe(400);
    expect((await post(server.url, '/api/session', { link }, from('10.1.1.2'))).status).toBe(200);
  });
});

describe('a password', () => {
  test('that is wrong and an address no one has get the same answer', async () => {
    const { email } = await server.newUser();
    const answers = [];
    for (const body of [
      { email, password: 'wrong horse battery staple' },
      { email: 'nobody@example.com', password },
      { email: (await openBrowser(server)).user.email, password },
    ]) {
      const response = await post(server.url, '/api/session', body, from('10.1.2.1'));
      const { errorId: _id, requestId: _request, ...problem } = await json<ProblemDocument>(response);
      const headers = [...response.headers.keys()].sort();
      answers.push({ status: response.status, problem, headers });
    }
    expect(answers[0]).toMatchObject({ status: 401, problem: { code: 'unauthenticated' } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test.each([
    ['is replaced', `password_hash = 'another'`],
    ['no longer lets its person in', 'disabled_at = now()'],
  ])('that %s while it is looked at starts no session', async (_, change) => {
    const { email } = await server.newUser();
    const owner = new pg.Client({ connectionString: server.databaseUrl });
    await owner.connect();
    await owner.query('BEGIN');
    await owner.query(`UPDATE app_user SET ${change} WHERE email = $1`, [email]);
    const entering = post(server.url, '/api/session', { email, password }, from('10.1.2.2'));
    const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid';
    await until(async () => (await owner.query(waiting)).rowCount === 1);
    await owner.query('COMMIT');
    await owner.end();
    const response = await entering;
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await response.json()).toMatchObject({ detail: 'The email address and password don’t match.' });
  });

  test('cannot be guessed quickly from one address', async () => {
    let accounts = 0;
    const guess = () =>
      post(server.url, '/api/session', { email: `a${++accounts}@example.com`, password: 'x' }, from('10.1.3.1'));
    const statuses: number[] = [];
    for (let tries = 0; tries < 21; tries += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    const limited = await guess();
    expect(await limited.json()).toMatchObject({ code: 'rate-limited' });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const elsewhere = { email: 'a@example.com', password: 'x' };
    expect((await post(server.url, '/api/session', elsewhere, from('10.1.3.2'))).status).toBe(401);
  });
});

describe('guesses at one account', () => {
  const signIn = async (email: string, password: string, at: number, cookie = '', url = server.url) => {
    const headers = { ...from(`10.1.${4 + Math.floor(at / 250)}.${at % 250}`), ...(cookie !== '' && { cookie }) };
    const response = await post(url, '/api/session', { email, password }, headers);
    return { status: response.status, wait: Number(response.headers.get('retry-after')), cookies: cookiesOf(response) };
  };
  const cookiesOf = ({ headers }: Response): string =>
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; ');
  const deviceIn = (cookies: string): string => cookies.split('; ').find((cookie) => cookie.includes('-device=')) ?? '';

  test('wait longer and longer from any address and at any node, and no one waits more than five seconds', async () => {
    const other = await startTestServer({ now: () => clock, databaseUrl: server.databaseUrl });
    const user = await server.newUser();
    const guess = (at: number) =>
      signIn(at % 2 ? user.email : user.email.toUpperCase(), 'wrong', at, '', at % 2 ? server.url : other.url);
    const answers = [];
    for (let at = 0; at < 11; at += 1) answers.push(await guess(at));
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429]);
    const waits = [];
    for (let at = 11; at < 16; at += 1) {
      const { status, wait } = await guess(at);
      waits.push([status, wait]);
      clock += wait * 1000;
      expect((await guess(at + 100)).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 5, 5].map((wait) => [429, wait]));
    clock += 5_000;
    expect((await signIn(user.email, user.password, 200)).status).toBe(200);
    expect((await signIn(user.email, 'wrong', 201)).status).toBe(401); // the right one has forgotten the others
    await other.stop();
  });

  test('at the same time are not more than those one after the other', async () => {
    const user = await server.newUser();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => signIn(user.email, 'wrong', at + 300)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  test('do not keep out a browser that has signed in to it before, nor anyone else', async () => {
    const [user, other] = [await server.newUser(), await server.newUser()];
    const device = deviceIn((await signIn(user.email, user.password, 400)).cookies);
    for (let at = 0; at < 12; at += 1) await signIn(user.email, 'wrong', 401 + at);
    expect((await signIn(user.email, user.password, 420)).status).toBe(429);
    expect((await signIn(other.email, other.password, 421)).status).toBe(200);
    expect((await signIn(user.email, user.password, 422, device)).status).toBe(200);
    expect((await user.call('GET', '/api/session')).status).toBe(200);
  });

  test('gain nothing by what a browser keeps of another account, or by what was made up', async () => {
    const [user, other] = [await server.newUser(), await server.newUser()];
    const foreign = deviceIn((await signIn(other.email, other.password, 440)).cookies);
    const forged = `assentry-device=${'A'.repeat(22)}.${'A'.repeat(43)}`;
    for (let at = 0; at < 10; at += 1) await signIn(user.email, 'wrong', 441 + at);
    for (const cookie of ['', foreign, forged]) expect((await signIn(user.email, 'x', 460, cookie)).status).toBe(429);
  });

  test('from the address of a browser that is known do not keep it out', async () => {
    const user = await server.newUser();
    const device = deviceIn((await signIn(user.email, user.password, 480)).cookies);
    for (let at = 0; at < 21; at += 1) await signIn(`${at}@example.com`, 'x', 481);
    expect((await signIn(user.email, user.password, 481)).status).toBe(429);
    expect((await signIn(user.email, user.password, 481, device)).status).toBe(200);
  });
});

describe('a session', () => {
  test('ends when it is signed out, idle for half an hour, or twelve hours old', async () => {
    const status = async (browser: { call(method: string, path: string): Promise<Response> }) =>
      (await browser.call('GET', '/api/session')).status;
    const idle = await openBrowser(server);
    clock += 29 * 60_000;
    expect(await status(idle)).toBe(200);
    clock += 30 * 60_000;
    expect(await status(idle)).toBe(401);
    const busy = await openBrowser(server);
    for (let minutes = 20; minutes < 720; minutes += 20) {
      clock += 20 * 60_000;
      expect(await status(busy)).toBe(200);
    }
    clock += 20 * 60_000;
    expect(await status(busy)).toBe(401);
    const leaving = await openBrowser(server);
    expect((await leaving.call('DELETE', '/api/session')).status).toBe(204);
    expect(await status(leaving)).toBe(401);
  });

  test('ends earlier where that is configured', async () => {
    const strict = await startTestServer({ now: () => clock, sessions: { idle: 600_000, longest: 1_200_000 } });
    const status = async (browser: { call(method: string, path: string): Promise<Response> }) =>
      (await browser.call('GET', '/api/session')).status;
    const [idle, busy] = [await openBrowser(strict), await openBrowser(strict)];
    const statuses: number[] = [];
    for (let minutes = 9; minutes < 21; minutes += 4) {
      clock += minutes === 9 ? 9 * 60_000 : 4 * 60_000;
      statuses.push(await status(busy));
    }
    expect([...statuses, await status(idle)]).toEqual([200, 200, 200, 401]);
    clock += 5 * 60_000;
    expect(await status(busy)).toBe(401);
    await strict.stop();
  });

  test('AU-01: goes by another secret once its password was proved again', async () => {
    const user = await server.newUser();
    const before = user.cookie;
    const headers = (cookie: string) => ({ cookie, origin: server.url, 'content-type': 'application/json' });
    const confirm = (password: string) =>
      fetch(`${server.url}/api/session/confirm`, {
        method: 'POST',
        headers: headers(before),
        body: JSON.stringify({ password }),
      });
    const isLive = async (cookie: string) =>
      (await fetch(`${server.url}/api/session`, { headers: headers(cookie) })).status === 200;
    expect((await confirm('not the password')).headers.get('set-cookie')).toBeNull();
    expect(await isLive(before)).toBe(true);
    const [after = ''] = (await confirm(user.password)).headers.get('set-cookie')?.split(';') ?? [];
    expect(after).not.toBe(before);
    expect([await isLive(before), await isLive(after)]).toEqual([false, true]);
    expect((await confirm(user.password)).status).toBe(401);
  });

  test('is a cookie that scripts and other sites do not get', async () => {
    const { email } = await server.newUser();
    const plain = await post(server.url, '/api/session', { email, password }, from('10.1.4.1'));
    expect(attributesOf(plain)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'assentry']);
    const port = await freePort();
    const secure = await startTestServer({ publicUrl, port });
    await secure.addUser({ email, name: 'Ada', role: 'approver', password });
    const answer = await post(`http://127.0.0.1:${port}`, '/api/session', { email, password });
    expect(attributesOf(answer)).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure', '__Host-assentry']);
    expect(answer.headers.get('strict-transport-security')).toMatch('max-age=31536000');
    await secure.stop();
  });
});

const attributesOf = (response: Response): string[] =>
  (response.headers.getSetCookie()[0] ?? '')
    .split('; ')
    .filter((part) => !part.startsWith('Expires='))
    .map((part) => part.replace(/^((?:__Host-)?assentry)=.*/, '$1'))
    .sort();
