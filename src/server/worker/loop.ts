import type { Logger } from 'pino';
import type { Signs } from '../store/nodes.ts';

export interface Loop {
  start(): void;
  /** Brings the next turn forward if it would begin more than this many milliseconds from now. */
  within(delay: number): void;
  /** Brings the next turn forward if the signs say that something waits. */
  onSigns?(signs: Signs): void;
  /** Resolves when the loop has stopped running. */
  stop(): Promise<void>;
}

/** Milliseconds after which a loop looks without a sign. */
export const withoutSign = 30_000;

/** When to look for what is due at this time: just after it, for a timer may end a little early. */
export const untilDue = (at: number, now: number): number => Math.max(0, at - now) + 5;

/** Repeats the work, with this many milliseconds between two turns, and tries again after a failure. */
export function createLoop(delay: number, log: Logger, name: string, work: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let pause = delay;
  let dueAt = 0;
  let isStopped = true;
  const rest = (time: number): void => {
    clearTimeout(timer);
    dueAt = performance.now() + time;
    timer = setTimeout(run, time);
  };
  const turn = async (): Promise<void> => {
    pause = delay;
    await work().catch((err: unknown) => log.error({ err }, `${name}: will try again`));
    running = undefined;
    if (!isStopped) rest(pause);
  };
  const run = (): void => void (running = turn());
  return {
    start() {
      isStopped = false;
      run();
    },
    within(time) {
      if (running) pause = Math.min(pause, time);
      else if (!isStopped && performance.now() + time < dueAt) rest(time);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
