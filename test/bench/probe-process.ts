import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ask = async (): Promise<void> => void (await (await fetch(workerData as string)).text());

await ask(); // loads what it takes to ask
let isOn = true;
parentPort?.once('message', () => (isOn = false));
parentPort?.postMessage('ready');
const times: number[] = [];
while (isOn) {
  const start = performance.now();
  await ask();
  times.push(performance.now() - start);
  await sleep(20);
}
parentPort?.postMessage(times);
