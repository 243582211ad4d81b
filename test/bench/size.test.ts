import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createEvidence } from '#audit/entries/rules/evidence';
import { createKeyRing } from '#platform/crypto/key-ring';
import { openDatabase } from '#platform/database/database';
import { createStore } from '#platform/database/store';
import { compiled } from '../support/compiled.ts';
import { freshDatabase } from '../support/databases/database.ts';
import { sequenceAll, verify } from '../support/nodes/log.ts';
import { quickScale } from './lifecycle/scale.ts';
import { nodeOptions } from './prepared.ts';
import { fillDirectory } from './size/fill-directory.ts';

test('a directory that was filled follows from its log, row for row', async () => {
  const fresh = await freshDatabase();
  await fillDirectory(fresh.url, quickScale.installation);
  const ring = createKeyRing(nodeOptions.secrets ?? []);
  const database = openDatabase(fresh.url);
  const store = createStore(database, { evidence: createEvidence(ring, () => {}), onCommit() {} });
  await sequenceAll(store, ring);
  const { people, groups, servers } = quickScale.installation;
  expect(await verify(store, {}, ring)).toMatchObject({ fault: null, rows: people + groups + 2 * servers });
  await database.close();
  await fresh.drop();
});

test('the bench of a large installation prints what it and an empty one cost', async () => {
  const parameters = [compiled('test/bench/bench.ts'), '--size', '--quick', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  const both = { empty: expect.any(Number), full: expect.any(Number) };
  expect(JSON.parse(stdout)).toMatchObject({
    of: quickScale.installation,
    cpu: ['opening', 'vote', 'sign-in'].map((what) => ({ what, ...both })),
    verbs: expect.arrayContaining([{ what: 'group add', ...both }]),
    lists: expect.arrayContaining([
      { path: '/api/users', ...both, cpu: expect.any(Number), bytes: expect.any(Number) },
    ]),
    flood: { requests: quickScale.flood, entries: expect.any(Number) },
    goals: [1.5, 100, 150, 60, 2000, 6, 300, 400].map((bound) => ({ bound })),
  });
}, 600_000);
