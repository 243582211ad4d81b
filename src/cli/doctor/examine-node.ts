import { describeError } from '#platform/model/problem/system-error';
import type { Config } from '#platform/config/config';

/** Where a node of these settings listens; null if they leave it to the data directory, which has a note of it. */
export function nodeOf({ databaseUrl, host, port }: Config): string | null {
  if (databaseUrl === null || port === 0) return null;
  const name = everywhere[host] ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** A node that listens at every address listens at this one. */
const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** What is wrong with the node at this address, and what to do about it; nothing if it serves and warns of nothing. */
export async function findFaults(url: string): Promise<string[]> {
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(5_000) });
    const { advice = [], detail, title } = (await answer.json().catch(() => ({}))) as Said;
    return answer.ok
      ? advice
      : [detail ?? title ?? `it answers ${answer.status}; look whether something else serves there`];
  } catch (error) {
    const { cause = error } = error as Error; // of a connection, fetch says only that it failed
    return [`look whether it runs, what it logged if it ended, and what is in front of it: ${describeError(cause)}`];
  }
}

interface Said {
  advice?: string[];
  detail?: string;
  title?: string;
}
