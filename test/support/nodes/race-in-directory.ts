import pg from 'pg';
import { locks } from '#platform/database/sql';
import { lockWaits } from '../databases/lock-waits.ts';
import { until } from '../poll.ts';
import type { TwoNodes } from './two-nodes.ts';

/**
 * How changes end, all of which are judged before the first of them commits: they then commit one after the other. A refusal, or
 * else the code of the problem, says why one was refused.
 */
export async function raceInDirectory(
  { nodes, query }: TwoNodes,
  ...changes: (() => Promise<unknown>)[]
): Promise<string[]> {
  const holder = new pg.Client({ connectionString: nodes[0].databaseUrl });
  await holder.connect();
  await holder.query(`SELECT pg_advisory_lock(${locks.directory})`);
  const running: Promise<unknown>[] = [];
  for (const change of changes) {
    const result = change();
    result.catch(() => {}); // it is looked at below
    running.push(result);
    await until(async () => (await query(lockWaits))[0] === running.length);
  }
  await holder.end();
  const settled = await Promise.allSettled(running);
  return settled.map((result) => (result.status === 'fulfilled' ? 'done' : codeOf(result.reason)));
}

const codeOf = (error: unknown): string => {
  const { code, refusal } = error as { code: string; refusal?: { code: string } };
  return refusal?.code ?? code;
};
