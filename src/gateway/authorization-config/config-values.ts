import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem/problem';

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = z.strictObject({ env: z.string().regex(/^\w+$/, 'Name a variable of the environment.') });
const file = z.strictObject({ file: z.string().min(1) });

/** Where a secret is. */
export const secret = z.union([variable, file], 'Give { env: NAME } or { file: PATH }.');

export type Value = string | z.infer<typeof secret>;

export const loopback = (url: string): boolean => URL.canParse(url) && isLoopback(url);

/** An address that no one on the way can read along. */
export const safeAddress = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || loopback(url), 'Use https; http is for loopback addresses only.');

/** Each of these, from where it is. */
export const valuesOf = (values: Record<string, Value>, env: Environment, path: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, env, [...path, name])]));

/** The text itself, or what is where it says; `config-invalid` if nothing is. */
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

/** What the schema makes of it; `config-invalid` with the path of everything wrong. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string[]): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as z.infer<Schema>;
  throw invalid(error.issues.map((issue) => `${[...at, ...issue.path].join('.') || 'It'}: ${sentenceOf(issue)}`));
}

/** Of a name that cannot be used, the rule says more than that it cannot. */
const sentenceOf = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;

/** The value that is written there, without aliases. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : 'It cannot be read.']);
  }
}

export const invalid = (faults: string[]): Problem =>
  new Problem('config-invalid', { detail: `Correct the configuration of the gateway. ${faults.join(' ')}` });
