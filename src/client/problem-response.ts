import { ProblemDocument } from '../contract/http/problem.ts';
import { Problem, isProblemCode, type ProblemCode } from '../model/problem.ts';

/** The Problem of an unsuccessful response: by its document if it has one, otherwise by its status. */
export function problemOf(status: number, body: unknown): Problem {
  const { success, data: document } = ProblemDocument.safeParse(body);
  if (!success) return new Problem(codeOf(status));
  const code = isProblemCode(document.code) ? document.code : codeOf(status);
  return new Problem(code, {
    detail: document.detail ?? document.title,
    errors: document.errors ?? [],
    cause: { errorId: document.errorId },
  });
}

/** The id under which Assentry logged the problem, if it came from there. */
export function errorIdOf({ cause }: Problem): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('errorId' in cause)) return undefined;
  return typeof cause.errorId === 'string' ? cause.errorId : undefined;
}

/** A proxy may answer without a document, and a newer Assentry with an unknown code. */
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
  409: 'not-now',
  412: 'digest-mismatch',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'rate-limited',
};
