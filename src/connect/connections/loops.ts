import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';
import { withdrawConnections } from './verbs/tokens.ts';
import { pruneSecrets } from '../secrets/verbs.ts';

/** Milliseconds. */
const every = 15_000;

/** Has providers withdraw the tokens of connections that were removed, and removes the secrets of calls that have ended. */
export const createConnectionLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'withdrawing connections', async () => {
    await withdrawConnections(engine);
    await pruneSecrets(engine);
  });
