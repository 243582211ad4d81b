import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { newId } from '#platform/crypto/random';
import { createDirectoryReader } from '#people/directory/store/directory';
import { openDatabase } from '#platform/database/database';
import { entryOf, openTestStore, type TestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
const another = openDatabase(store.url);
afterAll(async () => {
  await another.close();
  await store.close();
});

const rename = (id: Awaited<ReturnType<TestStore['newUser']>>, name: string) =>
  store.directory.change(() => ({ write: { type: 'user', id, set: { name } }, entry: entryOf() }));

test('of people, only those who have changed are read again, and the whole is as if it had been read at once', async () => {
  const [first, second] = [await store.newUser(), await store.newUser()];
  const group = { id: newId('group'), name: 'finance', description: '' };
  await store.directory.change(() => ({ write: { type: 'new-group', group }, entry: entryOf() }));
  const before = await store.directory.read();
  await rename(first, 'Zoe');
  await store.directory.change(() => ({
    write: { type: 'members', id: group.id, add: [first, second], remove: [] },
    entry: entryOf(),
  }));
  const after = await store.directory.read();
  const kept = before.users.find(({ id }) => id === second);
  expect(after.users.find(({ id }) => id === second)).toBe(kept);
  expect(after.users.find(({ id }) => id === first)).toMatchObject({ name: 'Zoe' });
  expect(before.users.find(({ id }) => id === first)).not.toMatchObject({ name: 'Zoe' });
  expect(after.groups.find(({ id }) => id === group.id)?.members.toSorted()).toEqual([first, second].toSorted());
  expect(await createDirectoryReader(another.query).read()).toEqual(after);
});

test('nothing changed is nothing read', async () => {
  const before = await store.directory.read();
  expect(await store.directory.read()).toBe(before);
});

test('what a transaction saw and took back is not kept', async () => {
  const id = await store.newUser();
  const before = await store.directory.read();
  let nameThen: string | undefined;
  const guard = store.directory.guard(({ users }) => {
    nameThen = users.find((user) => user.id === id)?.name;
  });
  const failed = store.database.prisma.$transaction(async (tx) => {
    await tx.user.update({ where: { id }, data: { name: 'Mallory' } });
    await guard(tx);
    throw new TypeError('taken back');
  });
  await expect(failed).rejects.toThrow('taken back');
  expect(nameThen).toBe('Mallory');
  expect(await store.directory.read()).toEqual(before);
  await rename(id, 'Zoe');
  expect((await store.directory.read()).users.find((user) => user.id === id)).toMatchObject({ name: 'Zoe' });
});

test('a change that began before a read and commits after it is found by the next', async () => {
  const [early, late] = [await store.newUser(), await store.newUser()];
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`UPDATE app_user SET name = 'Early' WHERE id = $1`, [early]);
  expect((await store.directory.read()).users.find(({ id }) => id === early)?.name).not.toBe('Early');
  const waiting = rename(late, 'Late'); // it cannot overtake the one that is under way
  await client.query('COMMIT');
  await waiting;
  const { users } = await store.directory.read();
  expect(users.filter(({ id }) => id === early || id === late).map(({ name }) => name)).toEqual(['Early', 'Late']);
  await client.end();
});

test('no one can write another epoch than that of their change', async () => {
  const id = await store.newUser();
  await store.directory.read();
  await store.database.prisma.user.update({ where: { id }, data: { name: 'Mallory', epoch: 0n } });
  expect((await store.directory.read()).users.find((user) => user.id === id)?.name).toBe('Mallory');
});

test('an older state of the database is read as a whole', async () => {
  const id = await store.newUser();
  await rename(id, 'New');
  await store.directory.read();
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(`UPDATE app_user SET name = 'Old' WHERE id = $1`, [id]);
  await client.query(`UPDATE epoch SET value = value - 1 WHERE name = 'users'`);
  await client.end();
  expect((await store.directory.read()).users.find((user) => user.id === id)?.name).toBe('Old');
});
