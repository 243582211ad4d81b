import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { MadeStop, Stop, StopList } from '#requests/stops/contract/stops';
import type { OpenedElicitation } from '#requests/asking/contract/open';
import type { ProblemDocument } from '#platform/http/contract/problem';
import { takeDueTimers } from '#requests/state/verbs/end';
import { stopCalls } from '#requests/stops/verbs';
import { askingAt, question, type Asking } from '../../support/nodes/asking.ts';
import { openBrowser, type Browser } from '../../support/nodes/console.ts';
import { until } from '../../support/poll.ts';
import { runs } from '../../support/runs.ts';
import { asWritten, startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { json } from '../../support/json.ts';

const two = await startTwoNodes();
afterAll(() => two.stop());
const [ada, bob] = [await openBrowser(two.nodes[0], 'admin'), await openBrowser(two.nodes[1], 'admin')];
const voter = await openBrowser(two.nodes[0]);
const ledger = askingAt(two.nodes[0].url, await two.nodes[0].newServerKey('ledger'));
afterEach(async () => {
  for (const { id, lifted, by } of await stops())
    if (!lifted) await (by?.id === bob.user.id ? ada : bob).call('POST', `/api/stops/${id}/lift`);
});

const at = (index: number) => two.asking.at(two.nodes[index % 2 ? 1 : 0].url);
const stop = (body: object, by = ada) =>
  json<MadeStop>(by.call('POST', '/api/stops', { reason: 'We look into it.', ...body }));
const stops = async () => (await json<StopList>(voter.call('GET', '/api/stops'))).stops;
const codeOf = async (answer: Promise<Response>) => (await json<ProblemDocument>(answer)).code;
const tryOpen = (asking: Asking, parts: object = {}) =>
  asking.call('POST', '/v1/elicitations', { ...question, call: randomUUID(), ...parts });
const approve = ({ id, digest }: OpenedElicitation) => voter.vote({ id, digest });
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

test('AI-14 once everything is stopped, of 200 held and 50 approved calls none runs, whichever node they come to', async () => {
  const heldRequests = await many(runs(200), (index) => at(index).open());
  const approved = await many(Math.max(20, runs(50)), (index) => at(index).open());
  const votes = await Promise.all(approved.map(approve));
  expect(new Set(votes.map(({ status }) => status))).toEqual(new Set([200]));
  const [request] = heldRequests;
  let isAnswered = false;
  const early = approved.slice(0, 20).map(async ({ toolCall }, index) => {
    for (let turns = index * 4; turns > 0; turns -= 1) await new Promise(setImmediate);
    const isLate = isAnswered;
    const answer = await json<{ state?: string }>(at(index).claim(toolCall, `early ${index}`));
    return { isLate, isClaimed: answer.state === 'claimed' };
  });
  const opening = many(30, async (index) => (await tryOpen(at(index), { arguments: { amount: index } })).status);
  const result = await stop({});
  isAnswered = true;
  const claimed = 'SELECT count(*)::int FROM tool_call WHERE claimed_at IS NOT NULL';
  const open = `SELECT count(*)::int FROM elicitation WHERE status = 'open'`;
  const [before] = await two.query(claimed);
  expect(await two.query(open)).toEqual([0]);
  expect(result.ended).toBeGreaterThanOrEqual(heldRequests.length);
  expect((await Promise.all(early)).filter(({ isLate, isClaimed }) => isLate && isClaimed)).toEqual([]);
  const after = await many(100, (index) =>
    codeOf(at(index).claim(approved[index % approved.length]!.toolCall, `late ${index}`)).then(
      (code) => code ?? 'running',
    ),
  );
  expect(new Set(after)).toEqual(new Set(after.includes('running') ? ['stopped', 'running'] : ['stopped']));
  expect(await two.query(claimed)).toEqual([before]);
  expect((await opening).filter((status) => status !== 201 && status !== 403)).toEqual([]);
  expect(await two.query(open)).toEqual([0]);
  expect(await codeOf(tryOpen(at(1)))).toBe('stopped');
  expect(await (await two.asking.call('GET', `/v1/elicitations/${request?.id}`)).json()).toMatchObject({
    status: 'cancelled',
    cause: 'admin',
    comment: 'Stopped: We look into it.',
  });
});

describe('what is stopped', () => {
  test('is one tool of every server, one server, or one tool of one server, and nothing else', async () => {
    const outcomes = async () => [
      (await tryOpen(at(0), { tool: { name: 'wire' } })).status,
      (await tryOpen(at(1), { tool: { name: 'read' } })).status,
      (await tryOpen(ledger, { tool: { name: 'wire' } })).status,
      (await tryOpen(ledger, { tool: { name: 'read' } })).status,
    ];
    const scopes: [object, number[]][] = [
      [{ tool: 'wire' }, [403, 201, 403, 201]],
      [{ server: 'ledger' }, [201, 201, 403, 403]],
      [{ server: 'ledger', tool: 'wire' }, [201, 201, 403, 201]],
    ];
    for (const [scope, expected] of scopes) {
      const { id } = await stop(scope);
      expect([scope, await outcomes()]).toEqual([scope, expected]);
      expect((await bob.call('POST', `/api/stops/${id}/lift`)).status).toBe(200);
      expect(await outcomes()).toEqual([201, 201, 201, 201]);
    }
  });

  test('is shown to callers and to everyone in the console; the log names who stopped it and who lifted the stop', async () => {
    const { id } = await stop({ tool: 'wire' });
    const refused = await tryOpen(at(1), { tool: { name: 'wire' } });
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'stopped', detail: 'Wait until an administrator lifts the stop. Its reason: We look into it.' },
    ]);
    expect((await stops())[0]).toMatchObject({ id, tool: 'wire', server: null, by: { id: ada.user.id }, lifted: null });
    await bob.call('POST', `/api/stops/${id}/lift`);
    expect((await stops()).find((stop: Stop) => stop.id === id)?.lifted).toMatchObject({ by: { id: bob.user.id } });
    const entries = await two.query(
      `SELECT entry->'actor'->>'id' || ' ' || type FROM audit_log WHERE entry->>'stop' = $1 AND type LIKE 'stop.%' ${asWritten}`,
      [id],
    );
    expect(entries).toEqual([`${ada.user.id} stop.made`, `${bob.user.id} stop.lifted`]);
  });

  test('is lifted once, by someone other than the person who stopped it, and approved calls are released then', async () => {
    const request = await two.asking.open();
    await approve(request);
    const { id } = await stop({});
    expect(await codeOf(two.asking.claim(request.toolCall, 'a'))).toBe('stopped');
    const lift = ({ call }: Browser) => call('POST', `/api/stops/${id}/lift`);
    expect(await codeOf(lift(ada))).toBe('forbidden');
    expect(await codeOf(lift(voter))).toBe('forbidden');
    expect((await lift(bob)).status).toBe(200);
    expect(await codeOf(lift(bob))).toBe('not-now');
    expect((await two.asking.claim(request.toolCall, 'a')).status).toBe(200);
  });

  test('holds if someone lifts or moves it in the database: then everything is stopped', async () => {
    const request = await two.asking.open();
    await approve(request);
    const { id } = await stop({ tool: question.tool.name });
    const [stored] = await two.query(`SELECT at::text FROM stop WHERE id = '${id}'`);
    for (const [forged, restored] of [
      ['lifted_at = now()', 'lifted_at = NULL'],
      [`tool = 'another'`, `tool = '${question.tool.name}'`],
      [`at = at - interval '1 day'`, `at = '${String(stored)}'`],
    ]) {
      await two.query(`UPDATE stop SET ${forged} WHERE id = '${id}' RETURNING id`);
      expect([forged, await codeOf(at(1).claim(request.toolCall, 'a'))]).toEqual([forged, 'stopped']);
      expect(await codeOf(bob.call('POST', `/api/stops/${id}/lift`))).toBe('unproven');
      await two.query(`UPDATE stop SET ${restored} WHERE id = '${id}' RETURNING id`);
    }
    expect((await bob.call('POST', `/api/stops/${id}/lift`)).status).toBe(200);
    expect((await at(1).claim(request.toolCall, 'a')).status).toBe(200);
  });

  test('can only be changed by administrators, and must name existing servers and tools', async () => {
    const by = ({ call }: Browser, body: object) => call('POST', '/api/stops', { reason: 'No.', ...body });
    expect(await codeOf(by(voter, {}))).toBe('forbidden');
    const wrong = await json<ProblemDocument>(by(ada, { server: 'ledgr' }));
    expect(wrong.errors).toEqual([{ path: ['server'], message: 'There is no server ledgr. Did you mean ledger?' }]);
    expect((await by(ada, { reason: ' ' })).status).toBe(400);
    expect((await stops()).filter(({ lifted }) => !lifted)).toEqual([]);
  });
});

test('the owner of a server stops it or one of its tools, and nothing else; an administrator lifts that', async () => {
  const [node] = two.nodes;
  const owner = await openBrowser(node);
  await node.newServerKey('other');
  const { servers } = await node.engine.directory.read();
  const own = servers.find(({ name }) => name === 'ledger')!.id;
  const by = (body: object) => owner.call('POST', '/api/stops', { reason: 'It misbehaves.', ...body });
  expect(await codeOf(by({ server: 'ledger' }))).toBe('forbidden');
  expect((await ada.call('PATCH', `/api/servers/${own}`, { ownerId: owner.user.id })).status).toBe(200);
  for (const scope of [{}, { tool: 'transfer_funds' }, { server: 'other' }, { server: 'ledgr' }])
    expect([scope, await codeOf(by(scope))]).toEqual([scope, 'forbidden']);
  expect((await stops()).filter(({ lifted }) => !lifted)).toEqual([]);
  const tool = await json<MadeStop>(by({ server: 'ledger', tool: 'transfer_funds' }));
  expect(tool).toMatchObject({ server: 'ledger', tool: 'transfer_funds', by: { id: owner.user.id } });
  expect(await codeOf(tryOpen(ledger))).toBe('stopped');
  expect((await tryOpen(ledger, { tool: { name: 'another' } })).status).toBe(201);
  const all = await json<MadeStop>(by({ server: 'ledger' }));
  expect(await codeOf(tryOpen(ledger, { tool: { name: 'another' } }))).toBe('stopped');
  expect(await codeOf(owner.call('POST', `/api/stops/${all.id}/lift`))).toBe('forbidden');
  expect((await ada.call('PATCH', `/api/servers/${own}`, { ownerId: voter.user.id })).status).toBe(200);
  expect(await codeOf(by({ server: 'ledger' }))).toBe('forbidden');
  for (const { id } of [tool, all]) expect((await bob.call('POST', `/api/stops/${id}/lift`)).status).toBe(200);
});

test('a stop waits for the openings under way, and ends what they opened', async () => {
  const client = new pg.Client({ connectionString: two.nodes[0].databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('UPDATE tool_call SET state = state WHERE false'); // as an opening does, before it commits
  let isMade = false;
  const stopping = stop({ tool: 'slow' }).then(() => (isMade = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(isMade).toBe(false);
  await client.query('COMMIT');
  await stopping;
  await client.end();
});

test('any node ends what a dead node had not ended', async () => {
  const request = await two.asking.open({ tool: { name: 'orphan' } });
  const { engine } = two.nodes[0];
  const dying = { ...engine, reader: { ...engine.reader, elicitationNow: () => Promise.reject(new Error('killed')) } };
  expect((await stopCalls(dying, 'operator', { tool: 'orphan', reason: 'It died.' })).ended).toBe(0);
  expect(await codeOf(approve(request))).toBe('stopped');
  const status = async () => {
    const answer = await two.asking.call('GET', `/v1/elicitations/${request.id}`);
    return (await json<OpenedElicitation>(answer)).status;
  };
  // A turn passes over a request that a loop of either node has taken.
  await until(async () => {
    await takeDueTimers(two.nodes[1].engine);
    return (await status()) !== 'open';
  });
  expect(await status()).toBe('cancelled');
});
