import { afterAll, describe, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { newId } from '#platform/crypto/random';
import pg from 'pg';
import { addRow, entryOf, openTestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
afterAll(() => store.close());

const newOne = () => {
  const email = `${randomUUID()}@example.com`;
  return { id: newId('user'), email, name: 'Ada', role: 'approver', passwordHash: 'hash' } as const;
};

/** The nodes never disable anyone; an operator's own session does. */
async function disable(id: string): Promise<void> {
  const owner = new pg.Client({ connectionString: store.url });
  await owner.connect();
  await owner.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [id]);
  await owner.end();
}

const proven = (at: number) => ({ method: 'password', assurance: 'single-factor', at }) as const;
const place = () => ({ id: newId('session'), agent: '', address: '' });

describe('users', () => {
  test('are found by id and by address in any case', async () => {
    const user = newOne();
    await addRow(store, user);
    const { passwordHash, ...rest } = user;
    const result = { kind: 'user', ...rest };
    expect(await store.users.byId(user.id)).toEqual(result);
    const byEmail = await store.users.byEmail(user.email.toUpperCase());
    expect(byEmail).toEqual({ user: result, passwordHash });
  });

  test('who are disabled are not found, nor are their sessions', async () => {
    const user = newOne();
    await addRow(store, user);
    const hash = randomBytes(32);
    await store.users.startSession(
      { ...place(), hash, userId: user.id, at: 1, expiresAt: 9e12, authentication: proven(0) },
      entryOf(),
    );
    const before = await store.users.count();
    await disable(user.id);
    const visible = [await store.users.byId(user.id), await store.users.byEmail(user.email)];
    expect([...visible, await store.users.session(hash)]).toEqual([null, null, null]);
    expect(await store.users.count()).toBe(before - 1);
  });
});

describe('sessions', () => {
  test('start with an audit entry in the same commit, are touched, and end', async () => {
    const userId = await store.newUser();
    const hash = randomBytes(32);
    const entry = entryOf();
    await store.users.startSession(
      { ...place(), hash, userId, at: 1_000, expiresAt: 9_000, authentication: proven(1_000) },
      entry,
    );
    await store.users.touchSession(hash, 5_000);
    const session = await store.users.session(hash);
    expect(session).toMatchObject({ user: { id: userId }, lastSeenAt: 5_000, expiresAt: 9_000 });
    await store.users.endSession(hash, entryOf());
    expect(await store.users.session(hash)).toBeNull();
    const refused = store.users.startSession(
      { ...place(), hash, userId, at: 1_000, expiresAt: 9_000, authentication: proven(1_000) },
      entry,
    );
    await expect(refused).rejects.toThrow();
    expect(await store.users.session(hash)).toBeNull();
  });

  test.each([
    ['another password is set', `password_hash = 'another'`, 'hash'],
    ['the person is disabled', 'disabled_at = now()', undefined],
  ])('do not start where %s between the proof and the start', async (_name, change, passwordHash) => {
    const user = newOne();
    await addRow(store, user);
    const session = { userId: user.id, at: 1_000, expiresAt: 9_000, authentication: proven(0), passwordHash };
    const owner = new pg.Client({ connectionString: store.url });
    await owner.connect();
    expect(await store.users.startSession({ ...place(), ...session, hash: randomBytes(32) }, entryOf())).toBe(true);
    await owner.query('BEGIN');
    await owner.query(`UPDATE app_user SET ${change} WHERE id = $1`, [user.id]);
    await owner.query('DELETE FROM session WHERE user_id = $1', [user.id]);
    const entry = entryOf();
    const starting = store.users.startSession({ ...place(), ...session, hash: randomBytes(32) }, entry);
    await owner.query('COMMIT');
    expect(await starting).toBe(false);
    const remainings = await store.query('SELECT hash FROM session WHERE user_id = $1', [user.id]);
    expect([remainings, await store.query('SELECT id FROM audit_entry WHERE id = $1', [entry.id])]).toEqual([[], []]);
    await owner.end();
  });
});

test('no session is confirmed by an identity that is removed meanwhile, and none that began with it goes on', async () => {
  const userId = await store.newUser();
  const identity = { issuer: 'https://idp.example.com', subject: randomUUID(), sid: null };
  const owner = new pg.Client({ connectionString: store.url });
  await owner.connect();
  const name = `${identity.issuer}#${identity.subject}`;
  await owner.query('UPDATE app_user SET subjects = ARRAY[$2] WHERE id = $1', [userId, name]);
  await owner.query(
    'INSERT INTO federated_identity (issuer, subject, user_id, created_at, last_used_at) VALUES ($1, $2, $3, now(), now())',
    [identity.issuer, identity.subject, userId],
  );
  const [hash, next, last] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const session = { userId, at: 1_000, expiresAt: 9_000, authentication: proven(0) };
  await store.users.startSession({ ...place(), ...session, hash }, entryOf());
  const proof = { userId, identity, method: 'oidc', assurance: 'multi-factor', at: 2_000 } as const;
  expect(await store.users.confirmSession(hash, { ...proof, hash: next }, entryOf())).toEqual({ expiresAt: 9_000 });
  await owner.query('BEGIN');
  await owner.query('DELETE FROM federated_identity WHERE subject = $1', [identity.subject]);
  const entry = entryOf();
  const confirming = store.users.confirmSession(next, { ...proof, hash: last }, entry);
  await owner.query('COMMIT');
  expect(await confirming).toBeNull();
  const entries = await store.query('SELECT id FROM audit_entry WHERE id = $1', [entry.id]);
  expect([await store.users.session(last), await store.users.session(next), entries]).toEqual([null, null, []]);
  await owner.end();
});

test('sessions that are over are forgotten, and no others', async () => {
  const userId = await store.newUser();
  const [over, lasting] = [randomBytes(32), randomBytes(32)];
  const session = { userId, at: 1_000, authentication: proven(0) };
  await store.users.startSession({ ...place(), ...session, hash: over, expiresAt: 8_000 }, entryOf());
  await store.users.startSession({ ...place(), ...session, hash: lasting, expiresAt: 8_001 }, entryOf());
  await store.users.pruneSessions(8_000);
  expect([await store.users.session(over), await store.users.session(lasting)]).toMatchObject([
    null,
    { expiresAt: 8_001 },
  ]);
});

describe('one-time links', () => {
  const addLink = async (purpose: 'signin' | 'setup', expiresAt = 10_000) => {
    const hash = randomBytes(32);
    const userId = purpose === 'signin' ? await store.newUser() : null;
    await store.users.addLink({ hash, purpose, userId, expiresAt });
    return { hash, userId };
  };

  test('serve one of many who race for them', async () => {
    const { hash, userId } = await addLink('signin');
    const nexts = await Promise.all(Array.from({ length: 20 }, () => store.users.takeLink(hash, 'signin', 5_000)));
    expect(nexts.filter(Boolean)).toEqual([{ userId }]);
  });

  test('serve no other purpose, and no one once their time is over', async () => {
    const { hash } = await addLink('signin');
    expect(await store.users.takeLink(hash, 'setup', 5_000)).toBeNull();
    expect(await store.users.takeLink(hash, 'signin', 10_000)).toBeNull();
    expect(await store.users.takeLink(randomBytes(32), 'signin', 5_000)).toBeNull();
    expect(await store.users.takeLink(hash, 'signin', 9_999)).not.toBeNull();
  });

  test('for setting up are used up together: no one keeps a second one', async () => {
    const [first, second] = [await addLink('setup'), await addLink('setup')];
    const nexts = await Promise.all([first, second].map(({ hash }) => store.users.takeLink(hash, 'setup', 5_000)));
    expect(nexts.filter(Boolean)).toEqual([{ userId: null }]);
    expect(await store.users.takeLink(second.hash, 'setup', 5_000)).toBeNull();
  });
});
