import express from 'express';
import type { Response, Express, NextFunction, Request, RequestHandler, ErrorRequestHandler } from 'express';
import { isUtf8 } from 'node:buffer';
import { type z, ZodError } from 'zod';
import type { RouteContract } from '../contract/openapi.ts';
import { inTurns } from '../../crypto/in-turns.ts';
import { jsonLimits, parseStrictJsonInParts } from '../../crypto/strict-json.ts';
import type { TokenCaller } from '#people/directory/verbs/directory';
import type { Provisioner } from '#access/scim/verbs/tokens';
import type { ServerCaller, SignedInUser } from '#people/directory/contract/user';
import type { Limiter } from '../../model/limiter.ts';
import { invalidInput, Problem, problemSentences, type FieldError, type ProblemCode } from '../../model/problem.ts';
import { type Authenticate, agentOf, sessionSecret } from './authenticate.ts';
import { addressOf, withinLimit, limiterKeyOf, readWithinLimit, acquireUncounted } from './limits.ts';
import { problemType } from '../contract/errors.ts';
import { formatIssue, problemStatus, type ProblemDocument } from '../contract/problem.ts';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { readRequest, requestFields, runRequest } from '../client/current-request.ts';
import { randomBytes } from 'node:crypto';
import type { Refused } from '#audit/entries/verbs';
import type { Engine } from '../../nodes/verbs/engine.ts';
import { isAnyId } from '../../model/id.ts';
import type { SignInPlace } from '#access/sign-in/verbs/sessions';

/** Ends an answer with this text. Node sends it with the headers in one piece, which Express does not. */
function sendText(response: Response, type: string, text: string): void {
  response.setHeader('content-type', type);
  response.setHeader('content-length', Buffer.byteLength(text));
  response.end(text);
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
/** Route of this table. Routes of services that sign are served where their bytes are read. */
type Served = RouteContract & { auth: keyof Caller };
interface Caller {
  key: ServerCaller;
  session: SignedInUser;
  'session-or-token': SignedInUser | TokenCaller;
  scim: Provisioner;
  token: undefined;
  operator: undefined;
  none: undefined;
}

export interface RouteRequest<R extends Served> {
  params: Parsed<R['params']>;
  query: Parsed<R['query']>;
  body: Parsed<R['body']>;
  caller: Caller[R['auth']];
  request: Request;
  response: Response;
  /** Notes that the caller waits from here on, and the node does no work for it. */
  rest(): void;
}

/** An answer of a route with more than one success. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** The body of the route's one success; nothing if the handler has written the response itself. */
type Result<Success extends RouteContract['success']> = {
  [Status in keyof Success]: Exclude<keyof Success, Status> extends never ? BodyOf<Success[Status]> : Answer;
}[keyof Success];
type BodyOf<S> = S extends z.ZodType ? z.input<S> : void;

type Handler<R extends Served> = (request: RouteRequest<R>) => Promise<Result<R['success']>>;

/** Limit of a body in bytes, by sender: arguments of tools are larger than forms. */
const bodyLimit = {
  key: 1024 * 1024,
  session: 256 * 1024,
  'session-or-token': 1024 * 1024,
  scim: 1024 * 1024,
  token: 256 * 1024,
  operator: 0,
  none: 16 * 1024,
} as const;

/** Limits for bulk bodies: a provider may send all members of a group at once, and a program a whole directory. */
const manyLimits = { ...jsonLimits, members: 60_000 };

/** Milliseconds for which a caller counts as admitted while the body arrives. */
const admissionLasts = 1000;

/**
 * Serves one route of the table: authenticate, read, parse, call, answer. Nothing of a refused caller is read. A route without
 * an entry does not exist.
 */
export type Serve = <R extends Served>(route: R, handle: Handler<R>) => void;

export const createServe =
  (app: Express, authenticate: Authenticate): Serve =>
  (route, handle) =>
    serve(app, route, authenticate, handle);

function serve<R extends Served>(app: Express, route: R, authenticate: Authenticate, handle: Handler<R>): void {
  const { work, bodies } = route.isUrgent ? unbounded : authenticate;
  const limiter = limiterOf(route, authenticate);
  const status = onlyStatus(route);
  const admit = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { locals } = response;
    locals['isOfExecution'] = route.isOfExecution;
    try {
      await withinLimit(work, limiterKeyOf(request, response), async () => {
        locals['kept'] = route.isProving ? keptCaller(authenticate, route, request) : null;
        locals['caller'] = locals['kept'] ?? (await authenticate[route.auth](request, route));
        locals['admittedAt'] = performance.now();
      });
    } catch (error) {
      // Limits guessing. Known callers are counted below.
      if (isRefused(error)) await authenticate.countCall(addressOf(request));
      throw error;
    }
    locals['uncount'] = await authenticate.countCall(limiterKeyOf(request, response));
    next();
  };
  const read = readWithinLimit(express.raw({ type: mediaOf(route), limit: bodyLimit[route.auth] }), bodies);
  app[route.method](expressPath(route), admit, read, async (request, response) => {
    const rest = acquireUncounted(work, request, response);
    try {
      // Someone who sends slowly may have lost the key or the session meanwhile.
      const waited = performance.now() - Number(response.locals['admittedAt']);
      if (waited > admissionLasts) await authenticate[route.auth](request, route);
      const result = await limiter(async () =>
        handle({
          params: parse(route.params, joinSteps(request.params)) as Parsed<R['params']>,
          query: parse(route.query, request.query) as Parsed<R['query']>,
          body: parse(route.body, await readBody(route, request)) as Parsed<R['body']>,
          caller: response.locals['caller'] as Caller[R['auth']],
          request,
          response,
          rest,
        }),
      );
      const answer = status === null ? (result as Answer) : { status, body: result };
      if (!response.headersSent) respond(response, holdToContract(route, answer), route);
    } catch (error) {
      // A revoked caller gets 401, and not the reason for which the verb refuses.
      if (response.locals['kept']) await authenticate[route.auth](request, route);
      throw error;
    } finally {
      rest();
    }
  });
}

const isRefused = (error: unknown): boolean => error instanceof Problem && error.code === 'unauthenticated';

function keptCaller({ kept }: Authenticate, route: Served, request: Request): Caller[keyof Caller] | null {
  if (route.auth === 'key') return kept.key(request);
  return route.auth === 'session' ? kept.session(request, route) : null;
}

const unbounded: Pick<Authenticate, 'work' | 'bodies'> = { work: () => () => {}, bodies: () => () => {} };

function limiterOf({ isProving, isNotifying }: Served, { limiter, backpressure }: Authenticate): Limiter {
  if (!isProving) return (work) => work();
  return isNotifying ? async (work) => (await backpressure(), limiter(work)) : limiter;
}

/** Joins a parameter with slashes, which arrives in pieces. */
const joinSteps = (params: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));

export function expressPath({ path, isDeep }: RouteContract): string {
  const named = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return isDeep ? named.replace(/:(\w+)$/, '*$1') : named;
}

const parse = (schema: z.ZodType | undefined, input: unknown): unknown => schema?.parse(input, { error: formatIssue });

const mediaOf = ({ media }: RouteContract): string[] => ['application/json', ...(media ? [media] : [])];

async function readBody(route: RouteContract, request: Request): Promise<unknown> {
  if (!route.body) return undefined;
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '') ?? [];
  if (charset.toLowerCase() !== 'utf-8')
    throw new Problem('unsupported-media-type', {
      detail: 'Send application/json as UTF-8; no other charset is read.',
    });
  if (!request.is(mediaOf(route))) throw new Problem('unsupported-media-type');
  const text = Buffer.isBuffer(request.body) ? readUtf8(request.body) : '';
  const limits = route.auth === 'scim' || route.auth === 'session-or-token' ? manyLimits : jsonLimits;
  return inTurns(parseStrictJsonInParts(text, limits));
}

/** Refuses bytes that are not UTF-8: repaired, they would be a text that no one sent. A byte order mark is not JSON. */
function readUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidInput([], 'Send valid UTF-8.');
  return bytes.toString('utf8');
}

/** The status of the route's one success; null if there are several, and the handler chooses. */
function onlyStatus({ success }: RouteContract): number | null {
  const [status = null, ...others] = Object.keys(success).map(Number);
  return others.length === 0 ? status : null;
}

/** Drops members outside the contract, so that a new column never leaks. */
function holdToContract({ path, success }: RouteContract, { status, body }: Answer): Answer {
  const schema = success[status];
  if (!schema || body === undefined) return { status };
  const { data, error } = schema.safeParse(body);
  if (error)
    throw new Problem('internal', { cause: new TypeError(`${path} answers against its contract`, { cause: error }) });
  return { status, body: data };
}

function respond(response: Response, { status, body }: Answer, { media }: RouteContract): void {
  response.statusCode = status;
  response.setHeader('cache-control', 'no-store');
  if (body === undefined) response.end();
  else sendText(response, `${media ?? 'application/json'}; charset=utf-8`, JSON.stringify(body));
}

/** Acts when the answer is over or the node stops; at once if either has already happened, because no event follows. */
export function onceOver(response: ServerResponse, shutdown: AbortSignal, act: () => void): void {
  const over = (): void => {
    response.off('close', over);
    shutdown.removeEventListener('abort', over);
    act();
  };
  response.once('close', over);
  shutdown.addEventListener('abort', over);
  if (response.destroyed || shutdown.aborted) over();
}

/** Answers each request under an id, which is in each line of the log that is written for it. */
export const nameRequest =
  (log: Logger): RequestHandler =>
  (incoming, response, next) => {
    const request = readRequest(incoming.headers['x-request-id'], incoming.headers['traceparent']);
    const { requestId, trace } = request;
    Object.assign(response.locals, { requestId, traceparent: trace?.header ?? null });
    response.setHeader('x-request-id', requestId);
    const startedAt = performance.now();
    response.once('close', () => {
      request.isOver = true;
      if (!log.isLevelEnabled('debug')) return;
      const { method, path } = incoming;
      const ms = Math.round(performance.now() - startedAt);
      const line = { method, path: withoutToken(path), status: response.statusCode, ms };
      log.debug({ ...requestFields(request), ...line }, 'request answered');
    });
    runRequest(request, next);
  };

/** A token in a path opens its question, so it is not logged. */
const withoutToken = (path: string): string => path.replace(/^\/(e|go|credentials|callback)\/.+$/i, '/$1/…');

interface ProblemHandling {
  log: Logger;
  /** Called for each problem that a caller gets. */
  onProblem(code: string): void;
  publicUrl(): string;
}

/** The one place where an error becomes an answer: RFC 9457, and a line in the log if the fault is ours. */
export const problemHandler =
  ({ log, onProblem, publicUrl }: ProblemHandling): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const problem = publicProblem(toProblem(error));
    const errorId = `err_${randomBytes(8).toString('hex')}`;
    const status = problemStatus[problem.code];
    onProblem(problem.code);
    const line = { errorId, code: problem.code, method: request.method, path: withoutToken(request.path) };
    // A refusal for overload must not cost more: the metrics count it.
    if (status >= 500 && problem.code !== 'overloaded') log.error({ ...line, err: error }, 'request failed');
    else log.debug(line, 'request refused');
    if (response.headersSent) response.destroy();
    else
      send(
        response.set(retryHeader(problem)),
        document(problem, status, {
          type: problemType(publicUrl(), problem.code),
          errorId,
          requestId: requestIdOf(response),
        }),
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
  ids: Pick<ProblemDocument, 'type' | 'errorId' | 'requestId'>,
): ProblemDocument => ({
  title: problemSentences[problem.code],
  status,
  code: problem.code,
  ...(problem.message !== problemSentences[problem.code] && { detail: problem.message }),
  ...(problem.refusal && { refusal: problem.refusal }),
  ...ids,
  ...(problem.errors.length > 0 && { errors: [...problem.errors] }),
});

/** Codes that reveal internals, so callers only learn that something failed. */
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

/** Facts of a request for the log: the caller, and whether the route signs people in. */
interface Known {
  caller?: ServerCaller | SignedInUser | TokenCaller | Provisioner | undefined;
  isSignIn?: boolean;
  /** A password was checked. */
  isGuess?: boolean;
}

/** Marks refusals from here on as failed sign-ins. */
export const asSignIn: RequestHandler = (_request, { locals }, next) => {
  locals['isSignIn'] = true;
  next();
};

/** Logs a refusal, then lets it be answered. */
export const noteRefusal =
  (engine: Engine): ErrorRequestHandler =>
  async (error: unknown, request, response, next) => {
    const refused = error instanceof Problem && readRefusal(engine, error, request, response);
    if (refused) await engine.access.recordRefusal(refused);
    next(error);
  };

/** Logs each refusal among several answers to one request. */
export async function noteRefused(
  engine: Engine,
  from: Pick<Refused, 'by' | 'address'>,
  results: { id: string; problem: { code: string; refusal?: { code: string } | undefined } | null }[],
): Promise<void> {
  for (const { id, problem } of results) {
    if (problem && refusals.has(problem.code as ProblemCode))
      await engine.access.recordRefusal({
        type: 'access.refused',
        what: problem.refusal?.code ?? problem.code,
        about: [id].filter(isAnyId),
        ...from,
      });
  }
}

/** A refusal for the log; null if no caller is refused: an invalid form, or a page opened before the sign-in. */
function readRefusal(engine: Engine, problem: Problem, request: Request, response: Response): Refused | null {
  const locals = response.locals as Known;
  const type = typeOf(problem.code, locals, showsSomething(request, engine));
  if (!type) return null;
  const { caller } = locals;
  return {
    type,
    what: problem.what,
    by: actorOf(caller),
    about: [...problem.about, ...idsIn(request.path)],
    address: addressOf(request),
  };
}

function actorOf(caller: Known['caller']): Refused['by'] {
  if (!caller) return { kind: 'stranger' };
  if (caller.kind === 'provisioner') return { kind: 'provider', provider: caller.by.issuer };
  if (caller.kind === 'token') return { kind: 'token', token: caller.id, name: caller.name };
  return { kind: caller.kind, id: caller.id } as Refused['by'];
}

function typeOf(code: ProblemCode, { caller, isSignIn, isGuess }: Known, hasShown: boolean): Refused['type'] | null {
  if (isSignIn && (failures.has(code) || isGuess === true)) return 'access.sign-in-failed';
  if (code === 'unauthenticated' && !hasShown) return null;
  if (code === 'not-found' && !caller) return null;
  return refusals.has(code) ? 'access.refused' : null;
}

const failures = new Set<ProblemCode>(['unauthenticated', 'passkey-refused', 'token-invalid', 'rate-limited']);
const refusals = new Set<ProblemCode>([
  'unauthenticated',
  'forbidden',
  'passkey-refused',
  'cross-site',
  'not-found',
  'token-invalid',
]);

const showsSomething = (request: Request, engine: Engine): boolean =>
  request.headers.authorization !== undefined ||
  request.headers['x-slack-signature'] !== undefined ||
  sessionSecret(request, engine.publicUrl()) !== undefined;

/** Logs only the parts of an address that look like our ids: anything else could be a token. */
const idsIn = (path: string): string[] => path.split('/').filter(isAnyId);

export const placeOf = (request: Request): SignInPlace => ({ agent: agentOf(request), address: addressOf(request) });
