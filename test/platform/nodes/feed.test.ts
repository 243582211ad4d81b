import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createFeed, type Feed } from '#platform/nodes/verbs/feed';
import { outboxPage } from '#requests/asking/store/opening';
import type { CommittedEvent } from '#platform/database/transactor';
import { until } from '../../support/poll.ts';

const event = (place: number): CommittedEvent => ({
  place,
  topic: 'changed',
  elicitationId: `eli_${place}`,
  serverId: 'srv_1',
});

let stored: CommittedEvent[];
let reads: number;
let feed: Feed;
let places: number[];
beforeEach(async () => {
  [stored, reads, places] = [[], 0, []];
  const outbox = {
    head: () => Promise.resolve(10),
    readFrom: (from: number) => {
      reads += 1;
      return Promise.resolve(stored.filter(({ place }) => place > from).slice(0, outboxPage));
    },
  };
  feed = createFeed(outbox, {
    every: 3_600_000,
    onError: (error) => {
      throw error;
    },
  });
  feed.onChange(({ place }) => places.push(place));
  await feed.start();
});
afterEach(() => feed.stop());

test('what follows in its place is told at once, without reading', () => {
  feed.publish([event(11), event(12)]);
  expect(places).toEqual([11, 12]);
  expect(feed.position()).toBe(12);
  expect(reads).toBe(0);
});

test('what another node committed before comes first', async () => {
  stored = [event(11), event(12)];
  feed.publish([event(12)]);
  expect(places).toEqual([]);
  await until(() => places.length === 2);
  expect(places).toEqual([11, 12]);
});

test('two answers in the wrong order are told in the order of the commits, once', async () => {
  stored = [event(11), event(12)];
  feed.publish([event(12)]);
  feed.publish([event(11)]);
  await until(() => places.length > 1);
  feed.wake();
  await until(() => reads > 1);
  expect(places).toEqual([11, 12]);
});

test('more than a page is read whole', async () => {
  stored = Array.from({ length: outboxPage + 3 }, (_, at) => event(11 + at));
  feed.wake();
  await until(() => places.length === outboxPage + 3);
  expect(places.at(-1)).toBe(10 + outboxPage + 3);
});

test('who waits for one request wakes for it alone', async () => {
  const gone = new AbortController();
  const waiting = [feed.changed('eli_11', gone.signal), feed.changed('eli_12', gone.signal)];
  let woken = 0;
  for (const wait of waiting) void wait.then(() => (woken += 1));
  feed.publish([event(11)]);
  await waiting[0];
  expect(woken).toBe(1);
  gone.abort();
  await Promise.all(waiting);
});
