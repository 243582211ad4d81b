import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedSecret } from './secrets.ts';

/** The secret kept beside the embedded database, made at first start; only its owner may read it. */
export async function keepSecret(directory: string): Promise<NamedSecret[]> {
  const file = path.join(directory, 'secret');
  const known = await readIfThere(file);
  return [{ kid: 'k1', secret: known ?? (await makeSecret(directory, file)) }];
}

/** Written aside and linked into place: of two that start at once, both read the one that was first. */
async function makeSecret(directory: string, file: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, randomBytes(32).toString('base64url'), { mode: 0o600 });
  await chmod(aside, 0o600);
  await link(aside, file).catch(ignoreExisting);
  await rm(aside);
  return readFile(file, 'utf8');
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
