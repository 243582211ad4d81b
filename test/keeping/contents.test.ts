import { afterAll, expect, test } from '@jest/globals';
import { connectClient } from '#platform/database/connection';
import { watchStatements } from '../bench/statement-watch.ts';
import { readBy, scansIn, type Plan } from '../support/databases/plans.ts';
import { changeOf, openingOf, openTestStore } from '../support/databases/rows.ts';

const start = 1_700_000_000_000;
const requester = Buffer.from([9, 7]);

/**
 * Three thousand closed requests: three of a rare policy, whose first was erased, and two of one requester, next to an open
 * one. Half of them are under a policy of a space; a wide one decided three of these as well, of which a row from before does
 * not say so, and one row says it that does not come from its entry.
 */
const store = await openTestStore();
afterAll(() => store.close());
const [closed, open] = [openingOf({ serverId: store.serverId }), openingOf({ serverId: store.serverId })];
await store.transactor.open(closed);
await store.transactor.change(changeOf(closed.elicitation, { type: 'cancel', cause: 'admin', at: start }));
await store.transactor.open(open);
await store.query(
  `INSERT INTO elicitation SELECT (jsonb_populate_record(e, jsonb_build_object('id', 'eli_' || lpad(n::text, 4, '0'), 'step', n,
       'policy', CASE WHEN n IN (7, 8, 9) THEN 'rare@' || n WHEN n > 1500 THEN 'of-space@1' ELSE e.policy END,
       'also_by', CASE WHEN n = 2005 THEN NULL WHEN n IN (2001, 2002, 2003) THEN '["wide"]'::jsonb WHEN n > 1500 THEN '["other"]' ELSE '[]' END,
       'data_key', CASE WHEN n <> 7 THEN e.data_key::text END,
       'requester_hash', CASE WHEN n IN (8, 500) THEN '\\x0907' ELSE e.requester_hash::text END,
       'closed_at', e.closed_at + n * interval '1 second'))).*
       FROM elicitation e, generate_series(1, 3000) AS n WHERE e.id = $1`,
  [closed.elicitation.id],
);
await store.query('UPDATE elicitation SET requester_hash = $1 WHERE id = $2', [requester, open.elicitation.id]);
const owner = await connectClient({ connectionString: store.url });
await owner.query(`INSERT INTO space (id, name, created_at) VALUES ('spc_1', 'Payments', now())`);
await owner.query(`INSERT INTO policy (id, name, created_at, space_id) VALUES ('pol_1', 'of-space', now(), 'spc_1')`);
await owner.query(
  `INSERT INTO audit_entry (id, at, type, elicitation_id, body, leaf_hash, mac)
      SELECT 'aud_' || n, at, type, 'eli_' || n, convert_to((audit.entry(body)
          || jsonb_build_object('alsoBy', jsonb_build_array(CASE WHEN n = 2003 THEN 'other@1' ELSE 'wide@2' END)))::text, 'UTF8'),
        leaf_hash, mac FROM audit_entry, generate_series(2001, 2005) AS n WHERE elicitation_id = $1 AND type = 'elicitation.opened'`,
  [closed.elicitation.id],
);
await owner.query('ANALYZE elicitation');
await owner.end();

/** What the work finds, and how many rows its statement reads. */
async function watched<T>(work: () => Promise<T>): Promise<{ result: T; rows: number; scans: (string | undefined)[] }> {
  const statements = watchStatements();
  const result = await work();
  const [read] = statements().filter(({ text }) => text.includes('data_key IS NOT NULL'));
  const [[plan]] = (await store.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${read?.text}`, read?.values)) as [
    [{ Plan: Plan }],
  ];
  return { result, rows: readBy(plan.Plan), scans: scansIn(plan.Plan).map((scan) => scan['Node Type']) };
}

test('retention finds what a policy keeps no longer, without reading the requests of other policies', async () => {
  const { result, rows, scans } = await watched(() => store.contents.endedUnder('rare', start + 1e9, null, 500));
  expect(result.map(({ id }) => id)).toEqual(['eli_0008', 'eli_0009']);
  expect(rows).toBeLessThan(10);
  expect(scans).not.toContain('Seq Scan');
  const [first = null] = result;
  const next = await store.contents.endedUnder('rare', start + 1e9, first, 500);
  expect(next.map(({ id }) => id)).toEqual(['eli_0009']);
  expect(await store.contents.endedUnder('rar', start + 1e9, null, 500)).toEqual([]);
});

test('retention finds what a policy decided next to one of a space, without reading what others did', async () => {
  const { result, rows, scans } = await watched(() => store.contents.endedUnder('wide', start + 1e9, null, 500));
  expect(result.map(({ id }) => id)).toEqual(['eli_2001', 'eli_2002', 'eli_2005']);
  expect(rows).toBeLessThan(10);
  expect(scans).not.toContain('Seq Scan');
});

test('erasing what one requester asked reads no requests of others', async () => {
  const { result, rows, scans } = await watched(() => store.contents.ofRequester([requester]));
  expect(result).toHaveLength(3);
  expect(result).toEqual(expect.arrayContaining(['eli_0008', 'eli_0500']));
  expect(rows).toBeLessThan(20);
  expect(scans).not.toContain('Seq Scan');
});
