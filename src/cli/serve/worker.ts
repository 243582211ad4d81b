import cluster from 'node:cluster';
import type { ServerOptions } from '#server/options';
import { startNode } from '../start-serving.ts';
import { answerMetrics, createGatherMetrics } from './worker-metrics.ts';

/** The message of a worker to the process that started it, once it serves. */
export interface WorkerReady {
  url: string;
  /** Of the first worker, if no one can sign in yet: where the first administrator is made. */
  setUp: string | null;
}

export type WorkerOrder = 'leave' | 'stop';

/** Serves as one of several workers until it is told to stop, or the process that started it is gone. */
export async function serveAsWorker(options: ServerOptions): Promise<void> {
  // A terminal and a supervisor signal the whole group: only the process that started the workers obeys.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true; // or it ends at once, in the middle of its answers
  const [leave, stopped] = [waitFor('leave'), Promise.race([waitFor('stop'), waitFor('disconnect')])];
  try {
    const worker = { name: String(cluster.worker?.id), readOthers: createGatherMetrics() };
    const server = await startNode({ ...options, worker });
    answerMetrics(server.readOwnMetrics);
    void leave.then(() => server.leave());
    const setUp = cluster.worker?.id === 1 ? await server.setUpAddress() : null;
    process.send?.({ url: server.url, setUp } satisfies WorkerReady);
    await stopped;
    await server.stop();
  } finally {
    if (process.connected) process.disconnect(); // or this process would not end
  }
}

const waitFor = (what: WorkerOrder | 'disconnect'): Promise<void> =>
  new Promise((resolve) => {
    if (what === 'disconnect') process.once('disconnect', resolve);
    else process.on('message', (order: WorkerOrder) => order === what && resolve());
  });
