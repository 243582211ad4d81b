import { isPrivateAddress } from '#platform/model/names';
import { Problem } from '#platform/model/problem';

/** Member of a client that sends requests in place of `fetch`: of one that reaches no provider. */
export const sending = Symbol('sending');

/** A request to a provider, in a form that can be sent more than once. */
export interface Outgoing {
  url: URL;
  method: string;
  headers: Headers;
  /** A stream can be sent only once. */
  body: ArrayBuffer | ReadableStream | null;
  isRepeatable: boolean;
  /** The author's other options. */
  init: RequestInit;
  signal: AbortSignal;
}

/** Reads the parameters of `fetch`, and throws what `fetch` throws for invalid ones. */
export async function readOutgoing(input: string | URL | Request, init: RequestInit = {}): Promise<Outgoing> {
  const request = new Request(input, init);
  const isRepeatable = request.body === null || isKept(init.body);
  return {
    url: new URL(request.url),
    method: request.method,
    headers: new Headers(request.headers),
    body: isRepeatable && request.body !== null ? await request.arrayBuffer() : request.body,
    isRepeatable,
    init: { ...init, redirect: request.redirect },
    signal: request.signal,
  };
}

/** Is the body there until it is read? The body of a `Request` is a stream. */
const isKept = (body: unknown): boolean =>
  typeof body === 'string' ||
  (typeof body === 'object' && body !== null && !('getReader' in body) && !(Symbol.asyncIterator in body));

/** Throws `INVALID_INPUT`, with the hosts, if the token may not be sent to this address. */
export function assertWithin(hosts: readonly string[], url: URL): void {
  if (isWithin(hosts, url)) return;
  const places = hosts.length > 0 ? hosts.join(', ') : 'no host: an operator names them as apiHosts';
  const message = `Send the request over https to a host of this connection (${places}): its token goes nowhere else.`;
  throw new Problem('INVALID_INPUT', { detail: message, errors: [{ path: ['input'], message }] });
}

/** May a token be sent there: to one of the hosts, over https or on this machine? */
function isWithin(hosts: readonly string[], { protocol, host, href, username, password }: URL): boolean {
  if (!isPrivateAddress(href) || username !== '' || password !== '') return false;
  return hosts.some((each) => URL.canParse(`${protocol}//${each}`) && new URL(`${protocol}//${each}`).host === host);
}

/** As many redirects as are followed. */
const maxRedirects = 5;

/**
 * Sends the request with the token, and follows redirects as `fetch` does, but only within the hosts. The response that
 * leads elsewhere is returned as it is.
 */
export async function sendWithin(
  { hosts, fetch }: { hosts: readonly string[]; fetch: typeof globalThis.fetch },
  outgoing: Outgoing,
  token: string,
): Promise<Response> {
  const { init, signal } = outgoing;
  const headers = new Headers(outgoing.headers);
  headers.set('authorization', `Bearer ${requireBearer(token)}`);
  const redirect = init.redirect === 'error' ? 'error' : 'manual';
  let { url, method, body } = outgoing;
  for (let followed = 0; ; followed += 1) {
    const duplex = body instanceof ReadableStream && { duplex: 'half' };
    const response = await fetch(url, { ...init, method, headers, body, redirect, signal, ...duplex });
    const target = init.redirect === 'follow' && followed < maxRedirects ? targetOf(response, url) : null;
    if (!target || !isWithin(hosts, target)) return response;
    if (becomesGet(response.status, method)) {
      [method, body] = ['GET', null];
      for (const name of bodyHeaders) headers.delete(name);
    } else if (body !== null && !outgoing.isRepeatable) {
      return response;
    }
    await response.body?.cancel();
    url = target;
  }
}

/** A fault of the header would name the token. */
function requireBearer(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new Problem('provider-unavailable', {
    detail: 'Ask an operator to check this provider: its token does not fit into a header.',
  });
}

function targetOf({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  return URL.canParse(location, from.href) ? new URL(location, from) : null;
}

const becomesGet = (status: number, method: string): boolean =>
  status === 303 ? method !== 'GET' && method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';

const bodyHeaders = ['content-encoding', 'content-language', 'content-location', 'content-type', 'content-length'];
