import { z } from 'zod';
import { AskedProvider } from '#connect/providers/auto';
import { Scopes } from '#connect/providers/scopes';
import {
  readAuthorization,
  type GatewayAuthorization,
  loopback,
  parsed,
  parseYaml,
  safeAddress,
  secret,
  valueOf,
  valuesOf,
  invalid,
  type Environment,
  type Value,
  isServerName,
  serverNameRule,
} from './authorization-config.ts';
import { isPrefix } from './merged/names.ts';
import { placeHere } from './reach/starters.ts';
import { reachOfAddress, reachOfCommand } from './reach/reach.ts';
import type { HttpServer } from './upstreams/http.ts';
import type { CredentialManner, UpstreamTokenSource } from './upstreams/credentials.ts';
import type { StdioServer } from './upstreams/stdio.ts';

const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, 'Use letters, digits and dashes.');

/** Members of every upstream. */
const common = {
  key: secret.optional(),
  /** Seconds until it begins to answer. */
  timeout: z.int().min(1).max(3_600).default(300),
  /** The most calls that are held or run at a time. */
  calls: z.int().min(1).max(100_000).default(5_000),
  /** Share of the calls, and of the processes, that one caller may take. */
  sharePerCaller: z.number().gt(0).max(1).default(0.2),
  /** MiB of one of its messages. */
  size: z.int().min(1).max(32).default(32),
  /** Methods outside MCP that pass all the same. */
  allowMethods: z.array(z.string().min(1)).default([]),
  /** Members of the `_meta` of calls that pass unseen. */
  allowMeta: z.array(z.string().min(1)).default([]),
  describeHeld: z.boolean().default(false),
};

const Token = z.strictObject({
  endpoint: safeAddress,
  clientId: z.string().min(1),
  clientSecret: secret,
  scope: z.string().min(1).optional(),
  resource: z.string().min(1).optional(),
  audience: z.string().min(1).optional(),
  for: z.enum(['gateway', 'requester']).default('gateway'),
});

const bearer = { header: 'authorization', prefix: 'Bearer ' };

const PerPerson = z
  .literal('per-person', 'Write per-person, { header: NAME } or { connect: PROVIDER }.')
  .transform((): CredentialManner => bearer);

const InHeader = z
  .strictObject({
    header: headerName,
    scheme: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'Give one word.')
      .optional(),
  })
  .transform(({ header, scheme }): CredentialManner => {
    return { header: header.toLowerCase(), prefix: scheme === undefined ? '' : `${scheme} ` };
  });

const OfAccount = z
  .strictObject({ connect: AskedProvider, scopes: Scopes.default([]) })
  .transform(({ connect: provider, scopes }): CredentialManner => ({ ...bearer, account: { provider, scopes } }));

/**
 * Each person's own credentials in a request: a bearer token, which they enter or which a provider gave for them, or a secret in
 * another header. Each form is judged alone, so that a fault is named at its place.
 */
const Credentials = z.unknown().transform((value, context): CredentialManner => {
  const form = hasMember(value, 'connect') ? OfAccount : hasMember(value, 'header') ? InHeader : PerPerson;
  const { data, error } = form.safeParse(value);
  if (data) return data;
  for (const issue of error.issues) context.addIssue({ ...issue });
  return z.NEVER;
});

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name);

const OverHttp = z.strictObject({
  ...common,
  url: safeAddress,
  headers: z.record(headerName, z.union([z.string(), secret])).default({}),
  token: Token.optional(),
  credentials: Credentials.optional(),
});

const OverStdio = z.strictObject({
  ...common,
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string().regex(/^\w+$/, 'Name a variable.'), z.union([z.string(), secret])).default({}),
  /** Limit of processes at a time. */
  sessions: z.int().min(1).max(10_000).default(50),
  /** Idle time after which a process is ended, in seconds. */
  idle: z.int().min(1).max(86_400).default(1_800),
});

const prefixRule = 'Write no two underscores in a row and none at the end: the name is put before those of the tools.';

const Config = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(4800),
  /** The address at which clients reach it. */
  url: safeAddress.refine((url) => new URL(url).origin === url, 'Give scheme, host and port alone.').optional(),
  authorization: z.looseObject({}).optional(),
  /** MiB of large answers that are read but not yet taken by their clients. */
  maxAnswers: z.int().min(32).max(65_536).default(64),
  upstreams: z
    .record(z.string().refine(isServerName, serverNameRule).refine(isPrefix, prefixRule), z.looseObject({}))
    .refine((upstreams) => Object.keys(upstreams).length > 0, 'Name at least one upstream.'),
});

/** One upstream of the configuration. */
export type ConfiguredUpstream = (HttpServer | StdioServer) & {
  /** Its command or address. */
  reaches: string;
  /** Assentry's key for this server; undefined if it is made here. */
  key: string | undefined;
  allowMethods: string[];
  allowMeta: string[];
  /** Adds to descriptions of tools that their calls wait. */
  describeHeld: boolean;
};

export interface GatewayConfig {
  host: string;
  port: number;
  /** Address for clients; undefined if they use the address at which it listens. */
  url: string | undefined;
  /** MiB of large answers that are held at a time. */
  maxAnswers: number;
  /** Null if callers are not checked. */
  authorization: GatewayAuthorization | null;
  upstreams: ConfiguredUpstream[];
}

/** The configuration of this text; `config-invalid` with the path of every fault and unknown member. */
export function readGatewayConfig(text: string, env: Environment): GatewayConfig {
  const { upstreams, authorization, url, ...listen } = parsed(Config, parseYaml(text), []);
  const read = Object.entries(upstreams).map(([name, upstream]) => readUpstream(name, upstream, env));
  const people = readAuthorization(authorization, env);
  // Without people there is one caller, who may use everything.
  const limited = people ? read : read.map((upstream) => ({ ...upstream, sharePerCaller: 1 }));
  const config = { ...listen, url, authorization: people, upstreams: limited };
  const fault = faultOfReach(config) ?? faultOfTokens(config) ?? faultOfPeople(config);
  if (fault !== null) throw invalid([fault]);
  return config;
}

/** A gateway that other machines reach needs an authorization and its own address. */
function faultOfReach({ host, url, authorization }: GatewayConfig): string | null {
  const isOpen = !loopback(`http://${host}`);
  if (isOpen && !authorization) return 'host: Name a loopback address: without authorization no one checks who calls.';
  return isOpen && url === undefined ? 'url: Give the address at which clients reach the gateway.' : null;
}

/** Fault of token exchange: it needs a requester's token. */
function faultOfTokens({ authorization, upstreams }: GatewayConfig): string | null {
  const exchanging = upstreams.find((upstream) => 'url' in upstream && upstream.token?.for === 'requester');
  return exchanging && !authorization ? `upstreams.${exchanging.name}.token.for: Set authorization as well.` : null;
}

/** Fault of personal credentials: Assentry gives them out only for an access token of the person. */
function faultOfPeople({ authorization, upstreams }: GatewayConfig): string | null {
  const own = upstreams.find((upstream) => 'url' in upstream && upstream.credentials);
  if (!own || authorization?.sendAccessToken) return null;
  return `upstreams.${own.name}.credentials: Set authorization with sendAccessToken: true as well, so that Assentry can check whose they are.`;
}

function readUpstream(name: string, upstream: object, env: Environment): ConfiguredUpstream {
  const path = ['upstreams', name];
  if (!('command' in upstream)) return readHttp(name, parsed(OverHttp, upstream, path), env);
  if ('credentials' in upstream)
    throw invalid([`${path.join('.')}.credentials: Use env: a server over stdio is shown no header of a person.`]);
  const { key, env: own, timeout, idle, size, ...command } = parsed(OverStdio, upstream, path);
  const limits = { timeout: timeout * 1_000, idle: idle * 1_000, size: size * mebibyte };
  const variables = valuesOf(own, env, [...path, 'env']);
  const words = [command.command, ...command.args];
  const written = writtenIn(own);
  const reaches = reachOfCommand({ words, own: written, inherited: { ...inherited(env), ...variables } }, placeHere());
  const whole = { ...command, ...limits, name, env: { ...inherited(env), ...variables }, reaches };
  return { ...whole, key: keyOf(key, env, path) };
}

function readHttp(
  name: string,
  { key, headers, token, credentials, timeout, size, ...server }: z.infer<typeof OverHttp>,
  env: Environment,
): ConfiguredUpstream {
  const path = ['upstreams', name];
  const values = Object.entries(valuesOf(headers, env, [...path, 'headers']));
  const lower = Object.fromEntries(values.map(([header, value]) => [header.toLowerCase(), value]));
  const limits = { timeout: timeout * 1_000, size: size * mebibyte };
  if (token && lower['authorization'])
    throw invalid([`${path.join('.')}.token: Leave out headers.Authorization, or this.`]);
  if (credentials && (token ? credentials.header === 'authorization' : lower[credentials.header] !== undefined))
    throw invalid([`${path.join('.')}.credentials: Leave out the other way to set ${credentials.header}, or this.`]);
  const source = token && readToken(token, env, [...path, 'token']);
  const reaches = reachOfAddress(server.url, writtenIn(headers));
  const whole = { ...server, ...limits, name, headers: lower, token: source, credentials, reaches };
  return { ...whole, key: keyOf(key, env, path) };
}

function readToken(
  { endpoint, clientId, clientSecret, for: whom, ...parameters }: z.infer<typeof Token>,
  env: Environment,
  path: string[],
): UpstreamTokenSource {
  const named = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const secretText = valueOf(clientSecret, env, [...path, 'clientSecret']);
  return { endpoint, clientId, clientSecret: secretText, parameters: Object.fromEntries(named), for: whom };
}

/** Values written in the file; a value from another place may be a secret under any name. */
const writtenIn = (values: Record<string, Value>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

const mebibyte = 1024 * 1024;

/**
 * Variables that a program needs to run. It gets all others only by name, because the environment holds secrets of all
 * upstreams.
 */
const inheritedNames =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TZ|LANG|LC_\w+|TMPDIR|TEMP|TMP|XDG_\w+|APPDATA|LOCALAPPDATA|HOMEDRIVE|HOMEPATH|PATHEXT|COMSPEC|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT|USERNAME|USERPROFILE|WINDIR)$/i;

const inherited = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => inheritedNames.test(name)));

const keyOf = (key: Value | undefined, env: Environment, path: string[]): string | undefined =>
  key && valueOf(key, env, [...path, 'key']);
