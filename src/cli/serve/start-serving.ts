import { directoryOf } from '../../installation/directory-of.ts';
import type { ServerOptions } from '../../installation/server-options.ts';
import { noteServing } from '../../installation/serving-note.ts';
import type { RunningServer } from '../../server.ts';
import { printProgress } from '../terminal/output.ts';

/**
 * Starts the server, notes in the data directory of an embedded database where it serves, and tells the operator what
 * to do first.
 */
export async function startServing(settings: ServerOptions): Promise<RunningServer> {
  const { startServer } = await import('../../server.ts'); // so that help and mistakes do not wait for all of it
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
