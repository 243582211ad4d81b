import { parseTraceparent } from '#platform/model/traceparent';
import type { z } from 'zod';
import { addressOfCall, type AnswerOf, type CallOf } from '#platform/http/contract/call';
import type { RouteContract } from '#platform/http/contract/route';
import { ProblemDocument } from '#platform/http/contract/problem';
import { Problem, isProblemCode, type ProblemCode } from '#platform/model/problem';
import { formatUnknown } from '#platform/text/nearest-name';
import { readClientEnv } from './env.ts';

/** The header for this trace, or else for the one that OpenTelemetry has active in this process. */
export function traceOf(traceparent: string | undefined): { traceparent?: string } {
  const trace = parseTraceparent(traceparent ?? activeTraceparent());
  return trace ? { traceparent: trace.header } : {};
}

interface OpenTelemetry {
  context?: { active(): unknown };
  propagation?: {
    inject(
      context: unknown,
      carrier: object,
      setter: { set(carrier: object, name: string, value: string): void },
    ): void;
  };
}

/** Trace of this process. `@opentelemetry/api` keeps the program's settings under this symbol, so the package is not needed. */
function activeTraceparent(): string | undefined {
  const { context, propagation } = (globalThis as Record<symbol, OpenTelemetry | undefined>)[apiSymbol] ?? {};
  if (!context || !propagation) return undefined;
  const headers = new Map<string, string>();
  propagation.inject(context.active(), {}, { set: (_carrier, name, value) => void headers.set(name, value) });
  return headers.get('traceparent');
}

const apiSymbol = Symbol.for('opentelemetry.js.api.1');

/** One request that is safe to send again: it only reads, carries an idempotency key, or has the same effect twice. */
export interface Exchange<T> {
  method: string;
  path: string;
  /** Reads the answer's body; without it the body is not read. */
  answer?: z.ZodType<T>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Trace of the call that sends it. */
  traceparent?: string | undefined;
  /** How often it is sent again after a passing fault, in place of the client's number. */
  retries?: number | undefined;
  /** Milliseconds the server may take on purpose, as a long poll does; added to the time one try may take. */
  hold?: number;
  /** Milliseconds during which it is sent again after any number of failures; none if nothing is ever sent again. */
  timeoutMs?: number;
  /** Milliseconds to wait for the end of its caller's limit, each time as long as `Retry-After` names. */
  limitTimeoutMs?: number;
}

/** Result of a call of a route. */
export type ResultOf<Route extends RouteContract> = null extends AnswerOf<Route> ? void : AnswerOf<Route>;

/** The exchange for a call of a route. */
export const exchangeOf = <Route extends RouteContract>(
  route: Route,
  parts: CallOf<Route>,
): Exchange<ResultOf<Route>> => ({
  method: route.method.toUpperCase(),
  path: addressOfCall(route, parts).slice(1), // after the path of the node's address
  body: parts.body,
  ...answerOf<ResultOf<Route>>(route),
});

function answerOf<T>({ success }: RouteContract): Pick<Exchange<T>, 'answer'> {
  const answer = Object.values(success).find((schema) => schema !== null);
  return answer ? { answer: answer as z.ZodType<T> } : {};
}

/** Milliseconds. A limit on calls lasts a minute, and many callers may share it. */
const defaultLimitTimeoutMs = 300_000;
/** Spread as after this many failures: callers refused together return within two seconds, not at once. */
const limitSpread = 3;

/** Sends the request until it is answered; throws the answer's Problem, `unavailable`, or the signal's reason. */
export async function exchange<T>(connection: Connection, request: Exchange<T>): Promise<T> {
  assertSignal(request.signal);
  const { retries = connection.retries } = request;
  const hasTime = budgetOf(retries, request.timeoutMs);
  const waitsForLimit = budgetOf(retries, request.limitTimeoutMs ?? defaultLimitTimeoutMs);
  for (let failures = 0, silences = 0; ;) {
    const url = connection.nodes.current();
    const attempt = await tryOnce(connection, url, request);
    if ('value' in attempt) return attempt.value;
    if (attempt.isOfPace && waitsForLimit(attempt.retryAfter)) {
      await pause(retryDelay(limitSpread, attempt.retryAfter), request.signal);
      continue;
    }
    const { nodes } = connection;
    if (attempt.isSilence) silences += 1;
    const isOver = failures >= retries || silences >= maxSilences * nodes.count;
    if (!attempt.isPassing || (isOver && !hasTime())) throw attempt.problem;
    const isOfNode = attempt.problem.code !== 'rate-limited'; // the limits of a caller go with it
    if (isOfNode) nodes.leave(url);
    const retryAfter = isOfNode && failures + 1 < nodes.count ? null : attempt.retryAfter; // the next may have capacity
    if ((retryAfter ?? 0) > maxRetryAfterMs && !hasTime()) throw attempt.problem;
    const isBackground = isOver;
    await pause(retryDelay(failures, retryAfter), request.signal, { isBackground });
    failures += 1;
  }
}

/** Checks the remaining time by a clock that is never set; with the next pause, if given. */
function budgetOf(retries: number, timeoutMs = 0): (next?: number | null) => boolean {
  const end = performance.now() + timeoutMs;
  return (next) => retries > 0 && performance.now() + (next ?? 0) < end;
}

/** Unanswered tries until a node counts as down; one may be chance. */
const maxSilences = 2;

interface Failure {
  problem: Problem;
  isPassing: boolean;
  retryAfter: number | null;
  /** Set if no answer came within the time of one try. */
  isSilence?: boolean;
  /** Set for a limit on calls that ends by itself. A limit that only people can end has a sentence of its own. */
  isOfPace?: boolean;
}

type Attempt<T> = { value: T } | Failure;

async function tryOnce<T>(connection: Connection, url: string, request: Exchange<T>): Promise<Attempt<T>> {
  try {
    const limit = connection.requestTimeout + (request.hold ?? 0);
    return await withDeadline(limit, request.signal, (signal) => send(connection, url, request, signal));
  } catch (error) {
    request.signal?.throwIfAborted();
    const problem = error instanceof Problem ? error : connectionFault(error);
    return { problem, isPassing: !isRefusedByProxy(error), isSilence: isTooSlow(error), retryAfter: null };
  }
}

async function send<T>(
  connection: Connection,
  url: string,
  request: Exchange<T>,
  signal: AbortSignal,
): Promise<Attempt<T>> {
  const response = await connection.send(addressOf(url, request.path), {
    method: request.method,
    headers: headersOf(await connection.readKey(), request),
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    signal,
  });
  const body = await readJson(response);
  if (response.ok) return readAnswer(request, body);
  const problem = problemOf(response.status, body);
  return {
    problem,
    isOfPace: problem.code === 'rate-limited' && ProblemDocument.safeParse(body).data?.detail === undefined,
    isPassing: isPassingAnswer(response.status, problem),
    retryAfter: readRetryAfter(response.headers.get('retry-after'), Date.now()),
  };
}

const headersOf = (apiKey: string, { body, headers, traceparent }: Exchange<unknown>): Record<string, string> => ({
  accept: 'application/json',
  authorization: `Bearer ${apiKey}`,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...traceOf(traceparent),
  ...headers,
});

/** JSON of the body, always read to the end: an unread body keeps its socket. */
async function readJson(response: TransportResponse): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readAnswer<T>({ answer }: Exchange<T>, body: unknown): Attempt<T> {
  if (!answer) return { value: undefined as T };
  const parsed = answer.safeParse(body);
  if (parsed.success) return { value: parsed.data };
  const detail =
    'Check ASSENTRY_URL: the server at this address is not Assentry, or not a version that this client understands.';
  return {
    problem: new Problem('unavailable', { detail, cause: parsed.error }),
    isPassing: false,
    retryAfter: null,
  };
}

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
  /** The key, or the current token of the workload. */
  readKey(): Promise<string>;
  send: Transport;
  /** Number of retries of a request that failed on the way. */
  retries: number;
  /** Milliseconds one try may take. */
  requestTimeout: number;
}

/** The callable nodes: the same one until it fails. */
interface Nodes {
  /** Current address of Assentry; a path in it is kept. */
  current(): string;
  /** Moves to the next one, if this one is still the current one. */
  leave(url: string): void;
  count: number;
}

/** Names of options, to check code without types. */
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

/** Addresses of the nodes in an option or ASSENTRY_URL. */
export const readAddresses = (listed: string | readonly string[]): string[] =>
  [listed].flat().flatMap((text) => text.split(',').map((url) => url.trim()));

/** Is it an address of HTTP or HTTPS, the only protocols spoken? */
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

/** Runs the work under a signal that follows the given one and also ends after this time. */
export async function withDeadline<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = linkSignals(signal);
  const timer = setTimeout(() => own.abort(new TooSlow(ms)), Math.min(ms, maxTimerMs));
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    own.release();
  }
}

/** Waits for the work at most this long; it continues after that. Rejects with it. */
export async function waitAtMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

class TooSlow extends Problem {
  constructor(ms: number) {
    super('unavailable', { detail: `Try again later: Assentry did not answer within ${ms} milliseconds.` });
  }
}

const isTooSlow = (error: unknown): boolean => error instanceof TooSlow;

/**
 * The Problem of an unsuccessful response, from its document, which Assentry always sends. Without one the answer is from a
 * proxy on the way, and reveals nothing about the request.
 */
export function problemOf(status: number, body: unknown): Problem {
  const { data: document } = ProblemDocument.safeParse(body);
  if (!document) return foreignProblem(status);
  const code = isProblemCode(document.code) ? document.code : codeOf(status);
  const detail = ownDetails[code] ?? document.detail ?? document.title;
  return new Problem(code, { detail, errors: document.errors ?? [], cause: { errorId: document.errorId } });
}

function foreignProblem(status: number): Problem {
  if (status === 407) return new Problem('unavailable', { detail: refusedByProxy });
  if (status === 429) return new Problem('rate-limited');
  if (status === 413) return new Problem('body-too-large', { detail: limitedByProxy });
  const detail = passing.has(status)
    ? `Try again later: something on the way to Assentry, such as a proxy, has answered ${status} in its place.`
    : `Check ASSENTRY_URL and what is on the way to it, such as a proxy: ${status} was not answered by Assentry.`;
  return new Problem('unavailable', { detail });
}

const limitedByProxy =
  'Ask the operator of this MCP server to let the proxy on the way to Assentry pass bodies of 1 MiB, such as by "client_max_body_size 2m" in nginx: it has answered 413.';

/** Statuses that pass. */
const passing = new Set([408, 429, 502, 503, 504]);

/**
 * May the same request get another answer in a moment? A proxy without a route to a node, such as while nodes are replaced, may
 * answer 404.
 */
const isPassingAnswer = (status: number, { code }: Problem): boolean =>
  passing.has(status) || (status === 404 && code === 'unavailable');

/** Details for the operator, who owns the key: neither the model nor its person can sign in here. */
const ownDetails: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'Ask the operator of this MCP server to check ASSENTRY_API_KEY: Assentry does not accept its key.',
};

/** Id of the problem in Assentry's log, if it came from there. */
export function errorIdOf({ cause }: Problem): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('errorId' in cause)) return undefined;
  return typeof cause.errorId === 'string' ? cause.errorId : undefined;
}

/** Code by status, since a newer Assentry may answer with an unknown code. A 409 could then mean anything. */
function codeOf(status: number): ProblemCode {
  return byStatus[status] ?? (status > 500 ? 'unavailable' : 'internal');
}

const byStatus: Record<number, ProblemCode> = {
  400: 'INVALID_INPUT',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'unavailable',
  412: 'digest-mismatch',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};

interface TransportRequest {
  method?: string;
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

/** Used part of a `Response`. */
interface TransportResponse {
  ok: boolean;
  status: number;
  headers: { get(name: string): string | null };
  body: ReadableStream<Uint8Array> | null;
  text(): Promise<string>;
}

export type Transport = (url: string, request: TransportRequest) => Promise<TransportResponse>;

/** Calls `fetch` through a wrapper: a bare one, taken off its global, is an illegal invocation in browsers. */
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

/** Has the program replaced `fetch`, or sent it through a proxy? Then these requests follow. */
function hasOwnDispatcher(): boolean {
  const dispatcher = (globalThis as Record<symbol, object | undefined>)[Symbol.for('undici.globalDispatcher.1')];
  const isOwn = dispatcher !== undefined && dispatcher.constructor.name !== 'Agent';
  return isOwn || !!readClientEnv().proxy;
}

/** Node's modules; null in browsers, at the edge, and in runtimes that only imitate Node. */
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

/** Fails like `fetch` with the reason of the signal after its end. */
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

/** Milliseconds. */
const firstDelay = 250;
const maxDelayMs = 8_000;
/** Longest wait in milliseconds. If the server asks for a longer one, its answer counts, without a retry. */
export const maxRetryAfterMs = 2_000;
/** Longest time of a JavaScript timer; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;

/**
 * Pause before the next try: the time the server asked for, then exponential with full jitter, so that callers refused together
 * do not return together.
 */
export function retryDelay(failures: number, retryAfter: number | null, random: () => number = Math.random): number {
  const ceiling = Math.min(maxDelayMs, firstDelay * 2 ** failures);
  return (retryAfter ?? 0) + Math.round(ceiling * random());
}

/** Retry-After in milliseconds: a number of seconds or an HTTP date; null if it is unusable. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/**
 * Resolves after this time, or rejects with the signal's reason; leaves no timer and no listener. A pause in the background
 * does not keep a process alive.
 */
export function pause(ms: number, signal?: AbortSignal, { isBackground = false } = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      ignore?.();
      settle();
    };
    const timer = setTimeout(() => end(resolve), Math.min(ms, maxTimerMs));
    if (isBackground && typeof timer === 'object') timer.unref(); // browsers have numbers
    const ignore = signal && onAbort(signal, () => end(() => reject(signal.reason)));
  });
}

/** Problem `unavailable` of a call that did not reach Assentry; it names what to check, if the runtime names the fault. */
export function connectionFault(cause: unknown): Problem {
  if (isRefusedByProxy(cause)) return new Problem('unavailable', { cause, detail: refusedByProxy });
  const code = faultCodeOf(cause);
  return new Problem('unavailable', { cause, ...(code !== null && { detail: sentenceOf(code) }) });
}

/** Problem for an answer that only a proxy gives, never Assentry. */
const refusedByProxy =
  'Ask the operator of this MCP server to check its proxy: the proxy on the way to Assentry wants a name and a password (407). Put them into HTTPS_PROXY or HTTP_PROXY, or the host of Assentry into NO_PROXY.';

/** Did a proxy refuse the tunnel for lack of a name and a password? The code alone does not tell. */
function isRefusedByProxy(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  return (
    (typeof message === 'string' && /^Proxy response \(407\)|\b407 Proxy Authentication/.test(message)) ||
    isRefusedByProxy(cause)
  );
}

/** Did the connection fail, so that nothing was sent? */
export const isUnreached = (error: unknown): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(faultCodeOf(error) ?? '');

/** Code of a fault. Node has it on the error, and `fetch` in its cause. */
function faultCodeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code) ? code : faultCodeOf(cause);
}

function sentenceOf(code: string): string {
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `Renew the certificate of Assentry, or name its authority in NODE_EXTRA_CA_CERTS: it is refused (${code}).`;
  if (/^EPROTO$|SSL_WRONG_VERSION|SSL_PACKET_LENGTH/.test(code))
    return `Check the address of Assentry: no TLS is spoken there, so it begins with http:// (${code}).`;
  if (code === 'ENOTFOUND') return `Check the address of Assentry: there is no such host (${code}).`;
  if (code === 'ECONNREFUSED') return `Check that Assentry runs, or try again later: nothing listens there (${code}).`;
  return `Try again later: Assentry cannot be reached (${code}).`;
}

interface Followed {
  acts: Set<() => void>;
  listener: () => void;
}

/** Acts by followed signal. One listener runs all of them: Node warns of more than ten on one signal. */
const followed = new WeakMap<AbortSignal, Followed>();

/** Acts when the signal aborts; the returned function cancels that. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { acts, listener } = followed.get(signal) ?? listenTo(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0) return;
    signal.removeEventListener('abort', listener);
    followed.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Followed {
  const acts = new Set<() => void>();
  const listener = () => {
    for (const act of acts) act();
  };
  followed.set(signal, { acts, listener });
  signal.addEventListener('abort', listener);
  return { acts, listener };
}

/** For code without types: throws `INVALID_INPUT` for anything but a signal, such as its controller. */
export function assertSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined || (isSignalLike(signal) && typeof signal.addEventListener === 'function')) return;
  throw new Problem('INVALID_INPUT', {
    detail: 'Give an AbortSignal as signal, such as that of an AbortController.',
    errors: [{ path: ['signal'], message: 'Give an AbortSignal.' }],
  });
}

const isSignalLike = (value: unknown): value is { aborted: boolean; addEventListener?: unknown } =>
  typeof value === 'object' && value !== null && 'aborted' in value && typeof value.aborted === 'boolean';

/** A signal that follows others until it is released; AbortSignal.any would stay registered with long-lived signals. */
interface LinkedSignal {
  signal: AbortSignal;
  abort(reason: unknown): void;
  /** Stops following; the signal itself stays unchanged. */
  release(): void;
}

export function linkSignals(...sources: (AbortSignal | undefined)[]): LinkedSignal {
  const own = new AbortController();
  const signals = sources.filter((source) => source !== undefined);
  const follow = () => own.abort(signals.find(({ aborted }) => aborted)?.reason);
  const endings = signals.map((source) => onAbort(source, follow));
  if (signals.some(({ aborted }) => aborted)) follow();
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release: () => {
      for (const end of endings) end();
    },
  };
}

/** Runs the work under a signal that follows all of these until the work is done. */
export async function underSignals<T>(
  sources: (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = linkSignals(...sources);
  try {
    return await work(linked.signal);
  } finally {
    linked.release();
  }
}
