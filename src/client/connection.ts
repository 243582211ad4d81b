import { Problem } from '../model/problem.ts';
import { readClientEnv } from './env.ts';

export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /** Where Assentry is; ASSENTRY_URL by default. */
  url?: string | undefined;
  /** This MCP server's key; ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  fetch?: Fetch | undefined;
  /** How often a request that failed on the way is sent again; 12 by default, which is about half a minute. */
  retries?: number | undefined;
  /** Milliseconds one try may take; 30 000 by default. */
  requestTimeout?: number | undefined;
}

export interface Connection {
  /** Where Assentry is; a path in it is kept. */
  url: string;
  apiKey: string;
  fetch: Fetch;
  /** How often a request that failed on the way is sent again. */
  retries: number;
  /** Milliseconds one try may take. */
  requestTimeout: number;
}

/** Throws `config-invalid` if address or key are missing. */
export function connectionOf(options: ClientOptions): Connection {
  const env = readClientEnv();
  const url = options.url ?? env.url;
  const apiKey = options.apiKey ?? env.apiKey;
  if (!url || !URL.canParse(url))
    throw missing('ASSENTRY_URL', 'the address of Assentry, such as http://127.0.0.1:4700');
  if (!apiKey) throw missing('ASSENTRY_API_KEY', "this server's key, which starts with asn_");
  const { fetch: customFetch, retries = 12, requestTimeout = 30_000 } = options;
  // Called through a wrapper: a bare fetch, taken off its global, is an illegal invocation in browsers.
  return { url, apiKey, fetch: customFetch ?? ((...request) => fetch(...request)), retries, requestTimeout };
}

const missing = (variable: string, what: string): Problem =>
  new Problem('config-invalid', { detail: `Set ${variable}, or pass it in the options: ${what}.` });

export const addressOf = ({ url }: Connection, path: string): string =>
  new URL(path, url.endsWith('/') ? url : `${url}/`).href;
