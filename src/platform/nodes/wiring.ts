import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client';
import type { Clock } from './verbs/clock.ts';
import type { Engine } from './verbs/engine.ts';
import { latestProof } from '#audit/verify/verbs/verify-log';
import type { Transactor } from '../database/transactor.ts';

/** Counters of one node, in the form that processes exchange. */
export type NodeMetrics = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Counters of this node, and gauges read from the database on request. A worker's own metrics carry its name, so that each is
 * one series whichever worker answers.
 */
export function createMetrics(version: string, worker?: string) {
  const [register, shared] = [new Registry(), new Registry()];
  if (worker !== undefined) register.setDefaultLabels({ worker });
  const counted = createCounters([register]);
  const gauges = createGauges([shared]);
  describeBuild(version, [register]);
  collectDefaultMetrics({ register });
  return {
    /** The transactor with counted decisions. */
    counting: (transactor: Transactor): Transactor => ({
      ...transactor,
      async change(change, within) {
        const isStored = await transactor.change(change, within);
        const { row, status, closedAt } = change;
        if (isStored && row.status === 'open' && closedAt !== null) {
          counted.decisions.inc({ outcome: status });
          counted.time.observe((closedAt - row.openedAt) / 1000);
        }
        return isStored;
      },
    }),
    /** Counts a problem in an answer. */
    answered: (code: string) => counted.problems.inc({ code }),
    /** Counts a stored value that did not open. */
    unreadable: () => counted.unreadable.inc(),
    /** Counters of this node. */
    readOwn: (): Promise<NodeMetrics> => register.getMetricsAsJSON(),
    /** The current text for Prometheus, with the counters of the other workers. */
    async read(engine: Engine & { clock: Clock }, others: NodeMetrics[]): Promise<string> {
      await gauges(engine);
      const all = [await shared.getMetricsAsJSON(), await register.getMetricsAsJSON(), ...others];
      return AggregatorRegistry.aggregate(all.map(asTheyAre)).metrics();
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Keeps metrics unmerged: no two of them have the same labels, so there is nothing to add up. */
const asTheyAre = (metrics: NodeMetrics): NodeMetrics =>
  metrics.map((metric) => ({ ...metric, aggregator: 'first' as const }));

const minutes = [1, 5, 15, 60, 240, 1440].map((minute) => minute * 60);

const createCounters = (registers: Registry[]) => ({
  decisions: new Counter({
    name: 'assentry_decisions_total',
    help: 'Requests that this node has closed.',
    labelNames: ['outcome'],
    registers,
  }),
  time: new Histogram({
    name: 'assentry_decision_seconds',
    help: 'From the opening of a request to its end.',
    buckets: [10, 30, ...minutes],
    registers,
  }),
  problems: new Counter({
    name: 'assentry_problems_total',
    help: 'Calls that were answered with a problem; database-unavailable is an error of the database.',
    labelNames: ['code'],
    registers,
  }),
  unreadable: new Counter({
    name: 'assentry_unreadable_total',
    help: 'Stored values that did not open: changed, or sealed under a secret that this node does not have.',
    registers,
  }),
});

/** Adds the version of each worker. */
function describeBuild(version: string, registers: Registry[]): void {
  const help = 'Always 1: the version that runs.';
  new Gauge({ name: 'assentry_build_info', help, labelNames: ['version'], registers }).set({ version }, 1);
}

/** Sets gauges, which are read on request. */
function createGauges(registers: Registry[]): (engine: Engine & { clock: Clock }) => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `assentry_${name}`, help, labelNames, registers });
  const open = gauge('open_requests', 'Requests that wait, by who must answer.', ['audience']);
  const age = gauge('oldest_open_seconds', 'Since the oldest request that waits was opened.', ['audience']);
  const untold = gauge('outbox_untold', 'Changes that this node has still to tell those who wait.');
  const unplanned = gauge('notifications_unplanned', 'Changes of which it is still to be decided who is told.');
  const due = gauge('deliveries_due', 'Messages that wait to be sent.');
  const unplaced = gauge('log_unplaced', 'Entries that have no place in the log yet.');
  const ahead = gauge('clock_ahead_seconds', "How far the machine's clock is ahead of the database's.");
  const verified = gauge('log_verified_entries', 'Entries of the log that were verified.');
  const isWhole = gauge('log_is_whole', '1 if the last look found nothing wrong, else 0.');
  const verifiedAt = gauge('log_verified_timestamp_seconds', 'When the log was last verified; 0 if it was not yet.');
  const backupAt = gauge('last_backup_timestamp_seconds', 'What the last backup is as of; 0 if there was none.');
  const undelivered = gauge('stream_undelivered', 'Entries of the log that have still to arrive.', ['stream']);
  const failures = gauge('stream_failures', 'How often in a row a stream of the log has failed.', ['stream']);
  const expiring = gauge('keys_expiring', 'Keys of servers that expire within 14 days.');
  const unused = gauge('keys_unused', 'Keys of servers that were not used for 90 days.');
  const failing = gauge('loop_failures', 'How often in a row work of this node has failed.', ['loop']);
  return async (engine) => {
    for (const { name: loop, failures: count } of engine.health.loops()) failing.set({ loop }, count);
    unused.set(engine.health.unusedKeys());
    const warning = engine.health.warnings().find(({ code }) => code === 'keys-expire');
    expiring.set(warning?.code === 'keys-expire' ? warning.keys : 0);
    for (const { name: stream, size, delivered, failures: count } of engine.health.streams()) {
      undelivered.set({ stream }, Math.max(size - delivered, 0));
      failures.set({ stream }, count);
    }
    const [read, proof] = await Promise.all([engine.readGauges(engine.feed.position()), latestProof(engine)]);
    open.reset();
    age.reset();
    for (const { audience, count, oldest } of read.open) {
      open.set({ audience }, count);
      age.set({ audience }, (engine.clock.now() - oldest.getTime()) / 1000);
    }
    untold.set(read.untold);
    unplanned.set(read.unplanned);
    due.set(read.due);
    unplaced.set(read.unplaced);
    ahead.set(engine.clock.ahead() / 1000);
    if (proof) verified.set(proof.size);
    if (proof) isWhole.set(Number(proof.isWhole));
    verifiedAt.set((proof?.at ?? 0) / 1000);
    backupAt.set((read.backup?.getTime() ?? 0) / 1000);
  };
}
