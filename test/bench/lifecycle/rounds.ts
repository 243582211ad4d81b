import { performance } from 'node:perf_hooks';

/** Runs all of it with this many at a time; gives the number done in a second. */
export async function runRound(inFlight: number, work: (() => Promise<void>)[]): Promise<number> {
  const started = performance.now();
  const queue = work.values();
  await Promise.all(Array.from({ length: inFlight }, () => drain(queue)));
  return work.length / ((performance.now() - started) / 1000);
}

async function drain(queue: Iterator<() => Promise<void>>): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) await next.value();
}

export interface Cost {
  perSecond: number;
  /** Microseconds of CPU of this process for each piece of work, and of PostgreSQL. */
  nodeCpu: number;
  postgresCpu: number | null;
}

/** One round, with what it cost. */
export async function measureRound(
  inFlight: number,
  work: (() => Promise<void>)[],
  postgresCpu: () => number | null,
): Promise<Cost> {
  const before = process.cpuUsage();
  const postgresBefore = postgresCpu();
  const perSecond = await runRound(inFlight, work);
  const { user, system } = process.cpuUsage(before);
  const postgresAfter = postgresCpu();
  const isTold = postgresBefore !== null && postgresAfter !== null;
  return {
    perSecond,
    nodeCpu: (user + system) / work.length,
    postgresCpu: isTold ? (postgresAfter - postgresBefore) / work.length : null,
  };
}
