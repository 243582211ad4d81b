import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { eraseOutlived } from '../engine/keeping/erase-outlived.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds: policies keep content for days. */
const every = 3_600_000;

/** Erases content whose time is over. */
export const createKeepLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'content whose time is over', () => eraseOutlived(engine));
