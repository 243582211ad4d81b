import { nearestName } from '../text/nearest-name.ts';
import { Problem } from '../model/problem.ts';
import {
  readableNames,
  readEnvironment,
  unknownNames,
  variableNames,
  type Environment,
  type VariableName,
} from './env.ts';

interface CheckedSettings {
  /** Set variables, without secrets. */
  set: { name: VariableName; value: string }[];
  /** Faults that keep a node from starting, and settings without effect: a sentence for each. */
  faults: string[];
}

/** Finds all faults, while a start stops at the first. `read` throws problem `config-invalid` at the first. */
export function checkSettings(
  read: (environment: Environment) => unknown,
  source?: NodeJS.ProcessEnv,
): CheckedSettings {
  const environment = readEnvironment(source);
  const names = variableNames.filter((name) => environment[name] !== undefined);
  const set = names.map((name) => ({ name, value: shown(name, environment[name] ?? '') }));
  return { set, faults: [...formatUnknownNames(source), ...faultsIn(environment, read)] };
}

/** Unknown settings, most likely misspelt: a sentence for each. */
export const formatUnknownNames = (source?: NodeJS.ProcessEnv): string[] =>
  unknownNames(source).map((name) => {
    const near = nearestName(name, readableNames);
    return `${name}: nothing reads it; ${near === null ? 'take it out' : `did you mean ${near}?`}`;
  });

/** Finds all faults: leaves out each variable that is wrong, and reads the rest again. */
function faultsIn(environment: Environment, read: (environment: Environment) => unknown): string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'config-invalid') throw error;
    const { message } = error;
    const wrong = variableNames.filter((name) => environment[name] !== undefined && isNamedIn(message, name));
    const rest = Object.fromEntries(
      Object.entries(environment).filter(([name]) => !wrong.some((each) => each === name)),
    );
    return wrong.length === 0 ? [message] : [message, ...faultsIn(rest, read)];
  }
}

const isNamedIn = (message: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(message);

/** Value for the output, without secrets, because people may paste it into a ticket. */
function shown(name: VariableName, value: string): string {
  if (/(?:_SECRETS?|_KEY|_TOKEN|_COMMAND|_WITNESSES|_LOG_STREAMS)$/.test(name)) return '(set)';
  return URL.canParse(value) ? withoutPassword(value, new URL(value)) : value;
}

/** The address without passwords, which may also be among its parameters. */
function withoutPassword(value: string, url: URL): string {
  const named = ['password', 'sslpassword'].filter((name) => url.searchParams.has(name));
  for (const name of named) url.searchParams.set(name, '***');
  if (url.password !== '') url.password = '***';
  return named.length > 0 || url.password !== '' ? url.href : value;
}
