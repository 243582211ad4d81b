import { setTimeout as sleep } from 'node:timers/promises';

const passing = ['overloaded', 'write-conflict'];

/** Like `fetch`, but repeats a call after the time in Retry-After if a busy node refused it, as every client must. */
export const patientFetch: typeof fetch = async (address, init) => {
  for (;;) {
    const response = await fetch(address, init);
    const seconds = Number(response.headers.get('retry-after'));
    if (response.status !== 503 || seconds === 0) return response;
    const { code = '' } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string };
    if (!passing.includes(code)) return response;
    await response.body?.cancel();
    await sleep(seconds * 1_000, undefined, { signal: init?.signal ?? undefined });
  }
};
