import { Problem } from '../../model/problem.ts';

const maxTries = 20;

/**
 * Repeats a compare-and-set until it is stored. `attempt` reads, decides and writes; it returns null if another change was
 * first, and the next attempt decides on the result of that one. Problem `write-conflict` after 20 attempts.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await attempt();
    if (result !== null) return result;
  }
  throw new Problem('write-conflict');
}
