import { Worker } from 'node:worker_threads';

/**
 * Ends this process from a thread of its own: what would keep the main one busy must not outlast the agent's patience, because
 * most agents run a call whose hook is late. The command around this process then blocks the call.
 */
export function endLate(milliseconds: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds})`, { eval: true }).unref();
}
