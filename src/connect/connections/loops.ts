import type { Logger } from 'pino';
import type { Engine } from '#platform/nodes/verbs/engine';
import { createLoop, type Loop } from '#platform/nodes/loops/loop';
import { withdrawConnections } from './verbs/tokens.ts';

/** Milliseconds. */
const every = 15_000;

/** Has providers withdraw the tokens of connections that were removed. */
export const createConnectionLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'withdrawing connections', () => withdrawConnections(engine));
