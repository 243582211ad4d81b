import { directoryOf } from '../../installation/directory-of.ts';
import type { ServerOptions } from '../../installation/server-options.ts';
import { noteServing } from '../../installation/serving-note.ts';
import type { RunningServer } from '../../server.ts';
import { createLog } from '../../log.ts';
import { printProgress } from '../terminal/output.ts';
import { catchLastResort } from './last-resort.ts';

/** A server that runs here, or in workers. */
export type Started = Pick<RunningServer, 'url' | 'setUpAddress' | 'leave' | 'stop'>;

/** Serves in this process. */
export async function startNode(settings: ServerOptions): Promise<RunningServer> {
  const { startServer } = await import('../../server.ts'); // so that help and mistakes do not wait for all of it
  const server = await startServer(settings);
  catchLastResort(createLog(settings.logLevel));
  return server;
}

/**
 * Starts to serve, notes in the data directory of an embedded database where, and tells the operator what to do first.
 */
export async function startServing<T extends Started>(settings: ServerOptions, start: () => Promise<T>): Promise<T> {
  const server = await start();
  const forget = settings.databaseUrl === null ? await noteServing(directoryOf(settings), server.url) : null;
  await printStart(server, settings);
  const stop = async (): Promise<void> => {
    await forget?.();
    await server.stop();
  };
  return { ...server, stop };
}

async function printStart(server: Started, { environment }: ServerOptions): Promise<void> {
  const setUp = await server.setUpAddress();
  if (environment === 'trial') printProgress(trial);
  if (setUp)
    printProgress(
      'No one can sign in yet. Create the first administrator with this link, once, within a day:',
      `  ${setUp}`,
    );
}

const trial = 'This is a trial: one person can approve everything, until ASSENTRY_ENVIRONMENT says production.';
