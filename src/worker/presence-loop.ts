import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds. */
const every = 2000;

/** Says that this node is there, and follows when the secret that all nodes seal with changes. */
export function createPresenceLoop(engine: Engine, node: string, log: Logger): Loop {
  const { nodes, ring } = engine;
  const beat = () => nodes.beat({ id: node, kids: ring.kids, activeKid: ring.active });
  const loop = createLoop(every, log, 'the list of nodes', async () => {
    const kid = await beat();
    if (kid === undefined || kid === ring.active) return;
    if (!ring.kids.includes(kid))
      return log.error({ kid }, 'this node does not know the secret that all others seal with');
    ring.use(kid);
    log.info({ kid }, 'this node seals with another secret now');
    await beat();
  });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await nodes.leave(node).catch((err: unknown) => log.warn({ err }, 'the list of nodes forgets this one later'));
    },
  };
}
