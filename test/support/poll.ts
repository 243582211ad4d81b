import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the check gives something true, and returns it; `within` milliseconds end what hangs. */
export async function until<T>(
  check: () => T | Promise<T>,
  { within = 60_000 }: { within?: number } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const deadline = Date.now() + within;
  for (;;) {
    const result = await check();
    if (result) return result as Exclude<T, false | 0 | '' | null | undefined>;
    if (Date.now() > deadline) throw new Error(`Waited ${within} ms in vain for: ${check.toString()}`);
    await sleep(10);
  }
}
