import type { Run } from '../run/run.ts';

/** Milliseconds between two looks at the stream. */
const lookEvery = 1_000;

/** During the work, tells the orchestrator when no one listens on the call's stream, and when someone does again. */
export async function watchPresence<T>(run: Run, id: string, work: () => Promise<T>): Promise<T> {
  const { delivery } = run.call;
  if (!delivery) return work();
  let wasHeard = true;
  const look = (): void => {
    const isHeard = delivery.isHeard();
    if (isHeard === wasHeard) return;
    wasHeard = isHeard;
    void run.client.markCaller(id, isHeard ? 'waiting' : 'gone', { signal: run.signal }).catch(() => {}); // a hint only
  };
  const timer = setInterval(look, lookEvery);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
