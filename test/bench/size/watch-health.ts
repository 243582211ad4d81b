import { setTimeout as sleep } from 'node:timers/promises';

/** Asks a node again and again whether it is alive: milliseconds of its slowest answer. */
export function watchHealth(url: string): { most(): number; stop(): void } {
  let most = 0;
  let isOn = true;
  void (async () => {
    while (isOn) {
      const start = performance.now();
      await fetch(new URL('/healthz', url)).then((response) => response.text());
      most = Math.max(most, performance.now() - start);
      await sleep(20);
    }
  })().catch(() => {});
  return { most: () => most, stop: () => void (isOn = false) };
}
