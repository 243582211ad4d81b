import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorFrame, rpcCodes, rpcError, type RpcError } from '../frames/frame/frame.ts';
import { answerWith, dismiss, refuseForNow } from '../http/messages/client-answer.ts';
import { localGuard, tokenGuard, type Guard } from '../identity/limits/guard.ts';
import { metadataOf, metadataPath, resourceAt } from '../identity/limits/protected-resource.ts';
import { CallerLimiter } from '../identity/limits/caller-limiter.ts';
import { principalKey, type Caller } from '../identity/caller.ts';
import type { GatewayAuthorization } from '../authorization-config/authorization-config.ts';
import { isLoopback } from '#platform/model/names';
import { onceClosed } from '../upstreams/upstream/once-closed.ts';

/** What is at an address, for someone who was let in. */
export type Handler = (caller: Caller, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What is at an address, for anyone. */
type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The address of all upstreams as one server. */
export const mergedPath = '/mcp';

/** Requests of one person at one address at a time, streams among them. */
const maxRequests = 1_000;

interface GatewayRoutes {
  handlers: ReadonlyMap<string, Handler>;
  authorization: GatewayAuthorization | null;
  /** Where clients reach it. */
  origin: string;
  /** Where it reaches itself. */
  ownOrigin: string;
}

/** Answers a request to any address: one that is not let in reaches no handler. */
export function createRoutes({ handlers, authorization, origin, ownOrigin }: GatewayRoutes): Route {
  const routes = new Map([...handlers].flatMap(([path, handler]) => routesTo(path, handler, authorization, origin)));
  const addresses = [origin, ownOrigin].map((address) => new URL(address));
  return async (request, response) => {
    response.on('error', () => {}); // a client that has gone takes nothing
    response.setHeader('x-content-type-options', 'nosniff'); // nothing here is a page
    const route = routes.get(request.url ?? '');
    if (!isMeant(request, addresses)) return turnAway(request, response, 403, elsewhere);
    if (!route) return turnAway(request, response, 404, unknown);
    if (request.method === 'POST' && !isJson(request)) return turnAway(request, response, 415, noJson);
    await route(request, response).catch(() => response.destroy());
  };
}

/** A token for all upstreams is good at each of them. */
function routesTo(
  path: string,
  handler: Handler,
  authorization: GatewayAuthorization | null,
  origin: string,
): [string, Route][] {
  if (!authorization) return [[path, routeWith(localGuard, handler)]];
  const { source, scopes } = authorization;
  const resource = resourceAt(origin, path, scopes);
  const audience = [resource.resource, resourceAt(origin, mergedPath).resource];
  const guard = tokenGuard({ ...source, audience }, resource, Date.now);
  const limiter = new CallerLimiter(maxRequests);
  const metadata = metadataOf(resource, source.issuer);
  return [
    [path, routeWith(guard, withPlace(limiter, handler))],
    [metadataPath(path), (request, response) => showMetadata(metadata, request, response)],
  ];
}

const routeWith =
  (guard: Guard, handler: Handler): Route =>
  async (request, response) => {
    const admission = await guard(request.headers);
    if (response.destroyed) return; // no one takes an answer, and nothing would end what is begun for them
    if ('caller' in admission) return handler(admission.caller, request, response);
    for (const [name, value] of Object.entries(admission.headers)) response.setHeader(name, value);
    turnAway(request, response, admission.status, admission.error);
  };

/** Lets a person in while they have a place; they leave it when their answer has ended. */
const withPlace =
  (limiter: CallerLimiter, handler: Handler): Handler =>
  async (caller, request, response) => {
    const leave = limiter.acquire(principalKey(caller.principal));
    if (leave) {
      onceClosed(response, leave);
      return handler(caller, request, response);
    }
    dismiss(request);
    refuseForNow(response, 429, errorFrame(null, tooMany));
  };

/** Answers a request of which nothing more is read. */
function turnAway(request: IncomingMessage, response: ServerResponse, status: number, error: RpcError): void {
  dismiss(request);
  answerWith(response, status, errorFrame(null, error));
}

async function showMetadata(metadata: object, { method }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
}

/**
 * A page in a browser could otherwise call tools, under a name that leads here, or from another server of this machine.
 */
function isMeant({ headers: { host, origin } }: IncomingMessage, addresses: readonly URL[]): boolean {
  const isHere = (url: string): boolean =>
    URL.canParse(url) && (isLoopback(url) || addresses.some(({ hostname }) => hostname === new URL(url).hostname));
  const isOwn = (url: string): boolean =>
    URL.canParse(url) &&
    addresses.some((own) => own.origin === url || (isLoopback(url) && isSamePort(own, new URL(url))));
  return isHere(`http://${host}`) && (origin === undefined || isOwn(origin));
}

/** `localhost` and `127.0.0.1` are one place. */
const isSamePort = (own: URL, other: URL): boolean =>
  isLoopback(own.href) && own.protocol === other.protocol && own.port === other.port;

/** Browsers send other types from any page without asking first. */
const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '');

const elsewhere = rpcError(rpcCodes.invalidRequest, 'forbidden', 'Call the gateway by its own address.');
const noJson = rpcError(rpcCodes.invalidRequest, 'INVALID_INPUT', 'Send application/json.');
const tooMany = rpcError(
  rpcCodes.internal,
  'rate-limited',
  'Wait for one of your requests to end, then try again: you have as many open as one caller may.',
);
const unknown = rpcError(rpcCodes.invalidRequest, 'not-found', 'Use an address of the gateway: /mcp, or /u/NAME/mcp.');
