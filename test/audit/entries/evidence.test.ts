import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import { askingAt, question } from '../../support/nodes/asking.ts';
import { openBrowser } from '../../support/nodes/console.ts';
import { verify } from '../../support/nodes/log.ts';
import { until } from '../../support/poll.ts';
import { publish } from '../../support/requests/policies.ts';
import { startTestServer } from '../../support/nodes/server.ts';
import { json } from '../../support/json.ts';

/** What someone with rights over the database alone makes of a decision: nothing. */
const server = await startTestServer();
const asking = askingAt(server.url, await server.newServerKey());
const approver = await openBrowser(server);
const intruder = new pg.Client({ connectionString: server.databaseUrl });
afterAll(async () => {
  await intruder.end();
  await server.stop();
});
await intruder.connect();

type Role = 'assentry_app' | 'superuser';

/** As the login that the server runs under, with every trigger; or as a superuser whom none stops. */
async function as(role: Role, sql: string, values: unknown[] = []): Promise<void> {
  await intruder.query(role === 'superuser' ? 'SET session_replication_role = replica' : 'SET ROLE assentry_app');
  await intruder.query(sql, values).finally(() => intruder.query('RESET ALL').then(() => intruder.query('RESET ROLE')));
}

const claim = async ({ toolCall }: OpenedElicitation, attempt = 'a') => {
  const response = await asking.claim(toolCall, attempt);
  return { status: response.status, ...(await json<object>(response)) };
};

const vote = (request: OpenedElicitation, action: 'accept' | 'decline') =>
  approver.call('POST', `/api/elicitations/${request.id}/vote`, {
    action,
    digest: request.digest,
    ...(action === 'accept' ? { content: {} } : { comment: 'no' }),
  });

const unproven = { status: 409, code: 'unproven' };

/** Every row as it is put back after a test, so that the log is whole again. */
async function during(request: OpenedElicitation, attack: () => Promise<void>): Promise<void> {
  await intruder.query('CREATE TEMP TABLE kept AS SELECT * FROM elicitation');
  await intruder.query('CREATE TEMP TABLE kept_call AS SELECT * FROM tool_call');
  await attack();
  await as('superuser', 'DELETE FROM elicitation');
  await as('superuser', 'INSERT INTO elicitation SELECT * FROM kept');
  await as('superuser', 'DELETE FROM tool_call');
  await as('superuser', 'INSERT INTO tool_call SELECT * FROM kept_call');
  await intruder.query('DROP TABLE kept, kept_call');
  expect((await asking.call('GET', `/v1/elicitations/${request.id}`)).status).toBe(200);
}

const settled = () => until(async () => !(await server.engine.merkleLog.isWaiting()));

describe.each<Role>(['assentry_app', 'superuser'])('as %s', (role) => {
  const accept = `UPDATE elicitation SET status = 'accepted', closed_at = now() WHERE id = $1`;

  test('a row set to accepted releases nothing, is delivered to no one, and is named', async () => {
    const request = await asking.open();
    const waiting = asking.call('GET', `/v1/elicitations/${request.id}?wait=2`);
    await during(request, async () => {
      await as(role, accept, [request.id]);
      expect(await claim(request)).toMatchObject(unproven);
      expect((await waiting).status).not.toBe(500);
      expect(await (await waiting).text()).not.toContain('accept"');
      expect((await asking.call('GET', `/v1/elicitations/${request.id}`)).status).toBe(409);
      await settled();
      expect((await verify(server.engine)).fault).toBe(
        `The row ${request.id} differs from the log: it was changed without the server.`,
      );
    });
    expect((await verify(server.engine)).fault).toBeNull();
  });

  test('a decline cannot be turned around, neither whole nor in part', async () => {
    const request = await asking.open();
    const { rows } = await intruder.query('SELECT snapshot, timers, answer FROM elicitation WHERE id = $1', [
      request.id,
    ]);
    expect((await vote(request, 'decline')).status).toBe(200);
    await during(request, async () => {
      await as(role, accept, [request.id]);
      expect(await claim(request)).toMatchObject(unproven);
      const { snapshot, timers, answer } = rows[0] as Record<string, unknown>;
      const before = [request.id, JSON.stringify(snapshot), JSON.stringify(timers), answer];
      const set = `status = 'open', closed_at = NULL, version = 0, snapshot = $2, timers = $3, answer = $4`;
      await as(role, `UPDATE elicitation SET ${set} WHERE id = $1`, before);
      expect((await vote(request, 'accept')).status).toBe(409);
      expect(await claim(request)).toMatchObject(unproven);
    });
  });

  test('an execution that was released is not released again', async () => {
    const request = await asking.open();
    await vote(request, 'accept');
    expect(await claim(request)).toMatchObject({ state: 'claimed' });
    await during(request, async () => {
      const open = `UPDATE tool_call SET state = 'open', attempt = NULL, claimed_at = NULL WHERE id = $1`;
      await as(role, open, [request.toolCall]);
      expect(await claim(request, 'another')).toMatchObject(unproven);
      await settled();
      expect((await verify(server.engine)).fault).toContain(request.toolCall);
    });
  });

  test('a declined question is not hidden from its call', async () => {
    const call = `call ${role}`;
    const first = await asking.open({ call });
    const second = await asking.open({ call, step: '1', message: 'And the fee?' });
    const other = await asking.open();
    await vote(first, 'accept');
    await vote(second, 'decline');
    expect(await claim(first)).toMatchObject({ status: 409, code: 'already-closed' });
    await during(first, async () => {
      const move = `UPDATE elicitation SET tool_call_id = $2, step = 'x' WHERE id = $1`;
      await as(role, move, [second.id, other.toolCall]);
      expect(await claim(first)).toMatchObject(unproven);
    });
  });

  test('an older entry does not count as the latest, put in its place or copied', async () => {
    const request = await asking.open();
    await asking.call('POST', `/v1/elicitations/${request.id}/caller`, { state: 'gone' });
    await settled();
    const swap = `UPDATE audit_entry SET seq = seq + CASE type WHEN 'elicitation.opened' THEN 1000000 ELSE 0 END
      WHERE elicitation_id = $1`;
    await as('superuser', swap, [request.id]);
    expect((await asking.call('GET', `/v1/elicitations/${request.id}`)).status).toBe(409);
    expect((await verify(server.engine)).fault).toMatch(/was moved in the order of entries\.$/);
    await as('superuser', swap.replace('+ CASE', '- CASE'), [request.id]);
    expect((await verify(server.engine)).fault).toBeNull();
  });

  test('an entry that was not written here gets no place and no signature', async () => {
    const request = await asking.open();
    const copy = `INSERT INTO audit_entry (id, at, type, elicitation_id, body, leaf_hash, mac)
      SELECT 'aud_copied_${role}', at, type, elicitation_id, body, leaf_hash, mac FROM audit_entry WHERE elicitation_id = $1`;
    await as(role, copy, [request.id]);
    await as(
      'superuser',
      `INSERT INTO audit_queue SELECT seq, id, leaf_hash FROM audit_entry e WHERE id LIKE 'aud_copied%'
      AND NOT EXISTS (SELECT FROM audit_queue q WHERE q.entry_id = e.id)`,
    );
    await asking.open();
    await until(async () => (await intruder.query(`SELECT FROM audit_queue`)).rowCount === 1);
    expect((await verify(server.engine)).fault).toBe(
      `The waiting entry aud_copied_${role} was not written by this installation.`,
    );
    expect((await asking.call('GET', `/v1/elicitations/${request.id}`)).status).toBe(409);
    await as('superuser', `DELETE FROM audit_entry WHERE id LIKE 'aud_copied%'`);
    await as('superuser', `DELETE FROM audit_queue`);
    expect((await verify(server.engine)).fault).toBeNull();
  });
});

test('a policy whose words were changed decides nothing, and neither does one that was taken away', async () => {
  await publish(server, 'policy: guarded\nmatch: { tool: guarded }\ndeny: { reason: Never. }\n');
  const guarded = { ...question, tool: { name: 'guarded' }, call: 'guarded' };
  const ask = async () => (await asking.call('POST', '/v1/elicitations', guarded)).status;
  expect(await ask()).toBe(201);
  const loosen = `UPDATE policy_version SET document = replace(document, 'tool: guarded', 'tool: nothing')`;
  await as('superuser', loosen);
  await as('superuser', `UPDATE epoch SET value = value + 1`);
  expect(await ask()).toBe(503);
  expect((await verify(server.engine)).fault).toMatch(/^The row pol_\S+@1 differs from the log/);
  await as('superuser', `UPDATE policy_version SET document = replace(document, 'tool: nothing', 'tool: guarded')`);
  await as('assentry_app', `UPDATE policy SET published_version = NULL`);
  expect(await ask()).toBe(503);
  await as('assentry_app', `UPDATE policy SET published_version = 1`);
  expect(await ask()).toBe(200);
});
