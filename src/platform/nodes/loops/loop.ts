import { earliest, type ElicitationRow } from '#requests/state/store/row';
import type { Transactor } from '../../database/transactor.ts';
import type { Logger } from 'pino';
import type { Problem } from '../../model/problem.ts';
import { type Health, lastingFailures } from '../verbs/health.ts';
import type { Signs } from '../store.ts';

/** Reports the due times of timers that this node stores: a regular look might come too late for them. */
export function createAlarm() {
  let notify: (at: number) => void = () => {};
  const set = (isStored: boolean, { timers }: ElicitationRow['state']): boolean => {
    const at = isStored ? earliest(timers) : null;
    if (at !== null) notify(at);
    return isStored;
  };
  return {
    /** The transactor with an alarm set by each stored timer. */
    watching: ({ open, change }: Transactor): Transactor => ({
      open: async (opening) => set(await open(opening), opening.elicitation.state),
      change: async (next, within) => set(await change(next, within), next.state),
    }),
    /** Calls back with the earliest timer of each request that is stored from now on. */
    onSet: (listener: (at: number) => void) => void (notify = listener),
  };
}

export type Alarm = ReturnType<typeof createAlarm>;

/** Milliseconds between two checks, and after the first that found a fault. */
const every = 60_000;
const soon = 5_000;

/**
 * Checks that this node could store the next change: a new connection, its rights on the tables, and the protection of the log.
 * Two failed checks in a row make the node not ready; a good one makes it ready again.
 */
export function createStoringLoop(health: Health, findFault: () => Promise<Problem | null>, log: Logger): Loop {
  let before: Problem | null = null;
  const loop = createLoop(every, log, 'the look at what stores', async () => {
    const fault = await findFault();
    if (fault) loop.within(soon);
    if (fault && before) log.error({ fault: fault.message }, 'this node is not ready: it can store nothing');
    health.hearStoreFault(before && fault);
    before = fault;
  });
  return loop;
}

export interface Loop {
  readonly name: string;
  /** Failed turns in a row. */
  failures(): number;
  start(): void;
  /** Brings the next turn forward if it would begin more than this many milliseconds from now, unless it keeps failing. */
  within(delay: number): void;
  /** Begins the next turn now, also after failures: their cause is over. */
  retry(): void;
  /** Brings the next turn forward if the signs report waiting work. */
  onSigns?(signs: Signs): void;
  /** Resolves when the loop has stopped. */
  stop(): Promise<void>;
}

/** Milliseconds after which a loop looks without a sign. */
export const withoutSign = 30_000;

/** Delay until work is due: just after that time, for a timer may end a little early. */
export const untilDue = (at: number, now: number): number => Math.max(0, at - now) + 5;

/** Limit in milliseconds. */
const longestPause = 300_000;

const pauseAfter = (failures: number, delay: number): number =>
  Math.max(delay, Math.min(delay * 2 ** (failures - lastingFailures + 1), longestPause));

/**
 * Repeats the work, with this many milliseconds between two turns, the first after `first` milliseconds, and tries again after
 * a failure. A lasting fault costs the database less and less.
 */
export function createLoop(delay: number, log: Logger, name: string, work: () => Promise<unknown>, first = 0): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRunning = false;
  let pause = delay;
  let failures = 0;
  let dueAt = 0;
  let isStopped = true;
  const rest = (time: number): void => {
    clearTimeout(timer);
    dueAt = performance.now() + time;
    timer = setTimeout(run, time);
  };
  const turn = async (): Promise<void> => {
    pause = delay;
    isRunning = true;
    try {
      await work();
      failures = 0;
    } catch (err) {
      failures += 1;
      log.error({ err, failures }, `${name}: will try again`);
      if (failures >= lastingFailures) pause = pauseAfter(failures, delay);
    }
    isRunning = false;
    if (!isStopped) rest(pause);
  };
  const run = (): void => void (running = turn());
  return {
    name,
    failures: () => failures,
    start() {
      isStopped = false;
      if (first === 0) run();
      else rest(first);
    },
    within(time) {
      if (failures >= lastingFailures) return;
      if (isRunning) pause = Math.min(pause, time);
      else if (!isStopped && performance.now() + time < dueAt) rest(time);
    },
    retry() {
      if (!isStopped && !isRunning) rest(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
