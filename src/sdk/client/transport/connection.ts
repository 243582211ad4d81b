import { Problem } from '#platform/model/problem';
import { formatUnknown } from '#platform/text/nearest-name';
import { readClientEnv } from '../env.ts';
import { createTransport, type Transport } from './transport.ts';

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

export interface ClientOptions {
  /**
   * Where Assentry is; ASSENTRY_URL by default. Of several nodes, with commas between them or as a list, one is called
   * until it fails, and then the next.
   */
  url?: string | readonly string[] | undefined;
  /** This MCP server's key; ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of a key: a token of this workload, read at each request, because the file that holds it changes. */
  token?: (() => Promise<string> | string) | undefined;
  /** Sends the requests; by default Node's own HTTP, and `fetch` where that is replaced, proxied or all there is. */
  fetch?: Fetch | undefined;
  /** How often a request that failed on the way is sent again; 12 by default, which is about half a minute. */
  retries?: number | undefined;
  /** Milliseconds one try may take; 30 000 by default. */
  requestTimeout?: number | undefined;
}

export interface Connection {
  nodes: Nodes;
  /** The key, or the token of the workload as it is now. */
  readKey(): Promise<string>;
  send: Transport;
  /** How often a request that failed on the way is sent again. */
  retries: number;
  /** Milliseconds one try may take. */
  requestTimeout: number;
}

/** The nodes that can be called: the same one until it fails. */
interface Nodes {
  /** Where Assentry is now; a path in it is kept. */
  current(): string;
  /** Goes on to the next one, if this one is still the current one. */
  leave(url: string): void;
  count: number;
}

/** For code without types. */
export const clientOptions = Object.keys({
  url: true,
  apiKey: true,
  token: true,
  fetch: true,
  retries: true,
  requestTimeout: true,
} satisfies Record<keyof ClientOptions, true>);

/** For code without types: throws `config-invalid` for a misspelt option, which would silently do nothing. */
export function assertNames(caller: string, options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new Problem('config-invalid', { detail: `${caller}(): ${formatUnknown('option', unknown, names)}` });
}

/** Throws `config-invalid` if address or key are missing. */
export function connectionOf(options: ClientOptions): Connection {
  const env = readClientEnv();
  const urls = readAddresses(options.url ?? env.url ?? []);
  const { token } = options;
  const apiKey = (options.apiKey ?? env.apiKey ?? '').trim();
  if (urls.length === 0 || !urls.every(isAddress))
    throw missing('ASSENTRY_URL', 'the address of Assentry, such as http://127.0.0.1:4700, or several with commas');
  if (!token && !/^[\x21-\x7e]+$/.test(apiKey))
    throw missing('ASSENTRY_API_KEY', "this server's key, which starts with asn_");
  const { fetch, retries = 12, requestTimeout = 30_000 } = options;
  const readKey = async (): Promise<string> => (token ? (await token()).trim() : apiKey);
  return { nodes: createNodes(urls), readKey, send: fetch ?? createTransport(), retries, requestTimeout };
}

/** The addresses of the nodes, as an option or ASSENTRY_URL lists them. */
export const readAddresses = (listed: string | readonly string[]): string[] =>
  [listed].flat().flatMap((text) => text.split(',').map((url) => url.trim()));

/** No other is spoken. */
const isAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

const missing = (variable: string, what: string): Problem =>
  new Problem('config-invalid', { detail: `Set ${variable}, or pass it in the options: ${what}.` });

function createNodes(urls: readonly string[]): Nodes {
  let place = 0;
  const current = (): string => urls[place] ?? '';
  return {
    current,
    count: urls.length,
    leave(url) {
      if (url === current()) place = (place + 1) % urls.length;
    },
  };
}

export const addressOf = (url: string, path: string): string => new URL(path, url.endsWith('/') ? url : `${url}/`).href;
