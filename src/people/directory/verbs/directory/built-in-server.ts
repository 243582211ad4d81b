import type { DirectoryRecord } from '../../store/directory-record/directory-record.ts';
import type { ownServer } from '#platform/model/names';
import { changeDirectory, type Administrator, type DirectoryEngine } from './change-directory.ts';

/** Adds one of Assentry's own servers, with its entry in the log, when it first asks for someone, whatever they may. */
export async function addBuiltInServer(
  engine: DirectoryEngine,
  by: Administrator,
  server: typeof ownServer,
): Promise<void> {
  const add = ({ servers }: DirectoryRecord) => {
    if (servers.some(({ id }) => id === server.id)) return null;
    return {
      write: { type: 'new-server', server: { ...server } },
      event: { type: 'server.added', server: server.id },
    } as const;
  };
  await changeDirectory(engine, by, add, null);
}
