import type { Logger } from 'pino';
import { isTrial } from '#policies/contract/policy';
import { directoryOf, noteServing } from '#server/directory-of';
import type { ServerOptions } from '#server/options';
import type { RunningServer } from '#server/server';
import { createLog } from '#platform/process/log';
import { printProgress } from './output.ts';
import { serveSocket, type Waiting } from '#gateway/harness/command/serve-socket';
import { notifyDesktop } from './desktop.ts';
import { publishFirst } from '#policies/command/first-policies';
import { forgetSetUp, announceSetUp } from '#access/sign-in/command';

/** A server that runs here, or in workers. */
export type Started = Pick<RunningServer, 'url' | 'setUpAddress' | 'leave' | 'stop'> & {
  /** Is there anyone who can sign in? Absent if it cannot say. */
  hasPeople?(): Promise<boolean>;
  /** Requests that wait for people. Absent if it cannot say. */
  readWaiting?(): Promise<Waiting>;
  /** Calls back when a request of this node was opened. */
  onOpened?(listener: () => void): void;
};

/** What serves, and the link for the first administrator; null once people can sign in. */
export type Announced<T> = T & { setUp: string | null };

/** Serves in this process. */
export async function startNode(settings: ServerOptions): Promise<RunningServer & Required<Started>> {
  const { startServer } = await import('#server/server'); // so that help and mistakes do not wait for all of it
  const server = await startServer(settings);
  catchLastResort(createLog(settings.logLevel));
  if (settings.databaseUrl === null)
    await publishFirst(server).catch(async (error) => {
      await server.stop();
      throw error;
    });
  return {
    ...server,
    hasPeople: async () => (await server.directory()).users.length > 0,
    readWaiting: () => readWaiting(server),
    onOpened: (listener) => void server.engine.feed.onChange(({ topic }) => topic === 'opened' && listener()),
  };
}

/**
 * Starts to serve, notes in the data directory of an embedded database where, and prints what the operator does first.
 * If any of it fails, nothing serves.
 */
export async function startServing<T extends Started>(
  settings: ServerOptions,
  start: () => Promise<T>,
): Promise<Announced<T>> {
  const server = await start();
  try {
    return { ...server, ...(await announce(server, settings)) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Stopping takes the announcements back first. */
async function announce(server: Started, settings: ServerOptions): Promise<Pick<Announced<Started>, 'stop' | 'setUp'>> {
  const forget = settings.databaseUrl === null ? await noteHere(server, directoryOf(settings)) : null;
  if (isTrial(settings.environment)) printProgress(trial);
  const setUp = await server.setUpAddress();
  if (setUp === null) await forgetSetUp(settings);
  const isUsed = async (): Promise<boolean> => (await server.hasPeople?.()) ?? false;
  const forgetLink = setUp === null ? null : await announceSetUp(setUp, settings, isUsed);
  const stop = async (): Promise<void> => {
    await forgetLink?.();
    await forget?.();
    await server.stop();
  };
  return { stop, setUp };
}

/** Lets commands, hooks and gateways of this machine find it. */
async function noteHere({ url, readWaiting, onOpened }: Started, directory: string): Promise<() => Promise<void>> {
  const forget = await noteServing(directory, url);
  const endSocket = await serveSocket({ directory, url, readWaiting });
  if (readWaiting) onOpened?.(notifyDesktop(readWaiting));
  return async () => {
    await endSocket();
    await forget();
  };
}

async function readWaiting({ engine }: RunningServer): Promise<Waiting> {
  const { open } = await engine.readGauges(engine.feed.position());
  const oldest = Math.min(...open.map(({ oldest: at }) => at.getTime()));
  const count = open.reduce((sum, { count: requests }) => sum + requests, 0);
  return { count, oldest: count === 0 ? 0 : Math.max(0, (engine.now() - oldest) / 1000) };
}

const trial = 'This is a trial: one person can approve everything, until ASSENTRY_ENVIRONMENT says production.';

/**
 * Logs an error that nothing else has caught, and lets the process go on: whatever it interrupted is not stored, and no
 * other request depends on it.
 */
function catchLastResort(log: Logger): void {
  process.on('uncaughtException', (err: unknown, origin) =>
    log.error({ err, origin }, 'an error was caught by nothing else'),
  );
}
