import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { printProblem, printProgress, examples, logProgress, printResult, assertOption } from './output.ts';
import { type Announced, type Started, startNode, startServing } from './start-serving.ts';
import type { ServerOptions } from '#server/options';
import type { NodeMetrics } from '#platform/nodes/wiring';
import os from 'node:os';
import type { Command } from 'commander';
import { formatUnknownNames } from '#platform/config/check';
import { createLog } from '#platform/process/log';
import { readSettings } from './settings.ts';
import { directoryOf, findServing } from '#server/directory-of';
import { Problem } from '#platform/model/problem';
import { watchSignals } from './signals.ts';

/** A worker could not start, and has said why. */
class WorkerFailed extends Error {
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
async function startWorkers(count: number): Promise<Started> {
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

/** The message of a worker to the process that started it, once it serves. */
interface WorkerReady {
  url: string;
  /** Of the first worker, if no one can sign in yet: where the first administrator is made. */
  setUp: string | null;
}

type WorkerOrder = 'leave' | 'stop';

/** Serves as one of several workers until it is told to stop, or the process that started it is gone. */
async function serveAsWorker(options: ServerOptions): Promise<void> {
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

/** Between a worker that is asked for metrics, the process that started it, and the other workers. */
type Message =
  | { type: 'gather-metrics'; id: number }
  | { type: 'read-metrics'; id: string }
  | { type: 'metrics'; id: string; metrics: NodeMetrics }
  | { type: 'gathered-metrics'; id: number; all: NodeMetrics[] };

/** A worker that does not answer in time is left out. */
const timeoutMs = 2_000;

/** In a worker: reads the metrics of all other workers. */
function createGatherMetrics(): () => Promise<NodeMetrics[]> {
  const waiting = new Map<number, (all: NodeMetrics[]) => void>();
  let lastId = 0;
  process.on('message', (message: Message) => {
    if (message.type === 'gathered-metrics') waiting.get(message.id)?.(message.all);
  });
  return async () => {
    const id = ++lastId;
    const answer = new Promise<NodeMetrics[]>((resolve) => waiting.set(id, resolve));
    send({ type: 'gather-metrics', id });
    return within(2 * timeoutMs, answer, []).finally(() => waiting.delete(id));
  };
}

/** In a worker: answers what other workers ask. */
function answerMetrics(read: () => Promise<NodeMetrics>): void {
  process.on('message', (message: Message) => {
    if (message.type !== 'read-metrics') return;
    void read().then((metrics) => send({ type: 'metrics', id: message.id, metrics }));
  });
}

const send = (message: Message): void => void (process.connected && process.send?.(message));

/** In the process that started the workers: passes on what this one asks of those that serve. */
function relayMetrics(worker: Worker, serving: () => Iterable<Worker>): void {
  worker.on('message', (message: Message) => {
    if (message.type !== 'gather-metrics') return;
    const others = [...serving()].filter((other) => other !== worker && other.isConnected());
    const reads = others.map((other) => within(timeoutMs, readFrom(other, `${worker.id}.${message.id}`), null));
    void Promise.all(reads).then((answers) => {
      const all = answers.filter((metrics) => metrics !== null);
      if (worker.isConnected()) worker.send({ type: 'gathered-metrics', id: message.id, all } satisfies Message);
    });
  });
}

function readFrom(worker: Worker, id: string): Promise<NodeMetrics> {
  return new Promise((resolve) => {
    const onMessage = (message: Message): void => {
      if (message.type !== 'metrics' || message.id !== id) return;
      worker.off('message', onMessage);
      resolve(message.metrics);
    };
    worker.on('message', onMessage);
    setTimeout(() => worker.off('message', onMessage), timeoutMs).unref();
    worker.send({ type: 'read-metrics', id } satisfies Message);
  });
}

function within<T, E>(milliseconds: number, answer: Promise<T>, otherwise: E): Promise<T | E> {
  const timeout = new Promise<E>((resolve) => setTimeout(resolve, milliseconds, otherwise).unref());
  return Promise.race([answer, timeout]);
}

export const addServeCommand = (program: Command): Command =>
  program
    .command('serve')
    .description('serve the API and the console until interrupted')
    .option('--workers <number>', 'serve with so many processes behind one port; "auto" is one for each core', '1')
    .option('--wait [seconds]', 'wait for a database that is not there yet; 300 seconds if none are given')
    .addHelpText(...examples('assentry serve', 'assentry serve --workers auto', 'assentry serve --wait=60'))
    .action((options: ServeOptions) => serve(options));

interface ServeOptions {
  workers?: string;
  wait?: string | true;
}

/** Serves until a signal comes; `onReady` gets what serves, and is not waited for. */
export async function serve(
  { workers = '1', wait = '0' }: ServeOptions,
  onReady: (server: Announced<Started>, ending: AbortSignal) => Promise<void> = async () => {},
): Promise<void> {
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
    void onReady(server, ending.signal).catch(printProblem);
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
