import cluster from 'node:cluster';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { formatUnknownNames } from '#platform/config/check';
import { createLog } from '#platform/process/log';
import { examples, logProgress, printProgress, printResult, assertOption } from '../output/output.ts';
import { readSettings } from '../settings.ts';
import { directoryOf } from '#server/directory-of/directory-of';
import type { ServerOptions } from '#server/options';
import { findServing } from '#server/directory-of/serving-note';
import { Problem } from '#platform/model/problem/problem';
import { watchSignals } from '../signals.ts';
import { startNode, startServing, type Started } from '../start-serving.ts';
import { serveAsWorker } from './worker.ts';
import { startWorkers, WorkerFailed } from './workers.ts';

export const addServeCommand = (program: Command): Command =>
  program
    .command('serve')
    .description('serve the API and the console until interrupted')
    .option('--workers <number>', 'serve with so many processes behind one port; "auto" is one for each core', '1')
    .option('--wait [seconds]', 'wait for a database that is not there yet; 300 seconds if none are given')
    .addHelpText(...examples('assentry serve', 'assentry serve --workers auto', 'assentry serve --wait=60'))
    .action(serve);

async function serve({ workers, wait = '0' }: { workers: string; wait?: string | true }): Promise<void> {
  const count = readCount(workers);
  const seconds = readWait(wait);
  logProgress(createLog('info'));
  const settings = readSettings();
  if (cluster.isWorker) return serveAsWorker(settings);
  for (const sentence of formatUnknownNames()) printProgress(sentence);
  const signals = watchSignals();
  const ending = new AbortController();
  void signals.first.then(() => ending.abort());
  try {
    await waitForDatabase(settings, seconds, ending.signal);
    const start = () => (count === 1 ? startNode({ ...settings, signal: ending.signal }) : startWorkers(count));
    const server = await startServing(settings, start).catch((error) => explain(error, settings));
    printResult(false, {}, [`Assentry is ready at ${server.url}`]);
    if ((await signals.first) === 'SIGTERM') await leave(server, settings.shutdownGrace, signals.second);
    printProgress('Stopping after the answers in progress …');
    await server.stop();
  } catch (error) {
    if (!(error instanceof WorkerFailed)) throw error;
    process.exitCode = error.code;
  }
}

/** A wrapped server goes on serving at the same address when the process that served has ended. */
async function explain(error: unknown, settings: ServerOptions): Promise<never> {
  const url = settings.databaseUrl === null ? await findServing(directoryOf(settings)) : null;
  if (url === null || new URL(url).port !== String(settings.port)) throw error;
  throw new Problem('config-invalid', { cause: error, detail: `${servesAlready} ${url}. ${howToServe}` });
}

const servesAlready = 'Use the Assentry that serves this data directory already, at';
const howToServe = 'To serve from here, first end the process that does, such as the MCP client of a wrapped server.';

const maxWorkers = 64;

function readCount(workers: string): number {
  const count = workers === 'auto' ? Math.min(os.availableParallelism(), maxWorkers) : Number(workers);
  const isRight = Number.isInteger(count) && count >= 1 && count <= maxWorkers;
  assertOption('--workers', isRight, `Give a number from 1 to ${maxWorkers}, or auto: ${workers} is neither.`);
  return count;
}

const maxDrainSeconds = 86_400;

function readWait(wait: string | true): number {
  const seconds = wait === true ? 300 : Number(wait);
  const isRight = Number.isInteger(seconds) && seconds >= 0 && seconds <= maxDrainSeconds;
  assertOption('--wait', isRight, `Give a number of seconds up to ${maxDrainSeconds}: ${wait} is none.`);
  return seconds;
}

/** An embedded database is started here, so no one waits for it. */
async function waitForDatabase({ databaseUrl }: ServerOptions, seconds: number, signal: AbortSignal): Promise<void> {
  if (databaseUrl === null || seconds === 0) return;
  const { awaitDatabase } = await import('#server/await-database');
  await awaitDatabase(databaseUrl, { seconds, signal, onProgress: printProgress });
}

/** A supervisor's signal gives load balancers time to switch; a person at a terminal does not wait. */
async function leave(server: Started, seconds: number, sooner: Promise<unknown>): Promise<void> {
  server.leave();
  if (seconds === 0) return;
  printProgress(`Stopping in ${seconds} s: /readyz tells balancers so. A second signal stops at once …`);
  const over = new AbortController();
  await Promise.race([sleep(seconds * 1000, undefined, over).catch(() => {}), sooner]);
  over.abort();
}
