import type { Logger } from 'pino';
import type { Engine } from '../engine/engine.ts';
import { keepConfirmations } from '../engine/users/confirm-group.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds: members are confirmed in days. */
const every = 3_600_000;

/** Warns those who confirm the members of groups, and takes out who was not confirmed in time. */
export const createConfirmationLoop = (engine: Engine, log: Logger): Loop =>
  createLoop(every, log, 'members to confirm', () => keepConfirmations(engine));
