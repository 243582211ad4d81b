import type { Logger } from 'pino';
import { isTrial } from '#policies/contract/policy';
import { directoryOf, noteServing } from '#server/directory-of';
import type { ServerOptions } from '#server/options';
import type { RunningServer } from '#server/server';
import { createLog } from '#platform/process/log';
import { printProgress } from './output.ts';
import { serveHooks } from '#gateway/harness/command/serve-hooks';
import { publishFirst } from '#policies/command/first-policies';
import { forgetSetUp, announceSetUp } from '#access/sign-in/command';

/** A server that runs here, or in workers. */
export type Started = Pick<RunningServer, 'url' | 'setUpAddress' | 'leave' | 'stop'> & {
  /** Is there anyone who can sign in? Absent if it cannot say. */
  hasPeople?(): Promise<boolean>;
};

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
  return { ...server, hasPeople: async () => (await server.directory()).users.length > 0 };
}

/**
 * Starts to serve, notes in the data directory of an embedded database where, and prints what the operator does first.
 * If any of it fails, nothing serves.
 */
export async function startServing<T extends Started>(settings: ServerOptions, start: () => Promise<T>): Promise<T> {
  const server = await start();
  try {
    return { ...server, stop: await announce(server, settings) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Returns how to stop it, which takes the announcements back first. */
async function announce(server: Started, settings: ServerOptions): Promise<() => Promise<void>> {
  const forget = settings.databaseUrl === null ? await noteServing(directoryOf(settings), server.url) : null;
  const endHooks = settings.databaseUrl === null ? await serveHooks(directoryOf(settings)) : null;
  if (isTrial(settings.environment)) printProgress(trial);
  const setUp = await server.setUpAddress();
  if (setUp === null) await forgetSetUp(settings);
  const isUsed = async (): Promise<boolean> => (await server.hasPeople?.()) ?? false;
  const forgetLink = setUp === null ? null : await announceSetUp(setUp, settings, isUsed);
  return async () => {
    await forgetLink?.();
    await endHooks?.();
    await forget?.();
    await server.stop();
  };
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
