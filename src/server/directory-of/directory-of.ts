import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Config } from '#platform/config/config';
import { defaultDataDirectory, assertNotLeftBehind } from '#platform/config/data-directory';
import { statePlaces } from '#platform/config/env';
import { isReachable, SYSTEM_DIRECTORY } from '#platform/embedded/process';

/** Where an installation with an embedded database keeps it, and its secrets, as an absolute path. */
export const directoryOf = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  dataDirectory === null ? chooseDirectory() : path.resolve(dataDirectory);

/** Problem `config-invalid` if an earlier version made it elsewhere. */
function chooseDirectory(): string {
  const machine = { platform: process.platform, home: homedir(), ...statePlaces(), isThere: existsSync };
  const own = defaultDataDirectory(machine);
  // PostgreSQL's user opens the directory itself to walk through, so only the way to it counts.
  const isClosed = process.getuid?.() === 0 && !isReachable(path.dirname(own));
  const directory = isClosed ? SYSTEM_DIRECTORY : own;
  assertNotLeftBehind(process.cwd(), directory, machine);
  return directory;
}
