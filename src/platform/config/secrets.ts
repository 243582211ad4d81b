import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { refuseVariable } from './config.ts';
import { ignoreExisting } from './data-directory.ts';
import { readFileSync } from 'node:fs';
import { type VariableName, type Environment, childEnvironment } from './env.ts';
import { Problem } from '../model/problem.ts';
import { spawnSync } from 'node:child_process';
import type { z } from 'zod';

/** The secrets kept in the data directory, the first made at first start; only their owner may read them. */
export async function keepSecret(directory: string): Promise<NamedSecret[]> {
  const file = secretFile(directory);
  return readKept(file, (await readIfThere(file)) ?? (await makeSecret(file)));
}

/** The kept secrets; problem `config-invalid` if there are none, because a new one would not open existing data. */
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

/** Makes the secret in another file and links it into place, so that two processes that start at once read the same one. */
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

/** Content of the file that this variable names; problem `config-invalid` with the usage if it cannot be read as JSON. */
export function readJsonFile(variable: VariableName, file: string, usage: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw refuseVariable(variable, `${file}, which cannot be read as JSON`, usage);
  }
}

/** Place in a file of settings: `where` names it to the operator. */
interface SecretPlace {
  variable: VariableName;
  /** The file of the settings; a relative path is read from its folder. */
  file: string;
  where: string;
  usage: string;
  /** What is wrong with the secret, in words that do not repeat it. */
  faultOf?: (secret: string) => string | null;
}

/** The secret in a file that the settings name; problem `config-invalid` if there is none. */
export function readSecretFile(secretPath: string, place: SecretPlace): string {
  const { variable, file, where, usage, faultOf = () => null } = place;
  const secretFile = path.resolve(path.dirname(file), secretPath);
  const refuse = (what: string) => refuseVariable(variable, `${secretFile} at "${where}", ${what}`, usage);
  let secret: string;
  try {
    secret = readFileSync(secretFile, 'utf8').trim();
  } catch {
    throw refuse('which cannot be read');
  }
  const fault = secret === '' ? 'which is empty' : faultOf(secret);
  if (fault !== null) throw refuse(fault);
  return secret;
}

/** Problem `config-invalid` with the file, the place in it and the remedy; it repeats no value. */
export function refuseContent(
  variable: VariableName,
  file: string,
  issue: z.core.$ZodIssue | undefined,
  usage: string,
): Problem {
  const member = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const place = JSON.stringify([...(issue?.path ?? []), ...member].join('.'));
  const { message = '' } = (issue?.code === 'invalid_key' ? issue.issues[0] : issue) ?? {};
  const advice = message.endsWith('.') ? message.slice(0, -1) : usage;
  return refuseVariable(variable, `${file}, which is wrong at ${place}`, advice);
}

export interface NamedSecret {
  kid: string;
  secret: string;
}

/** Variables of one secret each, in the order of reading. */
const single = ['ASSENTRY_SECRET', 'MCP_ELICITATION_SECRET', 'MCP_SESSION_SECRET', 'MCP_SERVER_SECRET'] as const;
/** Least length in characters. */
export const minSecretLength = 32;

/**
 * The secrets in force, the active one first; null if none is given. Problem `config-invalid` names the variable and the fault,
 * never the secret.
 */
export function readSecrets(environment: Environment): NamedSecret[] | null {
  const { ASSENTRY_SECRETS_COMMAND: command } = environment;
  if (command !== undefined) return readPrinted(command, environment);
  if (environment.ASSENTRY_SECRETS !== undefined) return readRing(environment.ASSENTRY_SECRETS);
  const name = single.find((variable) => environment[variable] !== undefined);
  if (!name) return null;
  return [{ kid: 'k1', secret: checkLength(name, environment[name] ?? '') }];
}

/** Secrets from a key service, refused if the environment holds one as well: that one would bypass the service. */
function readPrinted(command: string, { ASSENTRY_SECRETS, ASSENTRY_SECRET }: Environment): NamedSecret[] {
  if (ASSENTRY_SECRETS ?? ASSENTRY_SECRET)
    throw refuseVariable('ASSENTRY_SECRETS_COMMAND', 'secrets in the environment as well', 'remove one of the two');
  return readRing(runSecretsCommand(command), 'ASSENTRY_SECRETS_COMMAND');
}

export const missingSecrets = (): Problem =>
  refuseVariable(
    'ASSENTRY_SECRET',
    'nothing',
    `with DATABASE_URL every node needs the same secret of at least ${minSecretLength} characters here, in ASSENTRY_SECRETS or from ASSENTRY_SECRETS_COMMAND`,
  );

/** Reads `kid:secret,kid:secret`. */
function readRing(text: string, name: RingName = 'ASSENTRY_SECRETS'): NamedSecret[] {
  const secrets = text.split(',').map((pair, index) => readPair(name, pair, `part ${index + 1}`));
  assertDistinct(name, secrets, 'kid', 'the same key id twice');
  assertDistinct(name, secrets, 'secret', 'the same secret twice');
  return secrets;
}

type RingName = 'ASSENTRY_SECRETS' | 'ASSENTRY_SECRETS_COMMAND';

/** People confuse the two halves, so a key id may be a secret: neither is repeated. */
function readPair(name: RingName, pair: string, part: string): NamedSecret {
  const [, kid, secret] = /^\s*([A-Za-z0-9-]{1,16}):(.*?)\s*$/s.exec(pair) ?? [];
  if (kid === undefined || secret === undefined) {
    throw refuseVariable(
      name,
      `${part}, which is not of the form kid:secret`,
      'write kid:secret,kid:secret, the active one first; a kid has 1 to 16 letters, digits or hyphens, a secret no comma',
    );
  }
  return { kid, secret: checkLength(name, secret, `in ${part} `) };
}

function assertDistinct(name: RingName, secrets: NamedSecret[], field: keyof NamedSecret, finding: string): void {
  if (new Set(secrets.map((secret) => secret[field])).size === secrets.length) return;
  throw refuseVariable(name, finding, 'give each secret a key id of its own');
}

function checkLength(name: VariableName, secret: string, where = ''): string {
  if (secret.length >= minSecretLength) return secret;
  throw refuseVariable(name, `${where}a secret of ${secret.length} characters`, `use at least ${minSecretLength}`);
}

/** Milliseconds a key service has to answer. */
const timeoutMs = 10_000;
/** Limit of the output in bytes. */
const maxOutputLength = 65_536;
const name = 'ASSENTRY_SECRETS_COMMAND';

/**
 * Output of this shell command: the secrets, from a key service. Problem `config-invalid` if it fails, takes too long or prints
 * nothing; it names the exit code and never the output.
 */
export function runSecretsCommand(command: string, limit = timeoutMs): string {
  const { error, status, signal, stdout } = spawnSync(command, {
    shell: true,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limit,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputLength,
    encoding: 'utf8',
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') throw refuse('a command that took too long');
  if (error || status !== 0) throw refuse(`a command that ended with ${status ?? signal ?? 'an error'}`);
  if (stdout.trim() === '') throw refuse('a command that printed nothing');
  return stdout.trim();
}

const refuse = (finding: string) =>
  refuseVariable(name, finding, 'run it by itself: within ten seconds it must print kid:secret,kid:secret');
