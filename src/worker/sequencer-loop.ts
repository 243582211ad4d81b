import type { Logger } from 'pino';
import type { KeptHead } from '../audit/checkpoint.ts';
import type { Engine } from '../engine/engine.ts';
import { checkHead } from '../engine/log/check-head.ts';
import { createSequencer } from '../engine/log/sequence-log.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds between two checks for entries without a wake-up, such as a sign-in. */
const every = 5000;
/** Milliseconds during which changes share a checkpoint. */
const gather = 200;
/** Milliseconds between two lines of the node's log that name the head. */
const tellEvery = 600_000;

/** The head from which the node started, and where it keeps the latest one outside the database. */
export interface HeadKeeping {
  kept: KeptHead | null;
  write(note: string): Promise<void>;
}

/**
 * Keeps the log up to date while the node runs; only one node at a time does so. Each checks that the log continues the
 * last head that it knows, and keeps the new one outside the database.
 */
export function createSequencerLoop(engine: Engine, log: Logger, { kept, write }: HeadKeeping): Loop {
  const sequence = createSequencer(engine, kept);
  const keepHead = createHeadKeeper(engine, log, { kept, write });
  const { health } = engine;
  const loop = createLoop(every, log, 'the log', async () => {
    try {
      if (await sequence()) loop.within(gather);
      await keepHead();
      health.clear('log-stands-still');
    } catch (error) {
      health.warn({ code: 'log-stands-still' });
      throw error;
    }
  });
  let forget = (): void => {};
  return {
    ...loop,
    start() {
      forget = engine.feed.onChange(() => loop.within(gather));
      loop.start();
    },
    async stop() {
      forget();
      await loop.stop();
      await keepHead({ isLast: true }).catch((err: unknown) => log.error({ err }, 'the last head could not be kept'));
    },
  };
}

/** Now and then, not with each checkpoint; and at the end. */
function createHeadKeeper(engine: Engine, log: Logger, { kept, write }: HeadKeeping) {
  let [head, checkAt, tellAt] = [kept, 0, 0];
  let lastNote: string | null = null;
  return async ({ isLast = false } = {}): Promise<void> => {
    const now = performance.now();
    if (now < checkAt && !isLast) return;
    const nextHead = await checkHead(engine, head);
    if (nextHead && nextHead.note !== head?.note) await write(nextHead.note);
    [head, checkAt] = [nextHead, now + every];
    if (!nextHead || (isLast ? nextHead.note === lastNote : now < tellAt)) return;
    const { note, origin, size, root } = nextHead;
    [lastNote, tellAt] = [note, now + tellEvery];
    log.info({ log: origin, size, root: Buffer.from(root).toString('base64') }, 'the head of the log');
  };
}
