import { realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Problem } from '#protocol/model/problem';

/** The real path of what a word names, from the working directory; null if nothing is there. */
export function resolveWord(word: string): string | null {
  try {
    return realpathSync(path.resolve(word));
  } catch {
    return null;
  }
}

/**
 * Remembers which command runs under a server's name. Problem `config-invalid` if another one does: it would be judged by
 * the accepted definitions, the policies and the key of that one.
 */
export async function rememberCommand(directory: string, server: string, command: string): Promise<void> {
  const file = fileOf(directory, server);
  const first = await readCommand(file);
  if (first === command) return;
  if (first !== null) throw refused(server, first, command);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, `${command}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const other = await readCommand(file); // another process was first
    if (other !== null && other !== command) throw refused(server, other, command);
  }
}

/** The next command that runs under this name is remembered. Returns the one that was; null if none was. */
export async function forgetCommand(directory: string, server: string): Promise<string | null> {
  const file = fileOf(directory, server);
  const command = await readCommand(file);
  await rm(file, { force: true });
  return command;
}

const refused = (server: string, first: string, command: string): Problem =>
  new Problem('config-invalid', {
    detail: `Give this server a name of its own with --server: as ${server}, ${first} runs, and this is ${command}. If it is to take that one's place, with its key, accepted tools and policies: assentry gateway rebind ${server}`,
  });

const fileOf = (directory: string, server: string): string => path.join(directory, 'gateway', 'commands', server);

async function readCommand(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() === '' ? null : text.trim();
}
