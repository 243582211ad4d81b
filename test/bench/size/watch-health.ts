import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const program = path.join(import.meta.dirname, `health-probe${path.extname(import.meta.filename)}`);

/**
 * Asks a node again and again whether it is alive, from a thread of its own, whose turns are not those of the bench:
 * `stop` gives milliseconds of the slowest answer.
 */
export async function watchHealth(url: string): Promise<{ stop(): Promise<number> }> {
  const probe = new Worker(program, { workerData: new URL('/healthz', url).href });
  probe.unref(); // so that a bench that fails ends
  await once(probe, 'message');
  return {
    async stop() {
      const stopped = once(probe, 'message');
      probe.postMessage('stop');
      const [most] = (await stopped) as [number];
      return most;
    },
  };
}
