import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readEntry, type StoredEvent } from '#audit/entries/rules/entry';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { openStaged } from '../../support/requests/staged.ts';
import { stageOf } from '../../support/requests/stages.ts';
import { startTestServer } from '../../support/nodes/server.ts';

type Access = Extract<StoredEvent, { what: string }>;

let now = 1_800_000_000_000;
let ada: Browser;
let stranger: Browser;
let reviewer: Browser;

const server = await startTestServer({ now: () => now });
const database = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await database.end();
  await server.stop();
});
await database.connect();
const asking = askingAt(server.url, await server.newServerKey());

let from = 0;
/** Every window of before is over and written, and everyone signs in again. */
beforeEach(async () => {
  now += 2 * 3_600_000;
  await server.engine.access.flush();
  now += 2 * 3_600_000;
  await server.engine.access.flush();
  ada = await openBrowser(server);
  stranger = await openBrowser(server);
  reviewer = await openBrowser(server, 'reviewer');
  const { rows } = await database.query<{ last: string | null }>('SELECT max(seq) AS last FROM audit_entry');
  from = Number(rows[0]?.last ?? 0);
});

async function accesses(): Promise<Access[]> {
  const { rows } = await database.query<{ body: Buffer }>(
    `SELECT body FROM audit_entry WHERE seq > $1 AND type LIKE 'access.%' AND type <> 'access.looked' ORDER BY seq`,
    [from],
  );
  return rows.map(({ body }) => readEntry(body) as Access);
}

const shortened = (all: Access[]) => all.map(({ type, what, count }) => [type, what, count]);

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    body: JSON.stringify(body),
  });
const signIn = (email: string) => post('/api/session', { email, password: 'a password that is wrong' });

const forAda = async () => (await openStaged(server, asking, { stages: [stageOf({ approvers: [ada.user.id] })] })).id;

describe('failed sign-ins', () => {
  test('the first is logged at once, and all others of its window together in one more entry', async () => {
    for (let tries = 0; tries < 9; tries += 1) expect((await signIn('ada@nowhere.example')).status).toBe(401);
    expect(shortened(await accesses())).toEqual([['access.sign-in-failed', 'wrong-password', 1]]);
    now += 10 * 60_000;
    await server.engine.access.flush();
    const [first, rest, ...more] = await accesses();
    expect(more).toEqual([]);
    expect(rest).toMatchObject({ what: 'wrong-password', count: 8, since: first?.since, actor: { kind: 'stranger' } });
  });

  test('name a person by their id and an unknown name by a keyed hash, never by what was typed', async () => {
    const unknown = 'victor-the-unknown@nowhere.example';
    await signIn(unknown);
    await signIn(unknown.toUpperCase());
    await signIn(ada.user.email);
    await post('/api/password', { link: 'a-link-that-no-one-made-and-is-long', password: 'a password that is long' });
    await post('/api/session', { link: 'another-link-that-no-one-made-and-is-long' });
    now += 10 * 60_000;
    await server.engine.access.flush();
    const all = await accesses();
    expect(all.find(({ about: topics }) => topics.includes(ada.user.id))).toMatchObject({
      type: 'access.sign-in-failed',
    });
    const [hash] = all[0]?.about ?? [];
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    const repeated = all.find(({ what, count }) => what === 'wrong-password' && count === 2);
    expect(repeated?.about).toEqual([hash, ada.user.id]);
    const text = JSON.stringify(all);
    for (const typed of [
      'victor',
      'nowhere.example',
      'wrong password',
      'link-that-no-one',
      '127.0.0.1',
      ada.user.email,
    ])
      expect(text.toLowerCase()).not.toContain(typed);
  });

  test('a wrong password within a session is one of its person', async () => {
    await ada.call('POST', '/api/session/confirm', { password: 'not my password' });
    expect((await accesses())[0]).toMatchObject({
      type: 'access.sign-in-failed',
      actor: { kind: 'user', id: ada.user.id },
    });
  });
});

describe('refusals', () => {
  test('a revoked key is named by its id; a key that never existed is not', async () => {
    const key = await server.newServerKey('ledger');
    const kid = key.split('_')[1] ?? '';
    await server.revokeKey(kid);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect((await post('/v1/elicitations', question, bearer(key))).status).toBe(401);
    const [entry] = await accesses();
    expect(entry).toMatchObject({ type: 'access.refused', what: 'unauthenticated', about: [kid] });
    expect(JSON.stringify(entry)).not.toContain(key);
    await post('/v1/elicitations', question, bearer('a-secret-of-someone-else'));
    now += 10 * 60_000;
    await server.engine.access.flush();
    expect(JSON.stringify(await accesses())).not.toContain('a-secret-of-someone-else');
  });

  test('a request that is hidden or absent is refused alike, and both are entries of the person', async () => {
    const id = await forAda();
    expect((await stranger.call('GET', `/api/elicitations/${id}`)).status).toBe(404);
    const [entry] = await accesses();
    const actor = { kind: 'user', id: stranger.user.id };
    expect(entry).toMatchObject({ type: 'access.refused', what: 'not-found', about: [id], actor, count: 1 });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'what an administrator alone may do',
      () => ada.call('POST', '/api/groups', { name: 'mine' }),
      'administrators-only',
    ],
    ['the log to an approver', () => ada.call('GET', '/log/checkpoint'), 'reviewers-read-log'],
    [
      'a page of another site',
      () => ada.call('DELETE', '/api/session', undefined, { origin: 'https://evil.example' }),
      'cross-site',
    ],
    [
      'a session that is none',
      () => fetch(`${server.url}/api/session`, { headers: { cookie: 'assentry=x' } }),
      'unauthenticated',
    ],
    ['a token that is none', () => post('/callback/not-a-token', { action: 'accept' }), 'token-invalid'],
    [
      'another server’s request',
      async () => {
        const other = askingAt(server.url, await server.newServerKey('other'));
        return other.call('GET', `/v1/elicitations/${await forAda()}`);
      },
      'not-found',
    ],
  ])('%s', async (_name, ask, what) => {
    await ask();
    expect(shortened(await accesses())).toEqual([['access.refused', what, 1]]);
  });

  test('of many votes at once: each refused vote has an entry', async () => {
    const items = [{ id: await forAda(), digest: 'a'.repeat(64) }];
    await stranger.call('POST', '/api/elicitations/votes', { items, action: 'decline', comment: 'no' });
    expect(shortened(await accesses())).toEqual([['access.refused', 'not-found', 1]]);
  });

  test('nothing that no one was refused: no cookie yet, a page that is not there, a wrong form', async () => {
    await fetch(`${server.url}/api/session`);
    await fetch(`${server.url}/nothing`);
    await asking.call('POST', '/v1/elicitations', {});
    expect(await accesses()).toEqual([]);
  });

  test('strangers from any number of places fill a bounded part of the log', async () => {
    const spoofed = (at: number) => ({ 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` });
    for (let at = 0; at < 250; at += 1)
      await post('/v1/elicitations', question, { ...spoofed(at), authorization: 'Bearer x' });
    expect((await accesses()).length).toBe(101);
    now += 10 * 60_000;
    await server.engine.access.flush();
    const all = await accesses();
    expect(all.length).toBe(102);
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(250);
  });
});

describe('data that is given out', () => {
  test('reading a request is an entry of each person, once an hour; the list as well', async () => {
    const id = await forAda();
    await ada.show(id);
    await ada.show(id);
    await ada.call('GET', '/api/elicitations');
    await ada.call('GET', '/api/elicitations');
    const actor = { kind: 'user', id: ada.user.id };
    expect(await accesses()).toMatchObject([
      { type: 'access.read', what: 'request', about: [id], actor },
      { type: 'access.listed', what: 'requests', about: [], actor },
    ]);
    for (let third = 0; third < 3; third += 1) {
      now += 20 * 60_000;
      await ada.call('GET', '/api/session');
    }
    await ada.show(id);
    expect((await accesses()).length).toBe(3);
  });

  test('receipts and the log are exports', async () => {
    const id = await forAda();
    const { digest } = await ada.show(id);
    await ada.vote({ id, digest });
    expect((await ada.call('GET', `/api/elicitations/${id}/receipt`)).status).toBe(200);
    expect((await reviewer.call('GET', '/log/checkpoint')).status).toBe(200);
    await reviewer.call('GET', '/log/tile/entries/000');
    const exports = (await accesses()).filter(({ type }) => type === 'access.exported');
    expect(exports).toMatchObject([
      { what: 'receipt', about: [id], actor: { id: ada.user.id } },
      { what: 'log', about: [], actor: { id: reviewer.user.id } },
    ]);
  });

  test('the operator’s export is one', async () => {
    await server.exportLog(async () => {});
    expect((await accesses()).filter(({ type }) => type === 'access.exported')).toMatchObject([
      { what: 'log', actor: { kind: 'operator' } },
    ]);
  });

  test('nothing is read without the log', async () => {
    const id = await forAda();
    await database.query('ALTER TABLE audit_entry ADD CONSTRAINT no_reads CHECK (type <> $$access.read$$) NOT VALID');
    try {
      const response = await ada.call('GET', `/api/elicitations/${id}`);
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(await response.text()).not.toContain(question.message);
    } finally {
      await database.query('ALTER TABLE audit_entry DROP CONSTRAINT no_reads');
    }
  });
});
