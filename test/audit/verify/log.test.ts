import { afterAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import pg from 'pg';
import { canonicalJson } from '#platform/crypto/digest';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { askingAt } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { verify } from '../../support/nodes/log.ts';
import { spawnNode } from '../../support/nodes/node-process.ts';
import { until } from '../../support/poll.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { isNight } from '../../support/runs.ts';

const server = await startTestServer();
const asking = askingAt(server.url, await server.newServerKey());
const browser = await openBrowser(server);
const client = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await client.end();
  await server.stop();
});
await client.connect();

interface Entry {
  id: string;
  at: Date;
  type: string;
  elicitation_id: string | null;
  body: Buffer;
  leaf_hash: Buffer;
}

async function entriesOf(id?: string): Promise<Entry[]> {
  const { rows } = await client.query<Entry>(
    'SELECT * FROM audit_entry WHERE $1::text IS NULL OR elicitation_id = $1 ORDER BY seq',
    [id ?? null],
  );
  return rows;
}

const decide = (verb: string, { id, digest }: OpenedElicitation, body: object) =>
  browser.call('POST', `/api/elicitations/${id}/${verb}`, { ...body, digest });
const accept = { action: 'accept', content: {} };

describe('each change leaves one entry', () => {
  test('from asking to handing over the result, in order', async () => {
    const opened = await asking.open();
    const { id, toolCall } = opened;
    const steps: [string, () => Promise<Response>][] = [
      ['elicitation.caller', () => asking.call('POST', `/v1/elicitations/${id}/caller`, { state: 'gone' })],
      ['elicitation.extended', () => decide('extend', opened, { by: 60_000 })],
      ['elicitation.caller', () => asking.call('POST', `/v1/elicitations/${id}/caller`, { state: 'waiting' })],
      ['elicitation.voted', () => decide('vote', opened, accept)],
      ['call.claimed', () => asking.claim(toolCall, 'a')],
      [
        'call.completed',
        () => asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: false }),
      ],
      [
        'call.settled',
        () => asking.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: true }),
      ],
    ];
    const types = ['elicitation.opened'];
    for (const [type, take] of steps) {
      const response = await take();
      expect([type, response.ok]).toEqual([type, true]);
      expect((await entriesOf(id)).map((entry) => entry.type)).toEqual([...types, type]);
      types.push(type);
    }
  });

  test('and what changed nothing leaves none', async () => {
    const opened = await asking.open({ call: 'again' });
    await decide('vote', opened, accept);
    const before = (await entriesOf()).length;
    await asking.open({ call: 'again' });
    await decide('vote', opened, accept);
    await decide('extend', opened, { by: 60_000 });
    await asking.call('POST', `/v1/elicitations/${opened.id}/cancel`, {});
    await asking.call('POST', `/v1/elicitations/${opened.id}/caller`, { state: 'gone' });
    await asking.call('GET', `/v1/elicitations/${opened.id}`);
    expect((await entriesOf()).length).toBe(before);
  });

  test('that says who, what, and from where to where, bound to what was seen', async () => {
    const opened = await asking.open();
    await decide('vote', opened, accept);
    const [first, second] = (await entriesOf(opened.id)).map(({ body }) => JSON.parse(body.toString()) as object);
    const fields = { elicitation: opened.id, digest: opened.digest, revision: 1, policy: 'built-in@1' };
    expect(first).toMatchObject({ v: 1, ...fields, actor: { kind: 'server' }, from: null, to: 'open' });
    const actor = { kind: 'user', id: browser.user.id };
    expect(second).toMatchObject({
      v: 1,
      ...fields,
      actor,
      action: 'accept',
      seen: opened.digest,
      from: 'open',
      to: 'accepted',
    });
  });
});

test('of a sign-in, a person and a key there are entries too', async () => {
  const types = (await entriesOf()).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['key.created', 'user.signed-in']));
});

test('every entry is canonical JSON of itself, and its leaf is SHA-256 over a zero byte and it', async () => {
  const entries = await entriesOf();
  expect(entries.length).toBeGreaterThan(10);
  for (const { id, at, type, body, leaf_hash: leaf } of entries) {
    const text = body.toString('utf8');
    const record = JSON.parse(text) as Record<string, unknown>;
    expect(text).toBe(canonicalJson(record));
    expect(record).toMatchObject({ v: 1, id, type, at: at.toISOString() });
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.of(0), body]))
      .digest('hex');
    expect(leaf.toString('hex')).toBe(expected);
  }
});

/** What each entry says must be what its row is, and each row must have got there by its entries. */
const contradictions = `
  WITH said AS (
    SELECT elicitation_id AS id, count(*) FILTER (WHERE entry ->> 'from' IS NULL) AS opened,
      count(*) FILTER (WHERE entry ->> 'from' = 'open') AS changed,
      count(*) FILTER (WHERE entry ->> 'to' <> 'open') AS closed, max(entry ->> 'to') FILTER (WHERE entry ->> 'to' <> 'open') AS status,
      count(*) FILTER (WHERE type = 'elicitation.voted') AS votes
      FROM audit_log WHERE type LIKE 'elicitation.%' GROUP BY 1)
  SELECT coalesce(e.id, s.id) AS id FROM elicitation e FULL JOIN said s ON s.id = e.id
   WHERE e.id IS NULL OR s.id IS NULL OR s.opened <> 1 OR s.changed <> e.version
      OR s.closed <> (e.status <> 'open')::int OR coalesce(s.status, 'open') <> e.status
      OR s.votes <> (SELECT count(*) FROM vote v WHERE v.elicitation_id = e.id)
      OR (SELECT count(*) FROM outbox o WHERE o.elicitation_id = e.id) <> e.version + 1
  UNION ALL
  SELECT c.id FROM tool_call c WHERE (c.state = 'open') <> NOT EXISTS (
    SELECT FROM audit_log a WHERE a.type = 'call.claimed' AND a.entry ->> 'toolCall' = c.id)
     OR NOT EXISTS (SELECT FROM elicitation e WHERE e.tool_call_id = c.id)`;

test('a node that is killed in the middle of its work leaves no row without its entry, and no entry without its row', async () => {
  const user = await openBrowser(server);
  let lives = 0;
  while (lives < (isNight ? 200 : 40)) {
    const node = await spawnNode(server.databaseUrl);
    const [there, here] = [asking.at(node.url), user.at(node.url)];
    // Killed at some point of some life, with several others on their way.
    const lastOne = lives + 45 + Math.floor(Math.random() * 40);
    const killAt = Math.floor(Math.random() * 5);
    const live = async (): Promise<void> => {
      let steps = 0;
      const take = async <T>(step: Promise<T>): Promise<T> => {
        if (lives >= lastOne && steps++ === killAt) void node.kill();
        return step;
      };
      const { id, digest, toolCall } = await take(there.open());
      await take(there.call('POST', `/v1/elicitations/${id}/caller`, { state: 'gone' }));
      await take(here.call('POST', `/api/elicitations/${id}/vote`, { ...accept, digest }));
      await take(there.claim(toolCall, 'a'));
      await take(there.call('POST', `/v1/tool-calls/${toolCall}/complete`, { attempt: 'a', delivered: false }));
      lives += 1;
    };
    const going = async (): Promise<never> => {
      for (;;) await live();
    };
    await Promise.allSettled(Array.from({ length: 6 }, going));
  }
  const { rows } = await client.query(contradictions);
  expect(rows).toEqual([]);
  // Each of them kept the log as well, until it was killed.
  await until(async () => !(await server.engine.merkleLog.isWaiting()));
  expect(await verify(server.engine)).toMatchObject({ size: (await entriesOf()).length, fault: null, unverified: 0 });
});

test('the question put to the log finds an entry without its row, and a row without its entry', async () => {
  const opened = await asking.open();
  await client.query('BEGIN');
  await client.query('SET LOCAL session_replication_role = replica');
  const leafOf = async (sql: string): Promise<unknown> => {
    await client.query('SAVEPOINT before');
    await client.query(sql, [opened.id]);
    const { rows } = await client.query(contradictions);
    await client.query('ROLLBACK TO before');
    return rows;
  };
  const missing = [{ id: opened.id }];
  expect(await leafOf('DELETE FROM audit_entry WHERE elicitation_id = $1')).toEqual(missing);
  expect(await leafOf('DELETE FROM outbox WHERE elicitation_id = $1')).toEqual(missing);
  expect(await leafOf(`UPDATE elicitation SET version = 1 WHERE id = $1`)).toEqual(missing);
  expect(await leafOf(`UPDATE elicitation SET status = 'accepted', closed_at = now() WHERE id = $1`)).toEqual(missing);
  await client.query('ROLLBACK');
});
