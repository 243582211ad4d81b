import type { Logger } from 'pino';
import { lastingFailures } from '../../verbs/health.ts';
import type { Signs } from '../../store.ts';

export interface Loop {
  readonly name: string;
  /** How many turns in a row have failed. */
  failures(): number;
  start(): void;
  /** Brings the next turn forward if it would begin more than this many milliseconds from now, unless it fails again and again. */
  within(delay: number): void;
  /** Begins the next turn now, also after failures: what made it fail is over. */
  retry(): void;
  /** Brings the next turn forward if the signs say that something waits. */
  onSigns?(signs: Signs): void;
  /** Resolves when the loop has stopped running. */
  stop(): Promise<void>;
}

/** Milliseconds after which a loop looks without a sign. */
export const withoutSign = 30_000;

/** When to look for what is due at this time: just after it, for a timer may end a little early. */
export const untilDue = (at: number, now: number): number => Math.max(0, at - now) + 5;

/** Milliseconds. */
const longestPause = 300_000;

const pauseAfter = (failures: number, delay: number): number =>
  Math.max(delay, Math.min(delay * 2 ** (failures - lastingFailures + 1), longestPause));

/**
 * Repeats the work, with this many milliseconds between two turns, the first after `first` milliseconds, and tries again after a failure. A fault that lasts costs
 * the database less and less.
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
