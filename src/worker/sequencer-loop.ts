import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { createSequencer } from '../engine/log/sequence-log.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds between two looks at what no one told of, such as a sign-in. */
const every = 5000;
/** Milliseconds in which changes share a checkpoint. */
const gather = 200;

/** Keeps the log up to date for as long as the node runs; of any number of nodes one at a time does it. */
export function createSequencerLoop(engine: Engine, log: Logger): Loop {
  const sequence = createSequencer(engine);
  const loop = createLoop(every, log, 'the log', async () => {
    if (await sequence()) loop.within(gather);
  });
  let forget = (): void => {};
  return {
    ...loop,
    start() {
      forget = engine.feed.onChange(() => loop.within(gather));
      loop.start();
    },
    stop() {
      forget();
      return loop.stop();
    },
  };
}
