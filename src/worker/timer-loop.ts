import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { takeDueTimers } from '../engine/take-due-timers.ts';

/** Milliseconds between two looks at the clock when nothing is due. */
const every = 1000;
const batchSize = 100;
/** Milliseconds an outbox row is kept for streams that come back. */
const outboxLife = 24 * 3_600_000;
const pruneEvery = 600_000;

export interface Loop {
  start(): void;
  /** Resolves when nothing of the loop runs any more. */
  stop(): Promise<void>;
}

/** Takes due timers for as long as the node runs; any number of nodes may do so at once. */
export const createTimerLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'due timers', async () => {
    while ((await takeDueTimers(engine, batchSize)) === batchSize);
  });

/** Forgets old outbox rows and expired tokens. */
export const createPruneLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(pruneEvery, log, 'outbox and tokens', async () => {
    await engine.outbox.prune(engine.now() - outboxLife);
    await engine.tokens.prune(engine.now());
  });

function createLoop(delay: number, log: Logger, name: string, work: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;
  const turn = async (): Promise<void> => {
    await work().catch((err: unknown) => log.error({ err }, `${name}: will try again`));
    if (!isStopped) timer = setTimeout(run, delay);
  };
  const run = (): void => void (running = turn());
  return {
    start: run,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
