import { readClientEnv } from '../env.ts';

interface TransportRequest {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** What this library uses of a `Response`. */
export interface TransportResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
}

export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

/** Called through a wrapper: a bare fetch, taken off its global, is an illegal invocation in browsers. */
const sendByFetch: Transport = (url, request) => fetch(url, request);

/** Sends by Node's own HTTP where there is one, which takes a third of the time of `fetch`; otherwise by `fetch`. */
export function createTransport(): Transport {
  const platformFetch = globalThis.fetch;
  const node = nodeBuiltins();
  if (!node) return sendByFetch;
  const sendByNode = createNodeTransport(node);
  return (url, request) =>
    globalThis.fetch === platformFetch && !hasOwnDispatcher() ? sendByNode(url, request) : sendByFetch(url, request);
}

/** A program that has replaced `fetch`, or sends it through a proxy, means these requests as well. */
function hasOwnDispatcher(): boolean {
  const dispatcher = (globalThis as Record<symbol, object | undefined>)[Symbol.for('undici.globalDispatcher.1')];
  const isOwn = dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
  return isOwn || !!readClientEnv().proxy;
}

/** Null in browsers, at the edge, and in runtimes that only imitate Node. */
function nodeBuiltins() {
  const { versions, getBuiltinModule: builtin } = (globalThis.process ?? {}) as Partial<typeof process>;
  if (!builtin || !versions?.node || 'bun' in versions || 'Deno' in globalThis) return null;
  return { http: builtin('http'), https: builtin('https'), stream: builtin('stream') };
}

type Builtins = NonNullable<ReturnType<typeof nodeBuiltins>>;
type IncomingMessage = InstanceType<Builtins['http']['IncomingMessage']>;

function createNodeTransport({ http, https, stream }: Builtins): Transport {
  const agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };
  const sendOnce = (address: URL, { method = 'GET', headers, body, signal }: TransportRequest) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { request } = address.protocol === 'https:' ? https : http;
      const agent = agents[address.protocol as keyof typeof agents];
      const sent = request(address, { agent, method, headers: { ...headers, ...lengthOf(body) }, signal });
      sent.on('response', resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  return (url, request) => {
    const address = new URL(url);
    return underReason(request.signal, async () => {
      const response = await sendOnce(address, request);
      if (!isRedirect(response)) return responseOf(response, request.signal, stream);
      response.resume();
      return sendByFetch(url, request);
    });
  };
}

/** As `fetch` does, fails with the reason of the signal once that has ended. */
async function underReason<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { 'content-length': `${new TextEncoder().encode(body).length}` };

const isRedirect = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  statusCode >= 300 && statusCode < 400 && headers.location !== undefined;

function responseOf(
  response: IncomingMessage,
  signal: AbortSignal,
  { Readable }: Builtins['stream'],
): TransportResponse {
  const { statusCode: status = 0, headers } = response;
  let body: ReadableStream<Uint8Array> | undefined;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : [value].flat().join(', ');
      },
    },
    get body() {
      return (body ??= Readable.toWeb(response) as ReadableStream<Uint8Array>);
    },
    text: () => underReason(signal, () => textOf(response)),
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response as AsyncIterable<string>) text += chunk;
  return text;
}
