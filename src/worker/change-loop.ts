import type { Logger } from 'pino';
import { applyAccepted } from '../engine/changes/apply-change.ts';
import type { Engine } from '../engine/engine.ts';
import { createLoop, type Loop } from './loop.ts';

/**
 * Milliseconds. Usually the vote that completes an agreement makes its change; this loop makes it if that node died.
 */
const every = 5000;

/** Makes accepted changes of power that no node has made yet. */
export const createChangeLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'accepted changes', () => applyAccepted(engine));
