import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#platform/config/config';
import { directoryOf } from '#server/directory-of';
import { printProgress } from '#cli/output';

/** Place of the link for the operator; null for nowhere. */
export type LinkPlace = 'terminal' | { file: string } | null;

type LinkSettings = Pick<Config, 'databaseUrl' | 'dataDirectory'>;

/** Milliseconds between two looks whether the link was used. */
const lookIntervalMs = 2_000;
/** Milliseconds for which the link can be used: one day. */
const linkLife = 86_400_000;

/**
 * Tells the operator how to make the first administrator. Many people may read a log, so the link is printed only to a
 * terminal; else it is in a file that only its owner can read. That file is removed as soon as the link is of no use;
 * the returned function removes it at once.
 */
export async function announceSetUp(
  link: string,
  settings: LinkSettings,
  isUsed: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const place = process.stderr.isTTY ? 'terminal' : await keepLink(link, settings);
  printProgress(...setUpSentences(link, place));
  if (place === null || place === 'terminal') return async () => {};
  const stopping = new AbortController();
  const removed = removeWhenUseless(place.file, isUsed, stopping.signal);
  return async () => {
    stopping.abort();
    await removed;
  };
}

/** Removes what a node that was killed has left: people can sign in. */
export async function forgetSetUp(settings: LinkSettings): Promise<void> {
  const file = fileIn(settings);
  if (file !== null) await rm(file, { force: true }).catch(() => {}); // a used link opens nothing
}

async function removeWhenUseless(file: string, isUsed: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const end = performance.now() + linkLife;
  while (!signal.aborted && performance.now() < end && !(await isUsed().catch(() => false)))
    await sleep(lookIntervalMs, undefined, { signal, ref: false }).catch(() => {});
  await rm(file, { force: true });
}

/** Sentences for the operator; the link is in them only for a terminal. */
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
const fileIn = ({ databaseUrl, dataDirectory }: LinkSettings): string | null =>
  databaseUrl !== null && dataDirectory === null ? null : path.join(directoryOf({ dataDirectory }), 'set-up-link');

async function keepLink(link: string, settings: LinkSettings): Promise<LinkPlace> {
  const file = fileIn(settings);
  if (file === null) return null;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await rm(file, { force: true });
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' });
    return { file };
  } catch {
    return null; // it may be read-only; the command works anyway
  }
}
