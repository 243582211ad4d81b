import { Problem } from '../../model/problem/problem.ts';
import { refuseVariable } from '../config.ts';
import type { Environment, VariableName } from '../env.ts';
import { runSecretsCommand } from './secrets-command.ts';

export interface NamedSecret {
  kid: string;
  secret: string;
}

/** Variables of one secret each, in the order of reading. */
const single = ['ASSENTRY_SECRET', 'MCP_ELICITATION_SECRET', 'MCP_SESSION_SECRET', 'MCP_SERVER_SECRET'] as const;
/** Characters. */
export const minSecretLength = 32;

/**
 * The secrets in force, the active one first; null if none is given. Problem `config-invalid` names the variable and
 * what is wrong, never the secret.
 */
export function readSecrets(environment: Environment): NamedSecret[] | null {
  const { ASSENTRY_SECRETS_COMMAND: command } = environment;
  if (command !== undefined) return readPrinted(command, environment);
  if (environment.ASSENTRY_SECRETS !== undefined) return readRing(environment.ASSENTRY_SECRETS);
  const name = single.find((variable) => environment[variable] !== undefined);
  if (!name) return null;
  return [{ kid: 'k1', secret: checkLength(name, environment[name] ?? '') }];
}

/** A secret that is in the environment as well would not need the key service. */
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
export function readRing(text: string, name: RingName = 'ASSENTRY_SECRETS'): NamedSecret[] {
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
