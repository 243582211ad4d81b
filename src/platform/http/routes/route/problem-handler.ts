import { randomBytes } from 'node:crypto';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { problemStatus, type ProblemDocument } from '../../contract/problem/problem.ts';
import { Problem, problemSentences, type FieldError, type ProblemCode } from '../../../model/problem/problem.ts';
import { sendText } from './send-text.ts';
import { withoutToken } from './name-request.ts';

/** The one place where an error becomes an answer: RFC 9457, and a line in the log if the fault is ours. */
export const problemHandler =
  (log: Logger, onProblem: (code: string) => void): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const problem = publicProblem(toProblem(error));
    const errorId = `err_${randomBytes(8).toString('hex')}`;
    const status = problemStatus[problem.code];
    onProblem(problem.code);
    const line = { errorId, code: problem.code, method: request.method, path: withoutToken(request.path) };
    // Who is refused because there is too much to do must not cost more: the metrics count it.
    if (status >= 500 && problem.code !== 'overloaded') log.error({ ...line, err: error }, 'request failed');
    else log.debug(line, 'request refused');
    if (response.headersSent) response.destroy();
    else
      send(
        response.set(retryHeader(problem)),
        document(problem, status, { errorId, requestId: requestIdOf(response) }),
        problem,
      );
  };

const retryHeader = ({ retryAfter }: Problem): Record<string, string> =>
  retryAfter === null ? {} : { 'retry-after': String(retryAfter) };

export const notFound: RequestHandler = () => {
  throw new Problem('not-found');
};

/** Writes a problem in the form in which an address answers: `locals.renderProblem`. */
export type RenderProblem = (body: ProblemDocument, problem: Problem) => { type: string; text: string };

function send(response: Response, body: ProblemDocument, problem: Problem): void {
  if (body.status === 503) response.set('retry-after', '1');
  if (body.status === 401) response.set('www-authenticate', 'Bearer'); // RFC 9110, section 15.5.2
  const render = (response.locals['renderProblem'] as RenderProblem | undefined) ?? asProblem;
  const { type, text } = render(body, problem);
  sendText(response.set('cache-control', 'no-store').status(body.status), type, text);
}

const asProblem: RenderProblem = (body) => ({
  type: 'application/problem+json; charset=utf-8',
  text: JSON.stringify(body),
});

const requestIdOf = ({ locals }: Response): string => locals['requestId'] as string;

const document = (
  problem: Problem,
  status: number,
  ids: Pick<ProblemDocument, 'errorId' | 'requestId'>,
): ProblemDocument => ({
  type: `urn:assentry:problem:${problem.code}`,
  title: problemSentences[problem.code],
  status,
  code: problem.code,
  ...(problem.message !== problemSentences[problem.code] && { detail: problem.message }),
  ...(problem.refusal && { refusal: problem.refusal }),
  ...ids,
  ...(problem.errors.length > 0 && { errors: [...problem.errors] }),
});

/** These reveal internals, so callers only learn that something failed. */
const inner = new Set<ProblemCode>(['config-invalid', 'migration-failed', 'internal']);

const publicProblem = (problem: Problem): Problem => (inner.has(problem.code) ? new Problem('internal') : problem);

/** The errors of body parsers, by their `type`. */
const parserCodes: Record<string, ProblemCode> = {
  'encoding.unsupported': 'unsupported-media-type',
  'charset.unsupported': 'unsupported-media-type',
};

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ZodError) return new Problem('INVALID_INPUT', { errors: fieldErrors(error) });
  const { type, status, limit } = error as { type?: string; status?: number; limit?: number };
  if (type === 'entity.too.large') return new Problem('body-too-large', { detail: `Send at most ${limit} bytes.` });
  if (type && parserCodes[type]) return new Problem(parserCodes[type]);
  if (status !== undefined && status >= 400 && status < 500) return new Problem('INVALID_INPUT', { cause: error });
  return new Problem('internal', { cause: error });
}

const fieldErrors = ({ issues }: ZodError): FieldError[] => issues.flatMap((issue) => errorsOf(issue, []));

type Issue = ZodError['issues'][number];

function errorsOf(issue: Issue, at: FieldError['path']): FieldError[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'Remove this: there is no such property.' }));
  }
  const meant = issue.code === 'invalid_union' ? nearest(issue.errors.map((branch) => branch as Issue[])) : undefined;
  return meant?.flatMap((inner) => errorsOf(inner, path)) ?? [{ path, message: issue.message }];
}

/**
 * Of several shapes, picks the one that has most of the names, then the one with the fewest errors, if there is only
 * one.
 */
function nearest(branches: Issue[][]): Issue[] | undefined {
  const ranked = branches.map((branch) => ({ branch, distance: distanceOf(branch) }));
  const [first, second] = ranked.sort((a, b) => a.distance - b.distance);
  return first && first.distance !== second?.distance ? first.branch : undefined;
}

function distanceOf(branch: Issue[]): number {
  const unknown = branch.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  return unknown.length * 1000 + branch.length;
}
