import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refuseVariable } from '../config.ts';
import { ignoreExisting } from '../data-directory.ts';
import { readRing, minSecretLength, type NamedSecret } from './secrets.ts';

/** The secrets kept in the data directory, the first made at first start; only their owner may read them. */
export async function keepSecret(directory: string): Promise<NamedSecret[]> {
  const file = secretFile(directory);
  return readKept(file, (await readIfThere(file)) ?? (await makeSecret(file)));
}

/** The same, but problem `config-invalid` if there are none: a new one would not open what exists. */
export async function findSecret(directory: string): Promise<NamedSecret[]> {
  const file = secretFile(directory);
  const text = await readIfThere(file);
  if (text !== null) return readKept(file, text);
  throw refuseVariable('ASSENTRY_DATA_DIR', `no file ${file}`, 'put it back, or give its secrets in ASSENTRY_SECRETS');
}

function readKept(file: string, text: string): NamedSecret[] {
  const secret = text.trim(); // an editor adds a line end
  if (/^[A-Za-z0-9-]{1,16}:/.test(secret)) return readRing(secret);
  if (secret.length >= minSecretLength) return [{ kid: 'k1', secret }];
  // A new secret would never open what the old one sealed.
  throw refuseVariable(
    'ASSENTRY_DATA_DIR',
    `in ${file} a secret of ${secret.length} characters`,
    `restore that file, or give its secret in ASSENTRY_SECRET`,
  );
}

/** Adds a new secret after the existing ones, for nodes that start from now on; returns its kid. */
export async function addKeptSecret(directory: string): Promise<string> {
  const kept = await keepSecret(directory);
  const number = Math.max(...kept.map(({ kid }) => Number(/\d+$/.exec(kid)?.[0] ?? 0))) + 1;
  const secrets = [...kept, { kid: `k${number}`, secret: newSecret() }];
  const aside = `${secretFile(directory)}.${randomUUID()}`;
  const text = secrets.map(({ kid, secret }) => `${kid}:${secret}`).join();
  await writeFile(aside, text, { mode: 0o600, flush: true });
  await chmod(aside, 0o600);
  await rename(aside, secretFile(directory));
  return `k${number}`;
}

export const secretFile = (directory: string): string => path.join(directory, 'secret');

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Written to another file and linked into place, so that two processes that start at once read the same secret. */
async function makeSecret(file: string): Promise<string> {
  const aside = `${file}.${randomUUID()}`;
  await writeFile(aside, newSecret(), { mode: 0o600, flush: true });
  await chmod(aside, 0o600);
  await link(aside, file).catch(ignoreExisting);
  await rm(aside);
  return readFile(file, 'utf8');
}

async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
