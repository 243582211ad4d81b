import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';
import { lookAtProviders } from './verbs/settle.ts';

/** Milliseconds. */
const every = 10_000;

/** Asks providers what happened where no event of theirs said it. */
export const createOutcomeLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'looking at providers', () =>
    lookAtProviders(engine, (fault) => log.warn(fault, 'a provider could not be asked what happened')),
  );
