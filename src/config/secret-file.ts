import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refuseVariable } from './config.ts';
import { shortestSecret, type NamedSecret } from './secrets.ts';

/** The secret kept in the data directory, made at first start; only its owner may read it. */
export async function keepSecret(directory: string): Promise<NamedSecret[]> {
  const file = path.join(directory, 'secret');
  const secret = ((await readIfThere(file)) ?? (await makeSecret(file))).trim(); // an editor adds the end of a line
  if (secret.length >= shortestSecret) return [{ kid: 'k1', secret }];
  // A new one in its place would never open what the old one sealed.
  throw refuseVariable(
    'ASSENTRY_DATA_DIR',
    `in ${file} a secret of ${secret.length} characters`,
    `restore that file, or give its secret in ASSENTRY_SECRET`,
  );
}

/** Written aside and linked into place: of two that start at once, both read the one that was first. */
async function makeSecret(file: string): Promise<string> {
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
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
