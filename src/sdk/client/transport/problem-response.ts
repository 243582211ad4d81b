import { ProblemDocument } from '#platform/http/contract/problem';
import { Problem, isProblemCode, type ProblemCode } from '#platform/model/problem';
import { refusedByProxy } from './connection-fault.ts';

/**
 * The Problem of an unsuccessful response: of its document, which Assentry always sends. Without one it is the answer of
 * something on the way, which says nothing of the request.
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

/** Statuses that end by themselves. */
const passing = new Set([408, 429, 502, 503, 504]);

/**
 * Whether the same request may be answered otherwise in a moment. A proxy without a route to a node, such as while nodes
 * are replaced, may answer 404.
 */
export const isPassingAnswer = (status: number, { code }: Problem): boolean =>
  passing.has(status) || (status === 404 && code === 'unavailable');

/** Neither the model nor its person can sign in here: the key is the operator's. */
const ownDetails: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'Ask the operator of this MCP server to check ASSENTRY_API_KEY: Assentry does not accept its key.',
};

/** The id under which Assentry logged the problem, if it came from there. */
export function errorIdOf({ cause }: Problem): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('errorId' in cause)) return undefined;
  return typeof cause.errorId === 'string' ? cause.errorId : undefined;
}

/** A newer Assentry may answer with an unknown code. A 409 could then mean anything. */
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
