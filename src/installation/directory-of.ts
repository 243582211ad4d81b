import path from 'node:path';
import type { Config } from '../config/config.ts';
import { defaultDataDirectory, isReachable } from '../store/embedded/directory.ts';

/** Where an installation with an embedded database keeps it, and its secrets. */
export const directoryOf = ({ dataDirectory }: Pick<Config, 'dataDirectory'>): string =>
  dataDirectory ?? chooseDirectory();

function chooseDirectory(): string {
  const local = path.join(process.cwd(), '.assentry');
  return defaultDataDirectory(process.cwd(), process.getuid?.() === 0, isReachable(local));
}
