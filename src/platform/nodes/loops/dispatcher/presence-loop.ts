import type { Logger } from 'pino';
import type { Clock } from '../../verbs/clock.ts';
import type { Engine } from '../../verbs/engine/engine.ts';
import type { Health } from '../../verbs/health.ts';
import type { SharedSettings } from '../../store.ts';
import { createLoop, type Loop } from '../loop/loop.ts';

/** Milliseconds. */
const every = 2000;
/** Milliseconds. The machine's clock decides nothing, but its log is compared with the logs of others. */
const maxAhead = 5000;

/**
 * Announces this node, and follows the database's clock and the secret that all nodes seal with. The same statement says
 * what waits, so that an idle node asks for nothing else: the other loops look when it reports something.
 */
export function createPresenceLoop(
  engine: Engine & { clock: Clock },
  { node, settings, others }: { node: string; settings: SharedSettings; others: readonly Loop[] },
  log: Logger,
): Loop {
  const { nodes, ring, clock, health, feed } = engine;
  let isAway = false;
  const heartbeat = async () => {
    const at = performance.now();
    isAway = true;
    const answer = await clock.follow(() =>
      nodes.heartbeat({ id: node, kids: ring.kids, activeKid: ring.active, settings }),
    );
    isAway = false;
    health.hearStore(at);
    return answer;
  };
  const loop = createLoop(every, log, 'the list of nodes', async () => {
    const wasAway = isAway;
    const { kid, ...signs } = await heartbeat();
    if (wasAway) for (const other of others) other.retry();
    if (signs.place > feed.position()) feed.wake();
    for (const loop of others) loop.onSigns?.(signs);
    warnOfClock(clock, health, log);
    warnOfLoops(others, health, log);
    await warnOfSettings(engine, { settings, differ: signs.hasOtherSettings }, log);
    if (kid === null || kid === ring.active) return;
    if (!ring.kids.includes(kid))
      return log.error({ kid }, 'this node does not know the secret that all others seal with');
    ring.use(kid);
    log.info({ kid }, 'this node seals with another secret now');
    await heartbeat();
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await nodes.leave(node).catch((err: unknown) => log.warn({ err }, 'the list of nodes forgets this one later'));
    },
  };
}

/** Once for as long as the difference lasts: nodes that are being replaced one by one differ for a while. */
async function warnOfSettings(
  { nodes, health }: Pick<Engine, 'nodes' | 'health'>,
  { settings, differ }: { settings: SharedSettings; differ: boolean },
  log: Logger,
): Promise<void> {
  if (!differ) return health.clear('nodes-differ');
  const names = differencesAmong([settings, ...(await nodes.live()).map((other) => other.settings ?? {})]);
  if (names.length > 0 && health.warn({ code: 'nodes-differ', settings: names }))
    log.warn({ settings: names }, 'give all nodes the same settings: these differ');
}

/** The names of the settings that are not the same everywhere; a node of an earlier version says nothing. */
function differencesAmong(all: readonly SharedSettings[]): string[] {
  const spoken = all.filter((settings) => Object.keys(settings).length > 0);
  const names = [...new Set(spoken.flatMap((settings) => Object.keys(settings)))].sort();
  return names.filter((name) => new Set(spoken.map((settings) => settings[name])).size > 1);
}

/** A loop that fails again and again does not do its part, though the node answers. */
function warnOfLoops(loops: readonly Loop[], health: Health, log: Logger): void {
  if (health.hearLoops(loops.map((loop) => ({ name: loop.name, failures: loop.failures() }))))
    log.warn({ loops: health.failingLoops() }, 'work of this node fails again and again; the lines before say why');
}

/** Once for as long as the difference lasts. */
function warnOfClock(clock: Clock, health: Health, log: Logger): void {
  const seconds = Math.round(clock.ahead() / 1000);
  if (Math.abs(clock.ahead()) <= maxAhead) return health.clear('clock-differs');
  const isNew = health.warn({ code: 'clock-differs', seconds });
  if (isNew)
    log.warn({ seconds }, 'set the clock of this machine: it is this far ahead of the database, which decides');
}
