import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { RunningServer } from '../../server.ts';
import { printProgress, printResult } from '../terminal/output.ts';
import { readSettings } from '../terminal/settings.ts';
import { hearSignals } from './signals.ts';
import { startServing } from './start-serving.ts';

export const addServeCommand = (program: Command): Command =>
  program.command('serve').description('serve the API and the console until interrupted').action(serve);

async function serve(): Promise<void> {
  const signals = hearSignals();
  const settings = readSettings();
  const server = await startServing(settings);
  printResult(false, {}, [`Assentry is ready at ${server.url}`]);
  if ((await signals.first) === 'SIGTERM') await leave(server, settings.shutdownGrace, signals.second);
  printProgress('Stopping after the answers in progress …');
  await server.stop();
}

/** A supervisor's signal gives load balancers time to switch; a person at a terminal does not wait. */
async function leave(server: RunningServer, seconds: number, sooner: Promise<unknown>): Promise<void> {
  server.leave();
  if (seconds === 0) return;
  printProgress(`Stopping in ${seconds} s: /readyz tells balancers so. A second signal stops at once …`);
  const over = new AbortController();
  await Promise.race([sleep(seconds * 1000, undefined, over).catch(() => {}), sooner]);
  over.abort();
}
