import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { applyPolicies } from '#policies/verbs/apply';
import { until } from '../../support/poll.ts';
import { runs } from '../../support/runs.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());

const documentOf = (name: string, reason: string): string =>
  `policy: ${name}\nmatch: { tool: none-${name} }\ndeny: { reason: ${reason} }\n`;
const apply = (names: string[], reason: string, at: 0 | 1 = 0) =>
  applyPolicies(
    two.nodes[at].engine,
    names.map((name) => documentOf(name, reason)),
  );
const published = async (names: string[]) =>
  (await two.nodes[0].engine.policies.inForce()).filter(({ name }) => names.includes(name));

test('P28 an apply that dies in the middle leaves nothing', async () => {
  const names = ['dying-1', 'dying-2', 'dying-3'];
  const [before] = await two.query('SELECT count(*)::int FROM audit_entry');
  const other = new pg.Client({ connectionString: two.nodes[0].databaseUrl });
  await other.connect();
  try {
    // The first policy is written, and its audit entry has to wait.
    await other.query('BEGIN; LOCK TABLE audit_entry IN SHARE MODE');
    const dying = apply(names, 'first').catch((error: unknown) => error);
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%audit_entry%'
      AND datname = current_database()`;
    const pid = await until(async () => (await two.query(waiting))[0]);
    await two.query('SELECT pg_terminate_backend($1)', [pid]);
    expect(await dying).toBeInstanceOf(Error);
    await other.query('ROLLBACK');
  } finally {
    await other.end();
  }
  expect(await published(names)).toEqual([]);
  const remainingRows =
    'SELECT (SELECT count(*)::int FROM policy), (SELECT count(*)::int FROM policy_version), count(*)::int FROM audit_entry';
  expect(await two.query(remainingRows)).toEqual([0, 0, before]);
  expect(await apply(names, 'second')).toEqual(names.map((name) => ({ name, version: 1, change: 'published' })));
});

test('P28 applies that race at two nodes never mix', async () => {
  const names = ['x', 'y', 'z'];
  const count = Math.max(4, runs(16));
  const rounds = Array.from({ length: count }, (_, round) =>
    apply(round % 3 ? names : names.toReversed(), `round ${round}`, round % 2 ? 1 : 0),
  );
  let isDone = false;
  const all = Promise.all(rounds).finally(() => (isDone = true));
  while (!isDone) {
    const values = (await published(names)).map(({ document }) => document.slice(document.indexOf('deny')));
    expect(new Set(values).size).toBeLessThanOrEqual(1);
  }
  expect((await all).every((applied) => new Set(applied.map(({ version }) => version)).size === 1)).toBe(true);
  expect((await published(names)).map(({ version }) => version)).toEqual([count, count, count]);
});

test('P28 an apply of one name twice is refused, and publishes none of it', async () => {
  const twice = applyPolicies(
    two.nodes[0].engine,
    ['once', 'twice', 'twice'].map((name) => documentOf(name, 'no')),
  );
  await expect(twice).rejects.toMatchObject({ code: 'policy-invalid', errors: [{ path: ['twice'] }] });
  expect(await published(['once', 'twice'])).toEqual([]);
});
