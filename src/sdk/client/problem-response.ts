import { ProblemDocument } from '#protocol/contract/http/problem';
import { Problem, isProblemCode, type ProblemCode } from '#protocol/model/problem';
import { refusedByProxy } from './connection-fault.ts';

/** The Problem of an unsuccessful response: by its document if it has one, otherwise by its status. */
export function problemOf(status: number, body: unknown): Problem {
  const { data: document } = ProblemDocument.safeParse(body);
  const code = isProblemCode(document?.code) ? document.code : codeOf(status);
  const detail = (status === 407 ? refusedByProxy : ownDetails[code]) ?? document?.detail ?? document?.title;
  const cause = document && { errorId: document.errorId };
  return new Problem(code, { detail, errors: document?.errors ?? [], cause });
}

/** Neither the model nor its person can sign in here: the key is the operator's. */
const ownDetails: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'Ask the operator of this MCP server to check ASSENTRY_API_KEY: Assentry does not accept its key.',
};

/** The id under which Assentry logged the problem, if it came from there. */
export function errorIdOf({ cause }: Problem): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('errorId' in cause)) return undefined;
  return typeof cause.errorId === 'string' ? cause.errorId : undefined;
}

/** A proxy may answer without a document, and a newer Assentry with an unknown code. A bare 409 could mean anything. */
function codeOf(status: number): ProblemCode {
  return byStatus[status] ?? (status > 500 ? 'unavailable' : 'internal');
}

const byStatus: Record<number, ProblemCode> = {
  400: 'INVALID_INPUT',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  407: 'unavailable',
  408: 'unavailable',
  412: 'digest-mismatch',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};
