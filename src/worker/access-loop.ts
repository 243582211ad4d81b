import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds between two looks at the windows in which refusals are counted. */
const every = 30_000;

/** Writes what was refused again and again as the windows end, and the rest as the node stops. */
export function createAccessLoop({ access }: Pick<Engine, 'access'>, log: Logger): Loop {
  const loop = createLoop(every, log, 'refusals', () => access.flush());
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await access.flush(Infinity);
    },
  };
}
