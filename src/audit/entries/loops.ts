import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds between two checks of the windows in which refusals are counted. */
const every = 30_000;

/** Writes repeated refusals when their windows end, and the rest when the node stops. */
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
