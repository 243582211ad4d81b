import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { newId } from '../../../src/crypto/random.ts';
import pg from 'pg';
import { addRow, entryOf, openTestStore, type TestStore } from '../../support/rows.ts';

let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store?.close());

const newOne = () => {
  const email = `${randomUUID()}@example.com`;
  return { id: newId('user'), email, name: 'Ada', role: 'approver', passwordHash: 'hash' } as const;
};

/** The nodes never disable anybody; an operator's own session does. */
async function disable(id: string): Promise<void> {
  const owner = new pg.Client({ connectionString: store.url });
  await owner.connect();
  await owner.query('UPDATE account SET disabled_at = now() WHERE id = $1', [id]);
  await owner.end();
}

describe('persons', () => {
  test('are found by id and by address in any case', async () => {
    const person = newOne();
    await addRow(store, person);
    const { passwordHash, ...rest } = person;
    const found = { kind: 'person', ...rest };
    expect(await store.people.byId(person.id)).toEqual(found);
    const byEmail = await store.people.byEmail(person.email.toUpperCase());
    expect(byEmail).toEqual({ person: found, passwordHash });
  });

  test('who are disabled are as good as absent, with their sessions', async () => {
    const person = newOne();
    await addRow(store, person);
    const hash = randomBytes(32);
    await store.people.startSession(
      { hash, personId: person.id, at: 1, expiresAt: 9e12, authenticatedAt: 0 },
      entryOf(),
    );
    const before = await store.people.count();
    await disable(person.id);
    const seen = [await store.people.byId(person.id), await store.people.byEmail(person.email)];
    expect([...seen, await store.people.session(hash)]).toEqual([null, null, null]);
    expect(await store.people.count()).toBe(before - 1);
  });
});

describe('sessions', () => {
  test('start with an audit entry in the same commit, are touched, and end', async () => {
    const personId = await store.newPerson();
    const hash = randomBytes(32);
    const entry = entryOf();
    await store.people.startSession({ hash, personId, at: 1_000, expiresAt: 9_000, authenticatedAt: 1_000 }, entry);
    await store.people.touchSession(hash, 5_000);
    const session = await store.people.session(hash);
    expect(session).toMatchObject({ person: { id: personId }, lastSeenAt: 5_000, expiresAt: 9_000 });
    await store.people.endSession(hash);
    expect(await store.people.session(hash)).toBeNull();
    const refused = store.people.startSession(
      { hash, personId, at: 1_000, expiresAt: 9_000, authenticatedAt: 1_000 },
      entry,
    );
    await expect(refused).rejects.toThrow();
    expect(await store.people.session(hash)).toBeNull();
  });

  test.each([
    ['another password is set', `password_hash = 'another'`, 'hash'],
    ['the person is disabled', 'disabled_at = now()', undefined],
  ])('do not start where %s between the proof and the start', async (_name, change, passwordHash) => {
    const person = newOne();
    await addRow(store, person);
    const session = { personId: person.id, at: 1_000, expiresAt: 9_000, authenticatedAt: 0, passwordHash };
    const owner = new pg.Client({ connectionString: store.url });
    await owner.connect();
    expect(await store.people.startSession({ ...session, hash: randomBytes(32) }, entryOf())).toBe(true);
    await owner.query('BEGIN');
    await owner.query(`UPDATE account SET ${change} WHERE id = $1`, [person.id]);
    await owner.query('DELETE FROM session WHERE account_id = $1', [person.id]);
    const entry = entryOf();
    const starting = store.people.startSession({ ...session, hash: randomBytes(32) }, entry);
    await owner.query('COMMIT');
    expect(await starting).toBe(false);
    const left = await store.query('SELECT hash FROM session WHERE account_id = $1', [person.id]);
    expect([left, await store.query('SELECT id FROM audit_entry WHERE id = $1', [entry.id])]).toEqual([[], []]);
    await owner.end();
  });
});

test('sessions that are over are forgotten, and no others', async () => {
  const personId = await store.newPerson();
  const [over, lasting] = [randomBytes(32), randomBytes(32)];
  const session = { personId, at: 1_000, authenticatedAt: 0 };
  await store.people.startSession({ ...session, hash: over, expiresAt: 8_000 }, entryOf());
  await store.people.startSession({ ...session, hash: lasting, expiresAt: 8_001 }, entryOf());
  await store.people.pruneSessions(8_000);
  expect([await store.people.session(over), await store.people.session(lasting)]).toMatchObject([
    null,
    { expiresAt: 8_001 },
  ]);
});

describe('one-time links', () => {
  const addLink = async (purpose: 'signin' | 'setup', expiresAt = 10_000) => {
    const hash = randomBytes(32);
    const personId = purpose === 'signin' ? await store.newPerson() : null;
    await store.people.addLink({ hash, purpose, personId, expiresAt });
    return { hash, personId };
  };

  test('serve one of many who race for them', async () => {
    const { hash, personId } = await addLink('signin');
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.people.takeLink(hash, 'signin', 5_000)));
    expect(taken.filter(Boolean)).toEqual([{ personId }]);
  });

  test('serve no other purpose, and nobody once their time is over', async () => {
    const { hash } = await addLink('signin');
    expect(await store.people.takeLink(hash, 'setup', 5_000)).toBeNull();
    expect(await store.people.takeLink(hash, 'signin', 10_000)).toBeNull();
    expect(await store.people.takeLink(randomBytes(32), 'signin', 5_000)).toBeNull();
    expect(await store.people.takeLink(hash, 'signin', 9_999)).not.toBeNull();
  });

  test('for setting up are used up together: nobody keeps a second one', async () => {
    const [one, two] = [await addLink('setup'), await addLink('setup')];
    const taken = await Promise.all([one, two].map(({ hash }) => store.people.takeLink(hash, 'setup', 5_000)));
    expect(taken.filter(Boolean)).toEqual([{ personId: null }]);
    expect(await store.people.takeLink(two.hash, 'setup', 5_000)).toBeNull();
  });
});
