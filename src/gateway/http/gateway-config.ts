import { parse } from 'yaml';
import { z } from 'zod';
import { isLoopback, namePattern, nameRule } from '../../model/names.ts';
import { Problem } from '../../model/problem.ts';

const variable = z.strictObject({ env: z.string().regex(/^\w+$/, 'Name a variable of the environment.') });
const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, 'Use letters, digits and dashes.');
const loopback = (url: string): boolean => URL.canParse(url) && isLoopback(url);

const Upstream = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.startsWith('https:') || loopback(url), 'Use https; http is for loopback addresses only.'),
  headers: z.record(headerName, z.union([z.string(), variable])).default({}),
  key: variable.optional(),
  /** Seconds until it begins to answer. */
  timeout: z.int().min(1).max(3_600).default(300),
  /** The most calls that are held or run at a time. */
  calls: z.int().min(1).max(100_000).default(5_000),
});

const Config = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .refine((host) => loopback(`http://${host}`), 'Name a loopback address: no one checks who calls the gateway.'),
  port: z.int().min(0).max(65_535).default(4800),
  upstreams: z
    .record(z.string().regex(namePattern, nameRule), Upstream)
    .refine((upstreams) => Object.keys(upstreams).length > 0, 'Name at least one upstream.'),
});

/** An MCP server over HTTP, and how to reach it. */
export interface HttpUpstream {
  name: string;
  url: string;
  /** Sent with each request, in place of what the client sends by these names. */
  headers: Record<string, string>;
  /** Assentry's key for this server; undefined if it is made here. */
  key: string | undefined;
  /** Milliseconds until it begins to answer. */
  timeout: number;
  /** The most calls that are held or run at a time. */
  calls: number;
}

export interface GatewayConfig {
  host: string;
  port: number;
  upstreams: HttpUpstream[];
}

/** The configuration of this text; `config-invalid` with the path of everything wrong, and of members that are unknown. */
export function readGatewayConfig(text: string, env: Readonly<Record<string, string | undefined>>): GatewayConfig {
  const { data, error } = Config.safeParse(parseYaml(text));
  if (error) throw invalid(error.issues.map(({ path, message }) => `${path.join('.') || 'It'}: ${message}`));
  const { upstreams, ...listen } = data;
  return { ...listen, upstreams: Object.entries(upstreams).map(([name, upstream]) => resolve(name, upstream, env)) };
}

function resolve(
  name: string,
  { key, timeout, headers, ...upstream }: z.infer<typeof Upstream>,
  env: Readonly<Record<string, string | undefined>>,
): HttpUpstream {
  const valueOf = (value: string | z.infer<typeof variable>, member: string): string => {
    const text = typeof value === 'string' ? value : env[value.env];
    if (text) return text;
    throw invalid([`upstreams.${name}.${member}: Set the variable, or give another value.`]);
  };
  const resolved = Object.entries(headers).map(([header, value]) => [
    header.toLowerCase(),
    valueOf(value, `headers.${header}`),
  ]);
  return {
    ...upstream,
    name,
    headers: Object.fromEntries(resolved) as Record<string, string>,
    key: key && valueOf(key, 'key'),
    timeout: timeout * 1_000,
  };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    throw invalid([error instanceof Error ? error.message : 'It cannot be read.']);
  }
}

const invalid = (faults: string[]): Problem =>
  new Problem('config-invalid', { detail: `Correct the configuration of the gateway. ${faults.join(' ')}` });
