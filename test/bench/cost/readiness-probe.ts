import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, seconds } = workerData as { url: string; seconds: number };

const ask = async (): Promise<void> => {
  const response = await fetch(`${url}/readyz`);
  await response.text();
};

await ask(); // loads what it takes to ask
parentPort?.postMessage('ready');
const times: number[] = [];
for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(25)) {
  const startedAt = performance.now();
  await ask();
  times.push(performance.now() - startedAt);
}
parentPort?.postMessage(times);
