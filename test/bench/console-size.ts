import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** What a browser loads before the first page of the console stands. Bytes. */
export interface ConsoleSize {
  files: number;
  plain: number;
  gzip: number;
  brotli: number;
}

/** Adds up what the built page names: its script, what that imports at once, and its styles. */
export function measureConsole(directory: string): ConsoleSize {
  const page = readFileSync(path.join(directory, 'index.html'), 'utf8');
  const files = [...page.matchAll(/assets\/[^"]+\.(?:js|css)/g)].map(([name]) => path.join(directory, name));
  const total = (suffix: string) => files.reduce((sum, file) => sum + statSync(`${file}${suffix}`).size, 0);
  return { files: files.length, plain: total(''), gzip: total('.gz'), brotli: total('.br') };
}
