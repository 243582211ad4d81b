import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { isLoopback, namePattern, nameRule } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { JwksSource, IntrospectedSource } from '#platform/bearer/tokens';
import { faultOfIssuer } from '#platform/model/identity';
import { type Place, placeHere } from './reach/starters.ts';
import { targetOf } from './reach/reach.ts';
import { isBoundTo } from './tools/pins.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = z.strictObject({ env: z.string().regex(/^\w+$/, 'Name a variable of the environment.') });
const file = z.strictObject({ file: z.string().min(1) });

/** Place of a secret. */
export const secret = z.union([variable, file], 'Give { env: NAME } or { file: PATH }.');

export type Value = string | z.infer<typeof secret>;

export const loopback = (url: string): boolean => URL.canParse(url) && isLoopback(url);

/** HTTPS address, or one on this machine. */
export const safeAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || loopback(url), 'Use https; http is for loopback addresses only.');

/** Each of these values, resolved from its source. */
export const valuesOf = (values: Record<string, Value>, env: Environment, path: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, env, [...path, name])]));

/** The text itself, or the content of its source; `config-invalid` if that is empty. */
export function valueOf(value: Value, env: Environment, path: string[]): string {
  const text = textOf(value, env);
  if (text) return text;
  throw invalid([`${path.join('.')}: Set the variable, write the file, or give another value.`]);
}

function textOf(value: Value, env: Environment): string | undefined {
  if (typeof value === 'string') return value;
  return 'env' in value ? env[value.env] : readSecret(value.file);
}

/** Editors end a file with a line end. Undefined if it cannot be read. */
function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

/** Parses by the schema; `config-invalid` with the path of everything wrong. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string[]): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as z.infer<Schema>;
  throw invalid(error.issues.map((issue) => `${[...at, ...issue.path].join('.') || 'It'}: ${sentenceOf(issue)}`));
}

/** For an unusable name, the rule says more than zod's message. */
const sentenceOf = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;

/** Value of the YAML text, without aliases. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : 'It cannot be read.']);
  }
}

export const invalid = (faults: string[]): Problem =>
  new Problem('config-invalid', { detail: `Correct the configuration of the gateway. ${faults.join(' ')}` });

/** Issuer of the access tokens of the gateway's clients. */
export interface GatewayAuthorization {
  source: Omit<JwksSource, 'audience'> | Omit<IntrospectedSource, 'audience'>;
  /** Scopes that a token must have. */
  scopes: string[];
  /** Shared by all nodes, so that each can verify the owner of a session; each node has its own if it is absent. */
  sessionSecret: string | undefined;
  /** Assentry gets the tokens, to check them itself. */
  sendAccessToken: boolean;
}

const issuer = z.string().superRefine((value, context) => {
  const message = faultOfIssuer(value);
  if (message !== null) context.addIssue({ code: 'custom', message });
});

const common = {
  issuer,
  scopes: z.array(z.string().regex(/^[\w.:/-]+$/, 'Give each scope by itself.')).default([]),
  sessionSecret: secret.optional(),
  sendAccessToken: z.boolean().default(false),
};
const ByKeys = z.strictObject({ ...common, jwks: safeAddress });
const ByWord = z.strictObject({
  ...common,
  introspection: safeAddress,
  clientId: z.string().min(1),
  clientSecret: secret,
});

/** Reads the member `authorization`; null if there is none. */
export function readAuthorization(value: object | undefined, env: Environment): GatewayAuthorization | null {
  if (value === undefined) return null;
  const path = ['authorization'];
  const { scopes, sessionSecret, sendAccessToken, ...source } = parsed(
    'introspection' in value ? ByWord : ByKeys,
    value,
    path,
  );
  const read = (name: string, part: Value): string => valueOf(part, env, [...path, name]);
  return {
    source: 'jwks' in source ? source : { ...source, clientSecret: read('clientSecret', source.clientSecret) },
    scopes,
    sessionSecret: sessionSecret && read('sessionSecret', sessionSecret),
    sendAccessToken,
  };
}

/** Follows the grammar of names, with no dot or dash first: a folder has this name, too. */
export const isServerName = (name: string): boolean => namePattern.test(name) && /^[A-Za-z0-9]/.test(name);
export const serverNameRule = `${nameRule} Begin with a letter or a digit.`;

/** Server name taken from its command: the package, program or host behind all starters, without scope, version and ending. */
export function serverNameOf(words: readonly string[], place: Place = placeHere()): string {
  const target = targetOf(words, place);
  const bare = hostIn(target) ?? baseOf(packageIn(target) ?? target).replace(/\.(?:js|mjs|cjs|ts|py|exe)$/i, '');
  const name = bare
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

/** This name, or the next free one: each name is of one server. Two processes may ask at the same time. */
export async function freeName(folder: string, name: string, reaches: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    if (await isBoundTo(folder, numbered, reaches)) return numbered;
  }
}

const hostIn = (target: string): string | null => (/^https?:\/\//.test(target) ? new URL(target).hostname : null);

/** The npm package that contains the file; null if none does. */
const packageIn = (place: string): string | null =>
  /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(place)?.[1]?.replace('\\', '/') ?? null;

/** Names of files and folders that do not describe a server. */
const plain = /^(?:index|main|server|cli|dist|build|lib|src|bin)?(?:\.(?:js|mjs|cjs|ts|py|exe))?$/i;

/** The last descriptive part of a path. */
function baseOf(word: string): string {
  const parts = word.split(/[\\/]/);
  return parts.findLast((part) => !plain.test(part)) ?? parts.at(-1) ?? '';
}
