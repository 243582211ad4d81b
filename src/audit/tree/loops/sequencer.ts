import type { Logger } from 'pino';
import type { KeptHead } from '../rules/checkpoint.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { checkHead, createSequencer } from '../verbs.ts';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds between two checks that the log is the one that was signed. */
const every = 20_000;
/** Milliseconds between two checks while the log grows. */
const checkIntervalMs = 5000;
/** Milliseconds during which changes share a checkpoint. */
const gather = 200;
/** Milliseconds between two lines of the node's log that name the head. */
const reportIntervalMs = 600_000;

/** The head from which the node started, and where it keeps the latest one outside the database. */
interface HeadKeeping {
  kept: KeptHead | null;
  write(note: string): Promise<void>;
}

/**
 * Keeps the log up to date while the node runs; only one node at a time does so. Each checks that the log continues the
 * last head that it has, and keeps the new one outside the database.
 */
export function createSequencerLoop(engine: Engine, log: Logger, { kept, write }: HeadKeeping): Loop {
  const sequence = createSequencer(engine, kept);
  const keepHead = createHeadKeeper(engine, log, { kept, write });
  const { health } = engine;
  const loop = createLoop(every, log, 'the log', async () => {
    try {
      if (await sequence()) loop.within(gather);
      loop.within(await keepHead());
      health.clear('log-stands-still');
    } catch (error) {
      health.warn({ code: 'log-stands-still' });
      throw error;
    }
  });
  let forget = (): void => {};
  return {
    ...loop,
    onSigns: ({ isUnplaced }) => isUnplaced && loop.within(gather),
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

/** Now and then, not with each checkpoint; and at the end. Returns milliseconds until it is time again. */
function createHeadKeeper(engine: Engine, log: Logger, { kept, write }: HeadKeeping) {
  let [head, checkAt, reportAt] = [kept, 0, 0];
  let lastNote: string | null = null;
  return async ({ isLast = false } = {}): Promise<number> => {
    const now = performance.now();
    if (now < checkAt && !isLast) return checkAt - now;
    const nextHead = await checkHead(engine, head);
    if (nextHead && nextHead.note !== head?.note) await write(nextHead.note);
    [head, checkAt] = [nextHead, now + checkIntervalMs];
    if (!nextHead || (isLast ? nextHead.note === lastNote : now < reportAt)) return every;
    const { note, origin, size, root } = nextHead;
    [lastNote, reportAt] = [note, now + reportIntervalMs];
    log.info({ log: origin, size, root: Buffer.from(root).toString('base64') }, 'the head of the log');
    return every;
  };
}
