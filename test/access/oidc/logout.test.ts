import { afterAll, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { hashPassword } from '#access/passwords/rules/passwords';
import { readEvents } from '../../support/nodes/event-source.ts';
import { beginAt, signInBy } from '../../support/nodes/federated-sign-in.ts';
import { startHostileProvider } from '../../support/nodes/hostile-provider.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { until } from '../../support/poll.ts';

const newPeople = { role: 'approver', domains: ['example.com'], claims: {}, verifiedBy: 'email_verified' } as const;

const acme = await startHostileProvider();
const other = await startHostileProvider('other');
/** Sessions that end at the provider end here, at every node. */
const two = await startTwoNodes({ signInProviders: [acme.settings({ newPeople }), other.settings()] });
afterAll(async () => {
  await two.stop();
  await acme.close();
  await other.close();
});

let tokens = 0;
const event = 'http://schemas.openid.net/event/backchannel-logout';
const logoutClaims = (parts: JWTPayload): JWTPayload => {
  const { auth_time: _time, ...claims } = acme.claims();
  return { ...claims, jti: `token-${(tokens += 1)}`, events: { [event]: {} }, ...parts };
};
const send = (token: string, at: 0 | 1 = 0): Promise<Response> =>
  fetch(`${two.nodes[at].url}/api/sign-in/acme/back-channel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });
const enter = async (sub: string, sid: string): Promise<string> => {
  const claims = { sub, sid, email: `${sub}@example.com`, email_verified: true };
  return (await signInBy(acme, two.nodes[0].url, claims)).cookie ?? '';
};
const isIn = async (cookie: string, at: 0 | 1): Promise<boolean> =>
  (await fetch(`${two.nodes[at].url}/api/session`, { headers: { cookie } })).ok;

describe('a logout by the back channel', () => {
  test('ends the sessions of a person and their streams, at every node, and is logged', async () => {
    const [leaving, staying] = [await enter('ada', 'one'), await enter('bob', 'two')];
    const streams = await Promise.all(
      [leaving, staying].map((cookie) => readEvents(`${two.nodes[1].url}/api/stream`, { cookie })),
    );
    await until(() => streams.every(({ events }) => events.length === 1));
    const answer = await send(await acme.sign(logoutClaims({ sub: 'ada' })));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await Promise.all([isIn(leaving, 0), isIn(leaving, 1), isIn(staying, 1)])).toEqual([false, false, true]);
    await two.asking.open();
    await streams[0]?.ended;
    expect(streams[0]?.events.filter(({ event }) => event === 'inbox')).toEqual([]);
    const logged = `SELECT entry FROM audit_log WHERE type = 'user.sessions-ended'`;
    expect(await two.query(logged)).toEqual([
      expect.objectContaining({ actor: { kind: 'provider', provider: acme.issuer }, sessions: [expect.any(String)] }),
    ]);
    streams[1]?.cut();
  });

  test('by sid ends one browser of a person', async () => {
    const [here, there] = [await enter('cleo', 'here'), await enter('cleo', 'there')];
    expect((await send(await acme.sign(logoutClaims({ sub: 'cleo', sid: 'here' })))).status).toBe(200);
    expect(await Promise.all([isIn(here, 1), isIn(there, 1)])).toEqual([false, true]);
  });

  test('counts by a key that the provider has exchanged under its name, and the former one no longer does', async () => {
    const cookie = await enter('rose', 'exchanged');
    const former = await acme.sign(logoutClaims({ sub: 'rose' }));
    await acme.rotateKey('first');
    expect((await send(await acme.sign(logoutClaims({ sub: 'rose' })))).status).toBe(200);
    expect(await isIn(cookie, 1)).toBe(false);
    expect((await send(former)).status).toBe(400);
    const reads = acme.calls.get('/keys');
    for (let times = 0; times < 3; times += 1) expect((await send(former)).status).toBe(400);
    expect(acme.calls.get('/keys')).toBe(reads);
  });

  test('ends a session that began there and was then confirmed by a password', async () => {
    const began = await enter('hal', 'confirmed');
    const { url } = two.nodes[0];
    const hash = await hashPassword('a password of his own');
    await two.query(`UPDATE app_user SET password_hash = '${hash}' WHERE email = 'hal@example.com'`);
    const headers = { cookie: began, origin: url, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"password":"a password of his own"}' };
    const answer = await fetch(`${url}/api/session/confirm`, init);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect([answer.status, await isIn(began, 1), await isIn(cookie, 1)]).toEqual([204, false, true]);
    expect((await send(await acme.sign(logoutClaims({ sub: 'hal', sid: 'confirmed' })))).status).toBe(200);
    expect(await isIn(cookie, 1)).toBe(false);
  });

  test('by person and sid ends the sessions whose sid the provider has never said', async () => {
    const claims = { sub: 'ivy', email: 'ivy@example.com', email_verified: true };
    const [silent, there] = [
      (await signInBy(acme, two.nodes[0].url, claims)).cookie ?? '',
      await enter('ivy', 'there'),
    ];
    expect((await send(await acme.sign(logoutClaims({ sub: 'ivy', sid: 'here' })))).status).toBe(200);
    expect(await Promise.all([isIn(silent, 1), isIn(there, 1)])).toEqual([false, true]);
  });

  test('counts once, at whichever node it comes again', async () => {
    const token = await acme.sign(logoutClaims({ sub: 'dan' }));
    expect((await send(token)).status).toBe(200);
    const cookie = await enter('dan', 'again');
    expect((await send(token, 1)).status).toBe(400);
    expect(await isIn(cookie, 0)).toBe(true);
  });

  test('ends a session that began there, also after its person has connected another provider', async () => {
    const { url } = two.nodes[0];
    const cookie = await enter('hal', 'first');
    const at = (way: '/connect' | '/confirm') => beginAt(url, 'other', { cookie, way });
    expect(await signInBy(other, url, { sub: 'hal-2', sid: 'second' }, await at('/connect'))).toMatchObject({
      next: '/',
    });
    // Proven again elsewhere, it would not be that provider's any more.
    const moved = await signInBy(other, url, { sub: 'hal-2', sid: 'second' }, await at('/confirm'));
    expect(moved).toMatchObject({ next: expect.stringContaining('other-person'), cookie: undefined });
    expect(await isIn(cookie, 1)).toBe(true);
    expect((await send(await acme.sign(logoutClaims({ sub: 'hal' })))).status).toBe(200);
    expect(await isIn(cookie, 1)).toBe(false);
  });

  const minutes = 60;
  const now = (): number => Math.floor(Date.now() / 1000);
  test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
    ['of another issuer', (claims) => acme.sign({ ...claims, iss: 'https://evil.example.com' })],
    ['for another client', (claims) => acme.sign({ ...claims, aud: 'someone-else' })],
    ['with a nonce', (claims) => acme.sign({ ...claims, nonce: 'x' })],
    ['without the event', (claims) => acme.sign({ ...claims, events: { other: {} } })],
    ['without a name', ({ jti: _jti, ...claims }) => acme.sign(claims)],
    ['with a NUL in its name', (claims) => acme.sign({ ...claims, jti: 'a\0b' })],
    ['with a NUL in the person', (claims) => acme.sign({ ...claims, sub: 'a\0b' })],
    ['with a NUL in the session', (claims) => acme.sign({ ...claims, sid: 'a\0b' })],
    ['without a person and a session', ({ sub: _sub, ...claims }) => acme.sign(claims)],
    ['that is old', (claims) => acme.sign({ ...claims, iat: now() - 10 * minutes })],
    ['that has expired', (claims) => acme.sign({ ...claims, exp: now() - minutes })],
    ['of another type', (claims) => acme.sign(claims, { typ: 'at+jwt' })],
    ['without a signature', (claims) => acme.unsigned(claims)],
    ['signed with the secret of the client', (claims) => acme.signBySecret(claims)],
    ['that is no token', () => 'token'],
  ])('%s ends nothing', async (_name, make) => {
    const cookie = await enter('eve', 'kept');
    expect((await send(await make(logoutClaims({ sub: 'eve' })))).status).toBe(400);
    expect(await isIn(cookie, 0)).toBe(true);
  });
});

describe('a logout by the front channel', () => {
  const open = (query: Record<string, string>): Promise<Response> =>
    fetch(`${two.nodes[1].url}/api/sign-in/acme/front-channel-logout?${new URLSearchParams(query)}`);

  test('ends the session that it names', async () => {
    const cookie = await enter('flo', 'in-a-frame');
    expect((await open({ iss: acme.issuer, sid: 'another' })).status).toBe(200);
    expect((await open({ iss: 'https://evil.example.com', sid: 'in-a-frame' })).status).toBe(400);
    expect((await open({ iss: acme.issuer })).status).toBe(400);
    expect((await open({ iss: acme.issuer, sid: 'in-a-\0frame' })).status).toBe(400);
    expect(await isIn(cookie, 0)).toBe(true);
    expect((await open({ iss: acme.issuer, sid: 'in-a-frame' })).status).toBe(200);
    expect(await isIn(cookie, 0)).toBe(false);
  });
});

describe('signing out here', () => {
  const leave = (cookie: string): Promise<Response> => {
    const { url } = two.nodes[0];
    return fetch(`${url}/api/session`, { method: 'DELETE', headers: { cookie, origin: url } });
  };

  test('leads to the provider, and from there to the page for signing in', async () => {
    const cookie = await enter('gil', 'leaving');
    const answer = await leave(cookie);
    const { location } = (await answer.json()) as { location: string };
    const { origin, pathname, searchParams } = new URL(location);
    expect([answer.status, origin, pathname, Object.fromEntries(searchParams)]).toEqual([
      200,
      acme.issuer,
      '/end',
      { client_id: 'assentry', post_logout_redirect_uri: `${two.nodes[0].url}/signin` },
    ]);
    expect(await isIn(cookie, 0)).toBe(false);
  });
});
