import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds. */
const every = 60_000;
/** Milliseconds for which a lost report is a warning: a week. */
const warnFor = 604_800_000;

/** Warns those who run the server of reports that reached no call: someone may have paid for nothing. */
export const createReportLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'reports that reached no call', () => warnOfReports(engine, log));

export async function warnOfReports(
  engine: Pick<Engine, 'callbackReports' | 'health' | 'now'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { reports, first } = await engine.callbackReports.lost(engine.now() - warnFor);
  if (first === null) return engine.health.clear('reports-lost');
  if (engine.health.warn({ code: 'reports-lost', reports, since: first }))
    log.warn({ reports }, 'look at these requests: services reported on them, and no call got it');
}
