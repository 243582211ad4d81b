import { Problem } from '../model/problem.ts';
import { refuseVariable } from './config.ts';
import type { Environment, VariableName } from './env.ts';

export interface NamedSecret {
  kid: string;
  secret: string;
}

/** One secret each, in the order they are looked for. */
const single = ['ASSENTRY_SECRET', 'MCP_ELICITATION_SECRET', 'MCP_SESSION_SECRET', 'MCP_SERVER_SECRET'] as const;
const shortest = 32;

/**
 * The secrets in force, the active one first; null where none is given.
 * Problem `config-invalid` names the variable and what is wrong, never the secret.
 */
export function readSecrets(environment: Environment): NamedSecret[] | null {
  if (environment.ASSENTRY_SECRETS !== undefined) return readRing(environment.ASSENTRY_SECRETS);
  const name = single.find((one) => environment[one] !== undefined);
  if (!name) return null;
  return [{ kid: 'k1', secret: checkLength(name, environment[name] ?? '') }];
}

export const missingSecrets = (): Problem =>
  new Problem('config-invalid', {
    detail:
      'ASSENTRY_SECRETS or ASSENTRY_SECRET: found nothing; with DATABASE_URL every node needs the same secret of at least 32 characters.',
  });

function readRing(text: string): NamedSecret[] {
  const secrets = text.split(',').map(readPair);
  if (new Set(secrets.map(({ kid }) => kid)).size === secrets.length) return secrets;
  throw refuseVariable('ASSENTRY_SECRETS', 'a key id twice', 'each key id stands once');
}

function readPair(pair: string): NamedSecret {
  const [, kid, secret] = /^\s*([A-Za-z0-9-]{1,16}):(.*?)\s*$/s.exec(pair) ?? [];
  if (kid === undefined || secret === undefined) {
    throw refuseVariable(
      'ASSENTRY_SECRETS',
      'a part that is no pair',
      'write kid:secret,kid:secret, the active one first',
    );
  }
  return { kid, secret: checkLength('ASSENTRY_SECRETS', secret) };
}

function checkLength(name: VariableName, secret: string): string {
  if (secret.length >= shortest) return secret;
  throw refuseVariable(name, `a secret of ${secret.length} characters`, `use at least ${shortest}`);
}
