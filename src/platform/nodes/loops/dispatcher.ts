import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DeliveryFailure } from '#notify/channel/delivery-failure';
import { countOne, type Tally } from '#audit/entries/verbs';
import type { Clock } from '../verbs/clock.ts';
import type { Engine } from '../verbs/engine.ts';
import type { Health } from '../verbs/health.ts';
import type { SharedSettings } from '../store.ts';
import { createLoop, type Loop } from './loop.ts';

/** A queue of rows that a node leases, sends, and records. */
export interface DispatchQueue<Item extends { failures: number }> {
  /** Name of the queue in the node's log. */
  name: string;
  /** Line in the node's log for an item that is given up. */
  givenUpLine: string;
  /** Limit of items under way at once. */
  concurrency: number;
  /** Milliseconds for which a node holds taken items; after that others may send them. */
  leaseMs: number;
  /** Milliseconds between two attempts, unless the other side asks for more. */
  maxWaitMs: number;
  /** Failures in a row after which an item is given up. */
  maxFailures: number;
  /** Limit of items under way to one place; a full place is skipped, so that one that hangs blocks no other. */
  maxPerPlace?: number;
  /** Takes due items in one statement, except those for these places. Other nodes skip them until `lease`. */
  take(now: number, lease: number, limit: number, skipped: string[]): Promise<Item[]>;
  /** Items with the same key are recorded together when all of them are sent. */
  recordKey(item: Item): string;
  /** Destination of the item. */
  place(item: Item): string;
  /** Items of one place with the same key are sent at once. */
  sendKey(item: Item): string;
  /** Resolves with the sent items that are still to be recorded. */
  send(items: readonly [Item, ...Item[]]): Promise<readonly Item[]>;
  record(sent: readonly Item[]): Promise<void>;
  retry(item: Item, code: string, at: number): Promise<void>;
  giveUp(item: Item, code: string): Promise<void>;
  /** Description of an item for the node's log: ids, no content. */
  describe(item: Item): object;
}

/** Limit of the wait that another side can ask for, in milliseconds. */
const maxAskedMs = 3_600_000;

/** Milliseconds before each new attempt to record an item's outcome; after these its lease brings it back. */
const recordWaitsMs = [500, 2000, 8000];

/** Milliseconds within which failures of one kind are counted, for one line of the node's log. */
const failureWindowMs = 60_000;

/**
 * Sends due items, a bounded number at a time; calls `onCapacity` when there is capacity again and more may be due. One node at
 * a time takes an item. If it dies in between, the item is due again and may be sent twice, under the same id.
 */
export function createDispatcher<Item extends { failures: number }>(
  queue: DispatchQueue<Item>,
  { now, log, onCapacity }: { now: () => number; log: Logger; onCapacity?: () => void },
) {
  const running = new Map<Promise<void>, readonly Item[]>();
  const failures = new Map<string, Tally>();
  const stopping = new AbortController();
  const { concurrency, maxPerPlace = concurrency } = queue;
  const underWay = (): Item[] => [...running.values()].flat();
  let isBehind = false;
  const begin = (items: readonly Item[]): void => {
    const done = dispatch(queue, items, { now, log, failures, signal: stopping.signal }).finally(() => {
      running.delete(done);
      if (isBehind) onCapacity?.();
    });
    running.set(done, items);
  };
  return {
    /** Takes due items and begins to send them. False if there is no capacity left, so that more may be due. */
    async poll(): Promise<boolean> {
      const at = now();
      let total = 0;
      isBehind = true;
      while (total < concurrency) {
        const items = underWay();
        const limit = Math.min(concurrency - items.length, maxPerPlace);
        if (limit <= 0) return false;
        const skipped = crowded(items, queue, maxPerPlace);
        const due = await queue.take(at, at + queue.leaseMs, limit, skipped);
        total += due.length;
        for (const group of groupBy(due, (item) => queue.recordKey(item))) begin(group);
        isBehind = due.length >= limit || skipped.length > 0;
        if (due.length < limit) return !isBehind;
      }
      return false;
    },
    /** Resolves when all taken items are sent or postponed, and waits for no database. */
    async drain() {
      stopping.abort();
      await Promise.all(running.keys());
    },
  };
}

/** Places at their limit of items under way. */
const crowded = <Item extends { failures: number }>(
  items: readonly Item[],
  { place }: Pick<DispatchQueue<Item>, 'place'>,
  max: number,
): string[] => groupBy(items, place).flatMap(([first, ...others]) => (others.length + 1 < max ? [] : place(first)));

interface DispatchParts {
  now: () => number;
  log: Logger;
  /** Count of each kind of failure since its latest line, by code. */
  failures: Map<string, Tally>;
  /** Aborted when the node stops. */
  signal: AbortSignal;
}

/** Sends items. Never rejects: an unrecorded item is due again when its lease ends. */
async function dispatch<Item extends { failures: number }>(
  queue: DispatchQueue<Item>,
  items: readonly Item[],
  parts: DispatchParts,
): Promise<void> {
  const written: Promise<void>[] = [];
  const write = (work: () => Promise<void>): unknown => written.push(withRetries(work, queue, parts));
  const groups = groupBy(items, (item) => queue.sendKey(item));
  const sent = await Promise.all(
    groups.map(async (group) => {
      try {
        return await queue.send(group);
      } catch (error) {
        for (const item of group) write(postponement(queue, item, error, parts));
        return [];
      }
    }),
  );
  if (sent.flat().length > 0) write(() => queue.record(sent.flat()));
  await Promise.all(written);
}

/** Does the work, and repeats it after failures of the database: an item whose lease has to end first may be sent twice. */
async function withRetries(
  work: () => Promise<void>,
  { name }: { name: string },
  { log, signal }: DispatchParts,
): Promise<void> {
  for (const wait of [...recordWaitsMs, null]) {
    try {
      return await work();
    } catch (err) {
      log.error({ err }, `${name}: will try again`);
      if (wait === null || signal.aborted) return;
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  }
}

/** Records that this item could not be sent now. */
function postponement<Item extends { failures: number }>(
  queue: DispatchQueue<Item>,
  item: Item,
  error: unknown,
  { now, log, failures }: DispatchParts,
): () => Promise<void> {
  const failure = error instanceof DeliveryFailure ? error : null;
  const code = failure?.code ?? 'unknown';
  const line = { ...queue.describe(item), code, ...(failure ? {} : { err: error }) };
  const wait = nextAttempt(failure, item.failures, queue);
  if (wait === null) {
    log.error(line, queue.givenUpLine);
    return () => queue.giveUp(item, code);
  }
  const { tally, reportCount } = countOne(failures.get(code), now(), failureWindowMs);
  failures.set(code, tally);
  if (reportCount > 0) log.warn({ ...line, count: reportCount }, `${queue.name}: could not be sent; will try again`);
  return () => queue.retry(item, code, now() + wait);
}

/**
 * Milliseconds until the next try after this many failures; null to give up. Each wait is twice as long as the one before, and
 * not shorter than the other side asks.
 */
export function nextAttempt(
  failure: Pick<DeliveryFailure, 'isFinal' | 'wait'> | null,
  failures: number,
  { maxWaitMs, maxFailures }: Pick<DispatchQueue<never>, 'maxWaitMs' | 'maxFailures'>,
): number | null {
  if (failure?.isFinal || failures + 1 >= maxFailures) return null;
  return Math.max(Math.min(1000 * 2 ** failures, maxWaitMs), Math.min(failure?.wait ?? 0, maxAskedMs));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}

/** Interval in milliseconds. */
const every = 2000;
/** Tolerated lead in milliseconds. The machine's clock decides nothing, but its log is compared with those of others. */
const maxAhead = 5000;

/**
 * Announces this node, and follows the database's clock and the secret that all nodes seal with. The same statement reads the
 * signs of waiting work, so that an idle node asks for nothing else: the other loops look when there is a sign.
 */
export function createPresenceLoop(
  engine: Engine & { clock: Clock },
  { node, settings, others }: { node: string; settings: SharedSettings; others: readonly Loop[] },
  log: Logger,
): Loop {
  const { nodes, ring, clock, health, feed } = engine;
  let isAway = false;
  const heartbeat = async () => {
    const at = performance.now();
    isAway = true;
    const answer = await clock.follow(() =>
      nodes.heartbeat({ id: node, kids: ring.kids, activeKid: ring.active, settings }),
    );
    isAway = false;
    health.hearStore(at);
    return answer;
  };
  const loop = createLoop(every, log, 'the list of nodes', async () => {
    const wasAway = isAway;
    const { kid, ...signs } = await heartbeat();
    if (wasAway) for (const other of others) other.retry();
    if (signs.place > feed.position()) feed.wake();
    for (const loop of others) loop.onSigns?.(signs);
    warnOfClock(clock, health, log);
    warnOfLoops(others, health, log);
    await warnOfSettings(engine, { settings, differ: signs.hasOtherSettings }, log);
    if (kid === null || kid === ring.active) return;
    if (!ring.kids.includes(kid))
      return log.error({ kid }, 'this node does not know the secret that all others seal with');
    ring.use(kid);
    log.info({ kid }, 'this node seals with another secret now');
    await heartbeat();
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await nodes.leave(node).catch((err: unknown) => log.warn({ err }, 'the list of nodes forgets this one later'));
    },
  };
}

/** Warns of a difference that lasts: nodes being replaced one by one differ for a while. */
async function warnOfSettings(
  { nodes, health }: Pick<Engine, 'nodes' | 'health'>,
  { settings, differ }: { settings: SharedSettings; differ: boolean },
  log: Logger,
): Promise<void> {
  if (!differ) return health.clear('nodes-differ');
  const names = differencesAmong([settings, ...(await nodes.live()).map((other) => other.settings ?? {})]);
  if (names.length > 0 && health.warn({ code: 'nodes-differ', settings: names }))
    log.warn({ settings: names }, 'give all nodes the same settings: these differ');
}

/** Names of settings that differ between nodes; a node of an earlier version reports none. */
function differencesAmong(all: readonly SharedSettings[]): string[] {
  const spoken = all.filter((settings) => Object.keys(settings).length > 0);
  const names = [...new Set(spoken.flatMap((settings) => Object.keys(settings)))].sort();
  return names.filter((name) => new Set(spoken.map((settings) => settings[name])).size > 1);
}

/** Warns of loops that keep failing: they do not do their part, though the node answers. */
function warnOfLoops(loops: readonly Loop[], health: Health, log: Logger): void {
  if (health.hearLoops(loops.map((loop) => ({ name: loop.name, failures: loop.failures() }))))
    log.warn({ loops: health.failingLoops() }, 'work of this node fails again and again; the lines before say why');
}

/** Warns once for as long as the difference lasts. */
function warnOfClock(clock: Clock, health: Health, log: Logger): void {
  const seconds = Math.round(clock.ahead() / 1000);
  if (Math.abs(clock.ahead()) <= maxAhead) return health.clear('clock-differs');
  const isNew = health.warn({ code: 'clock-differs', seconds });
  if (isNew)
    log.warn({ seconds }, 'set the clock of this machine: it is this far ahead of the database, which decides');
}
