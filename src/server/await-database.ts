import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem';
import { connectClient } from '#platform/database/connection';

interface DatabaseWait {
  /** How long to wait at most. */
  seconds: number;
  /** Ends the wait. */
  signal: AbortSignal;
  onProgress(sentence: string): void;
}

/** Milliseconds between two tries. */
const pause = 1_000;

/** Resolves when a connection can be made; throws `database-unavailable` with the last reason if the wait is over. */
export async function awaitDatabase(url: string, { seconds, signal, onProgress }: DatabaseWait): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (let lastReason = ''; ;) {
    const problem = await tryConnection(url);
    if (problem === null) return;
    if (signal.aborted || performance.now() + pause > deadline) throw problem;
    if (problem.message !== lastReason) onProgress(`Waiting for the database, up to ${seconds} s. ${problem.message}`);
    lastReason = problem.message;
    await sleep(pause, undefined, { signal }).catch(() => {}); // then the wait ends with the reason
  }
}

async function tryConnection(url: string): Promise<Problem | null> {
  try {
    await (await connectClient({ connectionString: url })).end();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
