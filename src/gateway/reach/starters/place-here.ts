import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Place } from './files.ts';

/** Of this process, or of one that is started in this folder. */
export const placeHere = (cwd = process.cwd()): Place => ({ cwd, home: homedir(), realPath });

function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
