import type { Run } from '../../run/run/run.ts';

/** Milliseconds between two looks at the stream. */
const lookIntervalMs = 1_000;

/** During the work, reports to Assentry when the call's stream loses its client, and when it has one again. */
export async function watchPresence<T>(run: Run, id: string, work: () => Promise<T>): Promise<T> {
  const { delivery } = run.call;
  if (!delivery) return work();
  let wasConnected = true;
  const look = (): void => {
    const isConnected = delivery.isConnected();
    if (isConnected === wasConnected) return;
    wasConnected = isConnected;
    void run.client.markCaller(id, isConnected ? 'waiting' : 'gone', { signal: run.signal }).catch(() => {}); // a hint only
  };
  const timer = setInterval(look, lookIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
