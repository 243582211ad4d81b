import { readdirSync } from 'node:fs';

/** None for a folder that is not there or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
