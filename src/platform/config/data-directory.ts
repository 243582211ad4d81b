import { constants } from 'node:fs';
import { access, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '../model/problem.ts';
import { refuseVariable } from './config.ts';

/** Facts that decide the default data directory. */
interface Machine {
  platform: NodeJS.Platform;
  home: string;
  /** `XDG_STATE_HOME`, the place for programs' data of this machine alone. */
  stateHome: string | undefined;
  /** `LOCALAPPDATA`, the same on Windows. */
  localAppData: string | undefined;
  isThere(file: string): boolean;
}

/** The data directory of this user, the same in every project; an existing one in the home directory is kept. */
export function defaultDataDirectory({ platform, home, stateHome, localAppData, isThere }: Machine): string {
  const { join, isAbsolute } = platform === 'win32' ? path.win32 : path.posix;
  const inHome = join(home, '.assentry');
  if (isThere(inHome)) return inHome;
  if (stateHome !== undefined && isAbsolute(stateHome)) return join(stateHome, 'assentry');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'assentry');
  return platform === 'win32' && localAppData !== undefined ? join(localAppData, 'assentry') : inHome;
}

/**
 * Throws problem `config-invalid` if the installation of this user is in the working directory, where earlier versions
 * made it, and there is none in the default directory: an empty one in its place would lose its policies and its log.
 */
export function assertNotLeftBehind(
  workingDirectory: string,
  directory: string,
  { isThere }: Pick<Machine, 'isThere'>,
) {
  const left = path.join(workingDirectory, '.assentry');
  if (left === directory || !holdsInstallation(left, isThere) || holdsInstallation(directory, isThere)) return;
  throw refuseVariable(
    'ASSENTRY_DATA_DIR',
    `nothing, and an Assentry in ${left}`,
    `give ${left} to go on with that one, or ${directory} to begin another; ` +
      `to keep it for all projects, move it to ${directory} while it does not run`,
  );
}

const holdsInstallation = (directory: string, isThere: Machine['isThere']): boolean =>
  ['secret', 'postgres', 'gateway'].some((name) => isThere(path.join(directory, name)));

/** Makes the data directory, which no one else can read; problem `config-invalid` if it cannot be used. */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    await writeFile(path.join(directory, ignoreFile), '*\n', { flag: 'wx' }).catch(ignoreExisting);
  } catch (error) {
    throw refuseDirectory(directory, (error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Throws problem `config-invalid` if the data directory is empty but must exist. */
export async function findDataDirectory(directory: string): Promise<void> {
  const kept = await readdir(directory).catch(() => []);
  if (kept.some((name) => name !== ignoreFile)) return;
  throw new Problem('config-invalid', {
    detail: `There is no Assentry in ${directory}. Run this where it runs, or give its ASSENTRY_DATA_DIR or DATABASE_URL.`,
  });
}

/** File that keeps its secrets out of a surrounding repository. */
const ignoreFile = '.gitignore';

/** Ignores that another process was first. */
export function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
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
