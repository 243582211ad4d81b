import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { printProgress, printResult } from './output.ts';
import { directoryOf } from '../installation/directory-of.ts';
import type { ServerOptions } from '../installation/server-options.ts';
import { noteServing } from '../installation/serving-note.ts';
import type { RunningServer } from '../server.ts';
import { readSettings } from './settings.ts';

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

/**
 * Starts the server, notes in the data directory of an embedded database where it serves, and tells the operator what
 * to do first.
 */
export async function startServing(settings: ServerOptions): Promise<RunningServer> {
  const { startServer } = await import('../server.ts'); // so that help and mistakes do not wait for all of it
  const server = await startServer(settings);
  const forget = settings.databaseUrl === null ? await noteServing(directoryOf(settings), server.url) : null;
  await printStart(server, settings);
  const stop = async (): Promise<void> => {
    await forget?.();
    await server.stop();
  };
  return { ...server, stop };
}

async function printStart(server: RunningServer, { environment }: ServerOptions): Promise<void> {
  const setUp = await server.setUpAddress();
  if (environment === 'trial') printProgress(trial);
  if (setUp)
    printProgress(
      'No one can sign in yet. Create the first administrator with this link, once, within a day:',
      `  ${setUp}`,
    );
}

const trial = 'This is a trial: one person can approve everything, until ASSENTRY_ENVIRONMENT says production.';

/** A supervisor's signal gives load balancers time to switch; a person at a terminal does not wait. */
async function leave(server: RunningServer, seconds: number, sooner: Promise<unknown>): Promise<void> {
  server.leave();
  if (seconds === 0) return;
  printProgress(`Stopping in ${seconds} s: /readyz tells balancers so. A second signal stops at once …`);
  const over = new AbortController();
  await Promise.race([sleep(seconds * 1000, undefined, over).catch(() => {}), sooner]);
  over.abort();
}

/** Listens from the start, so that a node can be stopped while it starts. */
function hearSignals(): { first: Promise<NodeJS.Signals>; second: Promise<NodeJS.Signals> } {
  const first = nextSignal();
  return { first, second: first.then(nextSignal) };
}

const nextSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    const names = ['SIGINT', 'SIGTERM'] as const;
    const hear = (name: NodeJS.Signals): void => {
      for (const each of names) process.off(each, hear);
      resolve(name);
    };
    for (const each of names) process.on(each, hear);
  });
