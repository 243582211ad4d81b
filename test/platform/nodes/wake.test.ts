import { afterAll, describe, expect, test } from '@jest/globals';
import type { ElicitationState } from '#requests/asking/contract/open';
import { cancelElicitation } from '#requests/state/verbs/end';
import { followChanges } from '#platform/nodes/verbs/engine';
import { openDatabase } from '#platform/database/database';
import { createStore } from '#platform/database/store';
import { openBrowser } from '../../support/nodes/console.ts';
import { testEvidence } from '../../support/audit/evidence.ts';
import { readEvents, type EventReader } from '../../support/nodes/event-source.ts';
import { until } from '../../support/poll.ts';
import { runs } from '../../support/runs.ts';
import { startTwoNodes } from '../../support/nodes/two-nodes.ts';
import { wholeServer } from '#people/directory/verbs/scope';

const two = await startTwoNodes();
afterAll(() => two.stop());

const stream = (node: number, from?: string, onEvent?: Parameters<typeof readEvents>[2]): Promise<EventReader> =>
  readEvents(
    `${two.nodes[node % 2 ? 1 : 0].url}/v1/stream`,
    { authorization: `Bearer ${two.asking.key}`, ...(from !== undefined && { 'last-event-id': from }) },
    onEvent,
  );
const heard = ({ events }: EventReader): string[] =>
  events.filter(({ event }) => event === 'elicitation').map(({ data }) => (JSON.parse(data) as ElicitationState).id);
const isReady = ({ events }: EventReader): boolean => events[0]?.event === 'ready';

test('a vote at one node wakes a long poll, an outcome stream and an inbox at the other', async () => {
  const { id, digest } = await two.asking.open();
  const browser = await openBrowser(two.nodes[0]);
  const outcomes = await stream(1);
  const inbox = await readEvents(`${two.nodes[1].url}/api/stream`, { cookie: browser.cookie });
  await until(() => isReady(outcomes) && isReady(inbox));
  const polling = two.asking.at(two.nodes[1].url).call('GET', `/v1/elicitations/${id}?wait=25`);
  const vote = await browser.vote({ id, digest });
  const decidedAt = performance.now();
  expect(vote.status).toBe(200);
  expect(await (await polling).json()).toMatchObject({ id, status: 'accepted' });
  expect(performance.now() - decidedAt).toBeLessThan(20_000); // by itself it ends after 25 s
  await until(() => heard(outcomes).includes(id) && inbox.events.some(({ data }) => data.includes(id)));
  outcomes.cut();
  inbox.cut();
});

test('a stream gets events of its own server only', async () => {
  const other = two.asking.at(two.nodes[0].url);
  const key = await two.nodes[0].newServerKey('foreign');
  const foreign = await readEvents(`${two.nodes[1].url}/v1/stream`, { authorization: `Bearer ${key}` });
  const own = await stream(1);
  await until(() => isReady(foreign) && isReady(own));
  const { id } = await other.open();
  await other.call('POST', `/v1/elicitations/${id}/cancel`, {});
  await until(() => heard(own).includes(id));
  expect(heard(foreign)).toEqual([]);
  foreign.cut();
  own.cut();
});

test('a wake-up that never came is caught by the next look', async () => {
  const { id } = await two.asking.open();
  const database = openDatabase(two.nodes[0].databaseUrl);
  const silent = { ...two.nodes[0].engine, ...createStore(database, { evidence: testEvidence, onCommit() {} }) };
  const outcomes = await stream(1);
  await until(() => isReady(outcomes));
  const polling = two.asking.at(two.nodes[1].url).call('GET', `/v1/elicitations/${id}?wait=25`);
  const [serverId] = (await two.query('SELECT server_id FROM elicitation WHERE id = $1', [id])) as `srv_${string}`[];
  await cancelElicitation(silent, wholeServer(serverId ?? 'srv_'), id as `eli_${string}`, 'user');
  expect(await (await polling).json()).toMatchObject({ status: 'cancelled' });
  await until(() => heard(outcomes).includes(id));
  outcomes.cut();
  await database.close();
});

test("nodes that cannot listen look for each other's changes, and callers of the other one hear of them", async () => {
  const deaf = await startTwoNodes({ listenUrl: 'off' });
  try {
    const listening = `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'assentry listen'`;
    expect(await deaf.query(listening)).toEqual([0]);
    const { id } = await deaf.asking.open();
    const outcomes = await readEvents(`${deaf.nodes[1].url}/v1/stream`, { authorization: `Bearer ${deaf.asking.key}` });
    await until(() => isReady(outcomes));
    const polling = deaf.asking.at(deaf.nodes[1].url).call('GET', `/v1/elicitations/${id}?wait=25`);
    expect((await deaf.asking.call('POST', `/v1/elicitations/${id}/cancel`, {})).status).toBe(200);
    expect(await (await polling).json()).toMatchObject({ id, status: 'cancelled' });
    await until(() => heard(outcomes).includes(id));
    outcomes.cut();
  } finally {
    await deaf.stop();
  }
});

describe('a stream that breaks off and resumes', () => {
  test('at random points and at either node misses no outcome', async () => {
    const count = Math.max(40, runs(200));
    const opened = await Promise.all(Array.from({ length: count }, (_, at) => two.asking.at(nodeUrl(at)).open()));
    const all = opened.map(({ id }) => id);
    const result = new Set<string>();
    let [place, connections, isDone] = [undefined as string | undefined, 0, false];
    const readOn = async (): Promise<void> => {
      while (!isDone) {
        // From breaking off at the very greeting to hearing a tenth of them.
        let patience = Math.floor((Math.random() * count) / 10);
        const reader = await stream(connections++, place, (event, { cut }) => {
          place = event.id;
          if (event.event === 'elicitation') result.add((JSON.parse(event.data) as ElicitationState).id);
          isDone = result.size === all.length;
          if (isDone || patience-- <= 0) cut();
        });
        await reader.ended;
      }
    };
    const reading = readOn();
    await until(() => place !== undefined);
    for (let at = 0; at < all.length; at += 20) {
      const some = all.slice(at, at + 20);
      await Promise.all(
        some.map((id, index) => two.asking.at(nodeUrl(index)).call('POST', `/v1/elicitations/${id}/cancel`, {})),
      );
    }
    await until(() => isDone);
    await reading;
    expect([...result].sort()).toEqual([...all].sort());
    expect(connections).toBeGreaterThan(5);
  });

  test('during what it missed goes on from there', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => two.asking.open()));
    const before = await stream(0, undefined, (_event, { cut }) => cut());
    await before.ended;
    for (const { id } of opened) await two.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    const results: string[] = [];
    let place = before.events[0]?.id;
    for (let connections = 0; results.length < 10 && connections < 20; connections += 1) {
      const fresh = (data: string): boolean => !results.includes((JSON.parse(data) as ElicitationState).id);
      const reader = await stream(connections, place, ({ event, data, id }, { cut }) => {
        place = id;
        if (connections < 2) return cut(); // at the greeting, before anything was said of what was missed
        if (event !== 'elicitation' || !fresh(data)) return;
        results.push((JSON.parse(data) as ElicitationState).id);
        cut();
      });
      await reader.ended;
    }
    expect(results).toEqual(opened.map(({ id }) => id));
  });

  test('hears what it missed before what happens meanwhile, so that it can break off in between', async () => {
    const { engine } = two.nodes[0];
    const [earlier, later] = [await two.asking.open(), await two.asking.open()];
    const from = await engine.outbox.head();
    await two.asking.call('POST', `/v1/elicitations/${earlier.id}/cancel`, {});
    const [gone, order] = [new AbortController(), [] as string[]];
    const readFrom = async (place: number) => {
      const missed = await engine.outbox.readFrom(place);
      const message = engine.feed.changed(later.id as `eli_${string}`, gone.signal);
      await two.asking.call('POST', `/v1/elicitations/${later.id}/cancel`, {});
      await message;
      return missed;
    };
    const slow = { ...engine, outbox: { ...engine.outbox, readFrom } };
    const follow = { from: String(from), signal: gone.signal, topics: ['closed'] as const, onReady: () => {} };
    const following = followChanges(slow, follow, (changes) => void order.push(...changes.map(({ row }) => row.id)));
    await until(() => order.includes(later.id));
    gone.abort();
    await following;
    expect(order.filter((id, at) => order.indexOf(id) === at)).toEqual([earlier.id, later.id]);
  });

  test('after its changes were deleted is told of the gap, and hears what comes', async () => {
    const before = await stream(0, undefined, (_event, { cut }) => cut());
    await before.ended;
    const [earlier, later] = [await two.asking.open(), await two.asking.open()];
    await two.asking.call('POST', `/v1/elicitations/${earlier.id}/cancel`, {});
    await two.query('DELETE FROM outbox WHERE place <= (SELECT place FROM outbox_head)');
    const reader = await stream(0, before.events[0]?.id);
    await until(() => isReady(reader));
    expect(JSON.parse(reader.events[0]?.data ?? '')).toEqual({ hasGap: true });
    await two.asking.call('POST', `/v1/elicitations/${later.id}/cancel`, {});
    await until(() => heard(reader).includes(later.id));
    expect(heard(reader)).not.toContain(earlier.id);
    reader.cut();
  });

  test.each([
    ['between two that are there', 'place = (SELECT place - 1 FROM outbox_head)'],
    ['after the first that is there', 'place >= (SELECT place - 1 FROM outbox_head)'],
  ])('after changes %s were deleted is told of the gap as well', async (_where, gone) => {
    const before = await stream(0, undefined, (_event, { cut }) => cut());
    await before.ended;
    const missed = [await two.asking.open(), await two.asking.open(), await two.asking.open()];
    for (const { id } of missed) await two.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    const heardOf = await stream(0, before.events[0]?.id);
    await until(() => missed.every(({ id }) => heard(heardOf).includes(id)));
    heardOf.cut();
    await two.query(`DELETE FROM outbox WHERE ${gone}`);
    const reader = await stream(0, before.events[0]?.id);
    await until(() => isReady(reader));
    expect(JSON.parse(reader.events[0]?.data ?? '')).toEqual({ hasGap: true });
    reader.cut();
  });

  test('from a place that is still to come, as after an older backup, is told of the gap, and goes on from here', async () => {
    const { id } = await two.asking.open();
    const reader = await stream(0, '1000000000');
    await until(() => isReady(reader));
    const [ready] = reader.events;
    expect([JSON.parse(ready?.data ?? ''), Number(ready?.id) < 1_000_000_000]).toEqual([{ hasGap: true }, true]);
    await two.asking.call('POST', `/v1/elicitations/${id}/cancel`, {});
    await until(() => heard(reader).includes(id));
    reader.cut();
  });

  test.each(['', 'yesterday', '-1', '9999999999999999', '99999999999999999999', '1.5', '1e3'])(
    'from a place that is none (%j) starts now',
    async (place) => {
      const [before, after] = [await two.asking.open(), await two.asking.open()];
      const witness = await stream(0);
      await until(() => isReady(witness));
      await two.asking.call('POST', `/v1/elicitations/${before.id}/cancel`, {});
      await until(() => heard(witness).includes(before.id));
      const reader = await stream(0, place);
      await until(() => isReady(reader));
      await two.asking.call('POST', `/v1/elicitations/${after.id}/cancel`, {});
      await until(() => heard(reader).includes(after.id));
      expect(heard(reader)).not.toContain(before.id);
      witness.cut();
      reader.cut();
    },
  );
});

const nodeUrl = (at: number): string => two.nodes[at % 2 ? 1 : 0].url;
