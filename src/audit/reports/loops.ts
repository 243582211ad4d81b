import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds; what is not counted yet, Insights read request by request. */
const every = 30_000;
/** Milliseconds after which what was stored with an earlier time is in the database: no statement takes so long. */
const settledMs = 60_000;
/** In one commit, a tenth of a second of work; between two of them, the database has time for others. */
const maxRequests = 2_000;
const pauseMs = 100;

/** Keeps the totals of Insights up to date, on whichever node comes first; on a new version, from the first request on. */
export function createInsightLoop({ insightTotals, now }: Pick<Engine, 'insightTotals' | 'now'>, log: Logger): Loop {
  const loop = createLoop(every, log, 'the totals of Insights', async () => {
    if (await insightTotals.countNext(now() - settledMs, maxRequests)) loop.within(pauseMs);
  });
  return loop;
}
