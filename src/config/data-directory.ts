import { constants } from 'node:fs';
import { access, mkdir, readdir } from 'node:fs/promises';
import { Problem } from '../model/problem.ts';
import { refuseVariable } from './config.ts';

/** Makes the data directory, which no one else can read; problem `config-invalid` if it cannot be used. */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refuseDirectory(directory, (error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Throws problem `config-invalid` if the data directory is empty although the caller expects an existing one. */
export async function findDataDirectory(directory: string): Promise<void> {
  const kept = await readdir(directory).catch(() => []);
  if (kept.length > 0) return;
  throw new Problem('config-invalid', {
    detail: `There is no Assentry in ${directory}. Run this where it runs, or give its ASSENTRY_DATA_DIR or DATABASE_URL.`,
  });
}

const reasons: Record<string, string> = {
  EACCES: 'which this user may not write to',
  EPERM: 'which this user may not write to',
  EROFS: 'which cannot be written to',
  EEXIST: 'which is a file',
  ENOTDIR: 'which leads through a file',
};

const refuseDirectory = (directory: string, code: string): Problem =>
  refuseVariable(
    'ASSENTRY_DATA_DIR',
    `${directory}, ${reasons[code] ?? `which cannot be used (${code})`}`,
    'give a directory that this user may make and write to',
  );
