import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const program = path.join(import.meta.dirname, `probe-process${path.extname(import.meta.filename)}`);

/**
 * Asks an address again and again, from a thread of its own, whose turns are not those of the bench: `stop` gives the
 * milliseconds of each answer.
 */
export async function startProbe(url: string | URL): Promise<{ stop(): Promise<number[]> }> {
  const probe = new Worker(program, { workerData: String(url) });
  probe.unref(); // so that a bench that fails ends
  await once(probe, 'message');
  return {
    async stop() {
      const stopped = once(probe, 'message');
      probe.postMessage('stop');
      const [times] = (await stopped) as [number[]];
      return times;
    },
  };
}
