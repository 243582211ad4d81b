import type { z } from 'zod';
import { ProblemDocument } from '#platform/http/contract/problem';
import { Problem } from '#platform/model/problem';
import { maxRetryAfterMs, pause, readRetryAfter, retryDelay } from './backoff.ts';
import { addressOf, type Connection } from './connection.ts';
import { connectionFault, isRefusedByProxy } from './connection-fault.ts';
import { isTooSlow, withDeadline } from './deadline.ts';
import { assertSignal } from './linked-signal.ts';
import { isPassingAnswer, problemOf } from './problem-response.ts';
import { traceOf } from './trace.ts';
import type { TransportResponse } from './transport.ts';

/** One request that is safe to send again: it only reads, carries an idempotency key, or has the same effect twice. */
export interface Exchange<T> {
  method: 'GET' | 'POST';
  path: string;
  /** Reads the answer's body; without it the body is not read. */
  answer?: z.ZodType<T>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** The trace of the call that it is sent for. */
  traceparent?: string | undefined;
  /** How often it is sent again after a passing fault, in place of the client's number. */
  retries?: number | undefined;
  /** Milliseconds the server may take on purpose, as a long poll does; added to the time one try may take. */
  hold?: number;
  /** Milliseconds for which it is sent again, however often it has failed; none if nothing is ever sent again. */
  timeoutMs?: number;
  /** Milliseconds for which it waits until a limit of its caller is over, as long as `Retry-After` says each time. */
  limitTimeoutMs?: number;
}

/** Milliseconds. A limit on calls lasts a minute, and many callers may share it. */
const defaultLimitTimeoutMs = 300_000;
/** As after so many failures: those who were refused together return within two seconds, not at once. */
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
    const retryAfter = isOfNode && failures + 1 < nodes.count ? null : attempt.retryAfter; // the next may have time
    if ((retryAfter ?? 0) > maxRetryAfterMs && !hasTime()) throw attempt.problem;
    const isBackground = isOver;
    await pause(retryDelay(failures, retryAfter), request.signal, { isBackground });
    failures += 1;
  }
}

/** By a clock that no one sets; with the pause that would come next. */
function budgetOf(retries: number, timeoutMs = 0): (next?: number | null) => boolean {
  const end = performance.now() + timeoutMs;
  return (next) => retries > 0 && performance.now() + (next ?? 0) < end;
}

/** Tries that a node may leave without any answer: one by chance, and the next says that it is not there for anyone. */
const maxSilences = 2;

interface Failure {
  problem: Problem;
  isPassing: boolean;
  retryAfter: number | null;
  /** Nothing came back for as long as one try may take. */
  isSilence?: boolean;
  /** A limit on calls that ends by itself. One that only people can end says so in a sentence of its own. */
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

/** Always reads to the end: an unread body keeps its socket. */
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
