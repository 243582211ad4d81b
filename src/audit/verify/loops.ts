import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createStandingProof } from './verbs/verify-log.ts';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';

/** Milliseconds between two looks at what the log has grown by. The first waits as long: a start has checks of its own. */
const every = 120_000;

/** Verifies the log while nodes run; of all living nodes one does. */
export function createProofLoop(engine: Engine, node: string, log: Logger): Loop {
  const look = createStandingProof(engine, node);
  return createLoop(
    every,
    log,
    'the verification of the log',
    async () => {
      const fault = await look();
      if (fault !== null)
        log.error({ fault }, 'run "assentry audit verify": the log, or what follows from it, was changed');
    },
    every,
  );
}
