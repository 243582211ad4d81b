import type { Logger } from 'pino';
import type { Problem } from '../../../model/problem/problem.ts';
import type { Health } from '../../verbs/health.ts';
import { createLoop, type Loop } from './loop.ts';

/** Milliseconds between two looks, and after the first that found a fault. */
const every = 60_000;
const soon = 5_000;

/**
 * Looks whether this node could store what comes next: a new connection, its rights on the tables, and what protects the
 * log. Two looks in a row that find a fault make the node not ready; one that finds none makes it ready again.
 */
export function createStoringLoop(health: Health, findFault: () => Promise<Problem | null>, log: Logger): Loop {
  let before: Problem | null = null;
  const loop = createLoop(every, log, 'the look at what stores', async () => {
    const fault = await findFault();
    if (fault) loop.within(soon);
    if (fault && before) log.error({ fault: fault.message }, 'this node is not ready: it can store nothing');
    health.hearStoreFault(before && fault);
    before = fault;
  });
  return loop;
}
