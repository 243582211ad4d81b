import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { printProgress } from '../output/output.ts';
import type { Started } from '../start-serving.ts';
import { relayMetrics } from './worker-metrics.ts';
import type { WorkerOrder, WorkerReady } from './worker.ts';

/** A worker could not start, and has said why. */
export class WorkerFailed extends Error {
  readonly code: number;

  constructor(code: number) {
    super('A worker could not start.');
    this.code = code;
  }
}

/** Milliseconds before a worker that died is replaced again. */
const pause = 1_000;

/**
 * Starts this command again as so many workers behind one port. One that dies is replaced; on SIGHUP each is replaced
 * in turn, and the old one stops when the new one serves. Throws `WorkerFailed` if one cannot start.
 */
export async function startWorkers(count: number): Promise<Started> {
  const workers = new Set<Worker>();
  const serving = new Set<Worker>();
  let isStopping = false;

  async function add(): Promise<WorkerReady> {
    const worker = cluster.fork();
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker) && serving.delete(worker));
    const ready = await readyOf(worker);
    serving.add(worker);
    relayMetrics(worker, () => serving);
    worker.once('exit', () => void (worker.exitedAfterDisconnect || isStopping || replace()));
    return ready;
  }

  const tryAdd = (): Promise<boolean> =>
    add().then(
      () => true,
      () => false,
    );

  async function replace(): Promise<void> {
    printProgress('A worker has died and is replaced …');
    while (!isStopping && !(await tryAdd())) await sleep(pause);
  }

  async function renewAll(): Promise<void> {
    const before = Array.from(workers); // those who come now are new
    for (const old of before) {
      if (isStopping || !(await tryAdd())) return printProgress('The workers that are left go on as they were.');
      await end(old);
    }
    printProgress('Each worker has been replaced.');
  }

  let renewing: Promise<void> | undefined;
  const renew = (): void => void (renewing ??= renewAll().finally(() => (renewing = undefined)));

  async function stop(): Promise<void> {
    isStopping = true;
    process.off('SIGHUP', renew);
    await Promise.all([...workers].map(end));
  }

  try {
    const { url, setUp } = await add(); // alone, so that what is wrong is said once
    await Promise.all(Array.from({ length: count - 1 }, add));
    process.on('SIGHUP', renew);
    const leave = (): void => workers.forEach((worker) => order(worker, 'leave'));
    return { url, setUpAddress: async () => setUp, leave, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const order = (worker: Worker, what: WorkerOrder): void => void (worker.isConnected() && worker.send(what));

async function end(worker: Worker): Promise<void> {
  worker.exitedAfterDisconnect = true; // it is not to be replaced
  order(worker, 'stop');
  if (!worker.isDead()) await new Promise((resolve) => worker.once('exit', resolve));
}

const readyOf = (worker: Worker): Promise<WorkerReady> =>
  new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', (code: number | null) => reject(new WorkerFailed(code ?? 1)));
  });
