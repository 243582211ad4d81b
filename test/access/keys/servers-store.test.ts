import { afterAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { newId } from '#platform/crypto/random';
import { entryOf, openTestStore } from '../../support/databases/rows.ts';

const store = await openTestStore();
afterAll(() => store.close());

const newKey = () => ({ kid: randomBytes(8).toString('hex'), hash: randomBytes(32) });

test('a key names its server; a second key of the same name belongs to the same server', async () => {
  const [first, second] = [newKey(), newKey()];
  const id = newId('server');
  await store.servers.addKey({ id, name: 'crm' }, first, entryOf());
  await store.servers.addKey({ id: newId('server'), name: 'crm' }, second, entryOf());
  const server = { kind: 'server', id, name: 'crm', tools: ['*'] };
  for (const { kid, hash } of [first, second])
    expect(await store.servers.byKey(kid)).toEqual({
      server: { ...server, proof: { kid, keys: expect.any(BigInt), users: expect.any(BigInt), expiresAt: null } },
      hash,
      lastUsedAt: null,
      expiresAt: null,
      networks: [],
    });
});

test('many keys made at once for a new name make one server', async () => {
  const keys = Array.from({ length: 8 }, newKey);
  await Promise.all(keys.map((key) => store.servers.addKey({ id: newId('server'), name: 'new' }, key, entryOf())));
  const callers = await Promise.all(keys.map(({ kid }) => store.servers.byKey(kid)));
  expect(new Set(callers.map((item) => item?.server.id)).size).toBe(1);
});

test('a revoked key and an unknown one are the same to everyone', async () => {
  const key = newKey();
  await store.servers.addKey({ id: newId('server'), name: 'old' }, key, entryOf());
  await store.query('UPDATE api_key SET revoked_at = now() WHERE kid = $1', [key.kid]);
  expect(await store.servers.byKey(key.kid)).toBeNull();
  expect(await store.servers.byKey('0000000000000000')).toBeNull();
});

test('without its audit entry no key is made', async () => {
  const entry = entryOf();
  await store.servers.addKey({ id: newId('server'), name: 'one' }, newKey(), entry);
  const key = newKey();
  await expect(store.servers.addKey({ id: newId('server'), name: 'two' }, key, entry)).rejects.toThrow();
  expect(await store.servers.byKey(key.kid)).toBeNull();
  expect(await store.query(`SELECT count(*)::int FROM server WHERE name = 'two'`)).toEqual([0]);
});

test.each([
  ['was revoked', 'revoked_at = now()'],
  ['was replaced', `replaced_by = 'another'`],
  ['has expired', `expires_at = now() - interval '1 hour'`],
  ['is of another server', `server_id = (SELECT id FROM server WHERE name = 'foreign')`],
])('no key follows one that %s meanwhile, and that one stays as it was', async (_name, change) => {
  const [old, next] = [newKey(), newKey()];
  await store.servers.addKey({ id: newId('server'), name: 'foreign' }, newKey(), entryOf());
  await store.servers.addKey({ id: newId('server'), name: 'followed' }, old, entryOf());
  await store.query(`UPDATE api_key SET ${change} WHERE kid = $1`, [old.kid]);
  const stored = () => store.query('SELECT to_jsonb(k) FROM api_key k WHERE kid = $1', [old.kid]);
  const before = await stored();
  const replaced = { kid: old.kid, endsAt: Date.now() + 60_000, entry: entryOf() };
  const adding = store.servers.addKey({ id: newId('server'), name: 'followed' }, next, entryOf(), undefined, replaced);
  await expect(adding).rejects.toMatchObject({ code: 'not-now', refusal: { code: 'change-outdated' } });
  expect(await stored()).toEqual(before);
  expect(await store.servers.hasKey(next.kid)).toBe(false);
});
