import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import { Problem } from '#platform/model/problem';
import { heldClock, type Clock } from '#platform/nodes/verbs/clock';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createHealth, type Health } from '#platform/nodes/verbs/health';
import type { Signs } from '#platform/nodes/store';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';
import { createPresenceLoop } from '#platform/nodes/loops/dispatcher';
import { openTestStore, openingOf, type TestStore } from '../../support/databases/rows.ts';
import { until } from '../../support/poll.ts';

const log = pino({ level: 'silent' });
let store: TestStore;
/** Whether the database refuses heartbeats, and how many it has refused. */
let isAway = false;
let refused = 0;
let presence: Loop;
let signs: Signs[];
let wakes: number;
let health: Health;
beforeEach(async () => {
  store = await openTestStore();
  [signs, wakes] = [[], 0];
});
afterEach(async () => {
  await presence.stop();
  await store.close();
});

const settings = { version: '1', environment: 'production' };

/** A node that has heard of the changes up to this place. */
async function startPresence(place: number, more: Partial<Loop>[] = []): Promise<void> {
  const feed = { position: () => place, wake: () => void (wakes += 1) };
  const ring = { kids: ['k1'], active: 'k1' };
  health = createHealth(Date.now);
  const nodes: typeof store.nodes = {
    ...store.nodes,
    async heartbeat(node) {
      if (!isAway) return store.nodes.heartbeat(node);
      refused += 1;
      throw new Problem('database-unavailable');
    },
  };
  const engine = { ...store, nodes, feed, ring, health } as unknown as Engine;
  const other = createLoop(3_600_000, log, 'another loop', async () => {});
  const clock: Clock = heldClock(Date.now);
  const others = [{ ...other, onSigns: (next: Signs) => void signs.push(next) }, ...(more as Loop[])];
  presence = createPresenceLoop({ ...engine, clock }, { node: 'node-1', settings, others }, log);
  presence.start();
  await until(() => signs.length > 0);
}

test('nothing waits in an empty installation, and no loop is brought forward', async () => {
  await store.query('DELETE FROM audit_queue'); // the key of its server has an entry
  await startPresence(0);
  const nothing = {
    timerAt: null,
    notificationAt: null,
    chatAt: null,
    isUnplaced: false,
    isUnapplied: false,
    hasOtherSettings: false,
    streams: [],
  };
  expect([signs[0], wakes]).toEqual([{ at: expect.any(Number), place: 0, ...nothing }, 0]);
});

test('one statement says when the next timer is due, that an entry waits, and that there is news', async () => {
  for (const deadlineAt of [3_000_000, 2_000_000])
    await store.transactor.open(openingOf({ serverId: store.serverId, openedAt: 1_000_000, deadlineAt }));
  await startPresence(1);
  expect([signs[0], wakes]).toMatchObject([{ place: 2, timerAt: 2_000_000, isUnplaced: true }, 1]);
});

test('a node is announced again only when its row is old or wrong', async () => {
  await startPresence(0);
  const stored = () => store.query('SELECT ctid::text, kids FROM node');
  const node = { id: 'node-1', kids: ['k1'], activeKid: 'k1', settings };
  const before = await stored();
  await store.nodes.heartbeat(node);
  expect(await stored()).toEqual(before);
  await store.nodes.heartbeat({ ...node, kids: ['k1', 'k2'] });
  expect(await stored()).toContainEqual(['k1', 'k2']);
});

test('nodes that run with other settings are named while they live, and one of an earlier version says nothing', async () => {
  const other = { id: 'node-2', kids: ['k1'], activeKid: 'k1' };
  await store.nodes.heartbeat(other);
  await startPresence(0);
  expect(health.warnings()).toEqual([]);
  await store.nodes.heartbeat({ ...other, settings: { ...settings, environment: 'trial' } });
  await until(() => health.warnings().length > 0);
  expect(health.warnings()).toEqual([{ code: 'nodes-differ', settings: ['environment'] }]);
  await store.nodes.leave('node-2');
  await until(() => health.warnings().length === 0);
});

test('a loop that fails three times in a row is warned of, and looks again as soon as the database answers', async () => {
  let failures = 2;
  let retries = 0;
  const failing = { name: 'a loop', failures: () => failures, retry: () => void (retries += 1) };
  await startPresence(0, [failing]);
  await until(() => health.loops().length > 0);
  expect([health.warnings(), health.loops()]).toEqual([
    [],
    [
      { name: 'another loop', failures: 0 },
      { name: 'a loop', failures: 2 },
    ],
  ]);
  failures = 3;
  await until(() => health.warnings().length > 0);
  expect(health.warnings()).toEqual([{ code: 'loop-fails', loops: ['a loop'] }]);
  expect(retries).toBe(0);
  isAway = true;
  const signsBefore = signs.length;
  await until(() => refused > 0);
  [isAway, failures] = [false, 0];
  await until(() => signs.length > signsBefore && health.warnings().length === 0);
  expect(retries).toBe(1);
});
