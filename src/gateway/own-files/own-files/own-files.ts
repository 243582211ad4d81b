import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inTurns } from '#platform/crypto/in-turns/in-turns';
import { findOwnPath } from './find-own-path.ts';
import { SecretFinder, type KeptSecret } from './find-secret.ts';
import { namesIn } from './names-in.ts';
import { readFileFacts } from './read-file-facts.ts';

export interface OwnFilesOptions {
  /** What the tools run with. */
  variables: NodeJS.ProcessEnv;
  /** Secrets that are in no file. */
  secrets?: readonly KeptSecret[];
  /** The command of the server: the folders in it are where names may begin. */
  words?: readonly string[];
  /** Where the tools run, if not where this process does. */
  cwd?: string;
}

/**
 * Keeps calls away from Assentry's own files, and its secrets out of what comes back. There is no setting for it. The data
 * directory may be made later.
 */
export function openOwnFiles(directory: string, { secrets = [], ...machine }: OwnFilesOptions) {
  let state = '';
  let finder = new SecretFinder(secrets);
  const current = (): SecretFinder => {
    const now = stateOf(directory);
    if (now !== state) finder = new SecretFinder([...secrets, ...readSecrets(directory)]);
    state = now;
    return finder;
  };
  return {
    /** The path by which a call leads into them; null if it does not, as far as one can tell. */
    findPath: (tool: string, args: unknown): string | null =>
      findOwnPath(tool, args, readFileFacts(directory, machine)),
    /** The name of the secret of Assentry that a message carries; null if it carries none. */
    findSecret: (message: unknown): string | null => current().find(message),
    /** The same, with turns for everything else in between, if it is long. */
    findSecretInTurns: (message: unknown): Promise<string | null> => inTurns(current().search(message)),
  };
}

export type OwnFiles = ReturnType<typeof openOwnFiles>;

const keysIn = (directory: string): string => path.join(directory, 'gateway', 'keys');

/** Differs once a secret has been added, replaced or removed. */
const stateOf = (directory: string): string => filesWith(directory).map(stampOf).join();

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${file}:${ino}:${size}:${mtimeMs}`;
  } catch {
    return '';
  }
}

const filesWith = (directory: string): string[] => [
  ...['secret', 'set-up-link', path.join('postgres', 'password')].map((name) => path.join(directory, name)),
  ...namesIn(keysIn(directory)).map((name) => path.join(keysIn(directory), name)),
];

const readSecrets = (directory: string): KeptSecret[] =>
  filesWith(directory).flatMap((file) => secretsIn(path.relative(directory, file), readText(file)));

/** A ring of secrets is `kid:secret,kid:secret`, and what a link opens is behind its `#link=`. */
export function secretsIn(name: string, text: string): KeptSecret[] {
  const texts = text.split(/[\s,]+|(?<=^|,)[A-Za-z0-9-]{1,16}:/);
  return texts.map((part) => ({ name, value: part.replace(/^.*#link=/, '') }));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
