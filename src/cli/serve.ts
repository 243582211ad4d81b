import type { Command } from 'commander';
import { printProgress, printResult } from './output.ts';
import { readSettings } from './settings.ts';

export const addServeCommand = (program: Command): Command =>
  program.command('serve').description('serve the API and the console until interrupted').action(serve);

async function serve(): Promise<void> {
  const stopped = waitForSignal();
  const settings = readSettings();
  const { startServer } = await import('../server.ts'); // so that help and mistakes do not wait for all of it
  const server = await startServer(settings);
  const setUp = await server.setUpAddress();
  if (setUp) printProgress('No one can sign in yet. Make the first administrator, once, within a day:', `  ${setUp}`);
  printResult(false, {}, [`Assentry is ready at ${server.url}`]);
  await stopped;
  printProgress('Stopping: answers in progress are finished first …');
  await server.stop();
}

/** Heard from the start, so that a node told to stop while it starts still stops. */
const waitForSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
