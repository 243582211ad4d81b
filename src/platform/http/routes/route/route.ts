import { isUtf8 } from 'node:buffer';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { z } from 'zod';
import type { RouteContract } from '../../contract/openapi/routes.ts';
import { inTurns } from '../../../crypto/in-turns/in-turns.ts';
import { jsonLimits, parseStrictJsonInParts } from '../../../crypto/strict-json.ts';
import type { TokenCaller } from '#people/directory/verbs/directory';
import type { Provisioner } from '#access/scim/verbs/tokens';
import type { ServerCaller, SignedInUser } from '#people/directory/contract/user';
import type { Limiter } from '../../../model/limiter.ts';
import { invalidInput, Problem } from '../../../model/problem/problem.ts';
import type { Authenticate } from '../authenticate/authenticate.ts';
import { addressOf } from '../limits/address-of.ts';
import { sendText } from './send-text.ts';
import { withinLimit, limiterKeyOf, readWithinLimit, acquireUncounted } from '../limits/within-limit.ts';
import { formatIssue } from '../../contract/problem/format-issue.ts';

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
/** Routes of services that sign are served where their bytes are read. */
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
  /** From here on the caller waits, and the node does no work for it. */
  rest(): void;
}

/** An answer of a route that succeeds in more than one way. */
export interface Answer {
  status: number;
  body?: unknown;
}

/** The body of the route's one success, which its contract names; nothing if the handler has written the response itself. */
type Result<Success extends RouteContract['success']> = {
  [Status in keyof Success]: Exclude<keyof Success, Status> extends never ? BodyOf<Success[Status]> : Answer;
}[keyof Success];
type BodyOf<S> = S extends z.ZodType ? z.input<S> : void;

type Handler<R extends Served> = (request: RouteRequest<R>) => Promise<Result<R['success']>>;

/** The most bytes of a body, by sender: arguments of tools are larger than forms. */
const bodyLimit = {
  key: 1024 * 1024,
  session: 256 * 1024,
  'session-or-token': 1024 * 1024,
  scim: 1024 * 1024,
  token: 256 * 1024,
  operator: 0,
  none: 16 * 1024,
} as const;

/** A provider may send all members of a group at once, and a program a whole directory: as many as fit into their bodies. */
const manyLimits = { ...jsonLimits, members: 60_000 };

/** Milliseconds for which a caller counts as admitted while the body arrives. */
const admissionLasts = 1000;

/**
 * Serves one route of the table: authenticate, read, parse, call, answer. Nothing is read of a caller who is refused. A
 * route without an entry does not exist.
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
      // So that no one guesses without end. Who is known is counted below.
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

/** A parameter with slashes arrives in pieces. */
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

/** The status of the route's one success; null if there is more than one, and the handler chooses. */
function onlyStatus({ success }: RouteContract): number | null {
  const [status = null, ...others] = Object.keys(success).map(Number);
  return others.length === 0 ? status : null;
}

/** Drops what the contract does not name, so that a new column never leaks. */
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
