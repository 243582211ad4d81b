import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { FileFacts } from './file-facts.ts';

/** What there is to know of this machine, now: the data directory may be made, or links moved, while a server runs. */
export function readFileFacts(
  directory: string,
  {
    cwd = process.cwd(),
    words = [],
    variables,
  }: { cwd?: string; words?: readonly string[]; variables: NodeJS.ProcessEnv },
): FileFacts {
  const own = [...new Set([directory, realPath(directory)])];
  return {
    own,
    cwd,
    roots: words.filter((word) => path.isAbsolute(word)),
    home: homedir(),
    variables,
    isWindows: process.platform === 'win32',
    ignoresCase: existsSync(directory) && existsSync(otherCase(directory)),
    realPath,
  };
}

/** The real path of what exists of it, with the rest behind. A name that is too long or unreadable stays as it is. */
function realPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file || parent === '.' ? file : path.join(realPath(parent), path.basename(file));
  }
}

const otherCase = (text: string): string =>
  [...text]
    .map((character) => (character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase()))
    .join('');
