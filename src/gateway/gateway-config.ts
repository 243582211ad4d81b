import { parse } from 'yaml';
import { z } from 'zod';
import { isLoopback, namePattern, nameRule } from '../model/names.ts';
import { Problem } from '../model/problem.ts';
import { isPrefix } from './merged/names.ts';
import type { HttpServer } from './upstreams/http-upstream.ts';
import type { StdioServer } from './upstreams/stdio-upstream.ts';

const variable = z.strictObject({ env: z.string().regex(/^\w+$/, 'Name a variable of the environment.') });
const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, 'Use letters, digits and dashes.');
const loopback = (url: string): boolean => URL.canParse(url) && isLoopback(url);

/** What every upstream has. */
const common = {
  key: variable.optional(),
  /** Seconds until it begins to answer. */
  timeout: z.int().min(1).max(3_600).default(300),
  /** The most calls that are held or run at a time. */
  calls: z.int().min(1).max(100_000).default(5_000),
  /** MiB of one of its messages. */
  size: z.int().min(1).max(32).default(32),
};

const OverHttp = z.strictObject({
  ...common,
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || loopback(url), 'Use https; http is for loopback addresses only.'),
  headers: z.record(headerName, z.union([z.string(), variable])).default({}),
});

const OverStdio = z.strictObject({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string().regex(/^\w+$/, 'Name a variable.'), z.union([z.string(), variable])).default({}),
  /** The most processes at a time. */
  sessions: z.int().min(1).max(10_000).default(50),
  /** Seconds after which a process that no one uses is ended. */
  idle: z.int().min(1).max(86_400).default(1_800),
});

const prefixRule = 'Write no two underscores in a row and none at the end: the name is put before those of the tools.';

const Config = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .refine((host) => loopback(`http://${host}`), 'Name a loopback address: no one checks who calls the gateway.'),
  port: z.int().min(0).max(65_535).default(4800),
  upstreams: z
    .record(z.string().regex(namePattern, nameRule).refine(isPrefix, prefixRule), z.looseObject({}))
    .refine((upstreams) => Object.keys(upstreams).length > 0, 'Name at least one upstream.'),
});

/** One upstream of the configuration. */
export type ConfiguredUpstream = (HttpServer | StdioServer) & {
  /** Assentry's key for this server; undefined if it is made here. */
  key: string | undefined;
};

export interface GatewayConfig {
  host: string;
  port: number;
  upstreams: ConfiguredUpstream[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Value = string | z.infer<typeof variable>;

/** The configuration of this text; `config-invalid` with the path of everything wrong, and of members that are unknown. */
export function readGatewayConfig(text: string, env: Environment): GatewayConfig {
  const { upstreams, ...listen } = parsed(Config, parseYaml(text), []);
  const read = Object.entries(upstreams).map(([name, upstream]) => readUpstream(name, upstream, env));
  return { ...listen, upstreams: read };
}

function readUpstream(name: string, upstream: object, env: Environment): ConfiguredUpstream {
  const path = ['upstreams', name];
  if (!('command' in upstream)) return readHttp(name, parsed(OverHttp, upstream, path), env);
  const { key, env: own, timeout, idle, size, ...command } = parsed(OverStdio, upstream, path);
  const limits = { timeout: timeout * 1_000, idle: idle * 1_000, size: size * mebibyte };
  const variables = valuesOf(own, env, [...path, 'env']);
  return { ...command, ...limits, name, env: { ...inherited(env), ...variables }, key: keyOf(key, env, path) };
}

function readHttp(
  name: string,
  { key, headers, timeout, size, ...server }: z.infer<typeof OverHttp>,
  env: Environment,
): ConfiguredUpstream {
  const path = ['upstreams', name];
  const values = Object.entries(valuesOf(headers, env, [...path, 'headers']));
  const lower = Object.fromEntries(values.map(([header, value]) => [header.toLowerCase(), value]));
  const limits = { timeout: timeout * 1_000, size: size * mebibyte };
  return { ...server, ...limits, name, headers: lower, key: keyOf(key, env, path) };
}

const mebibyte = 1024 * 1024;

/** What a program needs to run. Everything else it gets only by name, because the upstreams have each other's secrets here. */
const inheritedNames =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LC_\w+|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|COMSPEC|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|WINDIR)$/i;

const inherited = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => inheritedNames.test(name)));

const keyOf = (key: Value | undefined, env: Environment, path: string[]): string | undefined =>
  key && valueOf(key, env, [...path, 'key']);

const valuesOf = (values: Record<string, Value>, env: Environment, path: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(value, env, [...path, name])]));

function valueOf(value: Value, env: Environment, path: string[]): string {
  const text = typeof value === 'string' ? value : env[value.env];
  if (text) return text;
  throw invalid([`${path.join('.')}: Set the variable, or give another value.`]);
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, at: string[]): z.infer<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as z.infer<Schema>;
  throw invalid(error.issues.map((issue) => `${[...at, ...issue.path].join('.') || 'It'}: ${sentenceOf(issue)}`));
}

/** Of a name that cannot be used, the rule says more than that it cannot. */
const sentenceOf = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : 'It cannot be read.']);
  }
}

const invalid = (faults: string[]): Problem =>
  new Problem('config-invalid', { detail: `Correct the configuration of the gateway. ${faults.join(' ')}` });
