import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { directoryOf } from '../../installation/directory-of.ts';
import { printProgress } from '../terminal/output.ts';

/** Where the operator finds the link; null for nowhere. */
export type LinkPlace = 'terminal' | { file: string } | null;

/**
 * Tells the operator how to make the first administrator. Many people may read a log, so the link is printed only to a
 * terminal; else it is in a file that only its owner can read. The returned function removes that file.
 */
export async function tellSetUp(
  link: string,
  settings: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
): Promise<() => Promise<void>> {
  const place = process.stderr.isTTY ? 'terminal' : await keepLink(link, settings);
  printProgress(...setUpSentences(link, place));
  return async () => {
    if (place !== null && place !== 'terminal') await rm(place.file, { force: true });
  };
}

/** What the operator reads; the link is in it only for a terminal. */
export function setUpSentences(link: string, place: LinkPlace): string[] {
  if (place === 'terminal')
    return ['No one can sign in yet. Create the first administrator with this link, once, within a day:', `  ${link}`];
  if (place === null)
    return [
      'No one can sign in yet. Create the first administrator with this command, which prints a link:',
      '  assentry user add EMAIL --role admin',
    ];
  return [
    'No one can sign in yet. Create the first administrator with the link in this file, once, within a day:',
    `  ${place.file}`,
  ];
}

/** A node with an external database has a directory of its own only if it was given one. */
async function keepLink(
  link: string,
  { databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>,
): Promise<LinkPlace> {
  if (databaseUrl !== null && dataDirectory === null) return null;
  const directory = directoryOf({ dataDirectory });
  const file = path.join(directory, 'set-up-link');
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await rm(file, { force: true });
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' });
    return { file };
  } catch {
    return null; // it may be read-only; the command works anyway
  }
}
