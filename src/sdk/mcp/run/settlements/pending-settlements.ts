import { waitAtMost } from '../../../client/transport/deadline.ts';

/** Calls whose result is on its way to the caller, by their name and by their id. */
const settling = new Map<string, Promise<void>>();

/** Milliseconds the next equal call waits at most to learn whether the result was taken. */
const maxWaitMs = 10_000;

/** The next equal call waits for this: until then it could find a result that its caller already has. */
export function trackSettlement(call: string, settled: Promise<void>): void {
  const own = settled.finally(() => {
    if (settling.get(call) === own) settling.delete(call);
  });
  settling.set(call, own);
}

/** Resolves when the last run of an equal call in this process has been settled. */
export async function untilSettled(call: string | undefined): Promise<void> {
  const settled = call === undefined ? undefined : settling.get(call);
  if (!settled) return;
  await waitAtMost(maxWaitMs, settled);
}

/** Resolves when every result that is on its way in this process has been settled. */
export const untilAllSettled = async (): Promise<void> => {
  await Promise.all([...settling.keys()].map(untilSettled));
};
