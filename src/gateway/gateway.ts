import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssentryClient } from '#sdk/client/client';
import { Problem } from '#platform/model/problem';
import { answerInTime } from './calls/answer-in-time.ts';
import { MergedUpstream } from './merged/upstream.ts';
import { MergedEndpoint } from './merged/merged-endpoint.ts';
import { HttpUpstream } from './upstreams/http.ts';
import { ConnectedAccounts } from './upstreams/accounts.ts';
import { EnteredSecrets, PersonCredentials, UpstreamTokens } from './upstreams/credentials.ts';
import { StdioUpstream } from './upstreams/stdio.ts';
import { AnswerBudget, maxMessageBytes, type Upstream, onceClosed } from './upstreams/upstream.ts';
import type { ConfiguredUpstream, GatewayConfig } from './config.ts';
import { serveRequest } from './http/serve-request.ts';
import { UpstreamGate, type GateParts } from './http/upstream.ts';
import { MemoryBudget, CallerLimiter } from './identity/limits.ts';
import { localGuard, tokenGuard, type Guard, metadataOf, metadataPath, resourceAt } from './identity/guard.ts';
import { errorFrame, rpcCodes, rpcError, type RpcError } from './frames/frame.ts';
import { answerWith, dismiss, refuseForNow } from './http/messages.ts';
import { principalKey, type Caller } from './identity/caller.ts';
import type { GatewayAuthorization } from './authorization-config.ts';
import { isLoopback } from '#platform/model/names';

interface GatewayParts extends Omit<GateParts, 'client' | 'budget' | 'answers' | 'reaches'> {
  /** Orchestrator with the key of this upstream. If it is unavailable, no call runs. */
  clientFor(upstream: ConfiguredUpstream): Promise<AssentryClient>;
}

export interface RunningGateway {
  /** Address at which the gateway listens. */
  url: string;
  /** Address of each upstream's server for clients, by name. */
  addresses: Record<string, string>;
  /** Address of all upstreams as one server. */
  merged: string;
  close(): Promise<void>;
}

/** Milliseconds for the last reports of call outcomes. */
const lastReportMs = 5_000;
/** Limit in bytes of clients' messages that are read or served at a time. */
const inHand = { all: 512 * 1024 * 1024, each: 128 * 1024 * 1024 };
const mebibyte = 1024 * 1024;
/** Milliseconds a connection is kept for the next request: longer than proxies keep theirs. */
const keepAliveTimeout = 75_000;

/** Serves these upstreams to clients of every revision: each at `/u/NAME/mcp`, all at `/mcp`. */
export async function startGateway(config: GatewayConfig, parts: GatewayParts): Promise<RunningGateway> {
  const { upstreams, host, port, authorization } = config;
  const budget = new MemoryBudget(authorization ? inHand : { ...inHand, each: inHand.all });
  const all = config.maxAnswers * mebibyte;
  const answers = new AnswerBudget({ all, each: authorization ? Math.max(maxMessageBytes, all / 2) : all });
  const gates = upstreams.map((upstream) => gateTo(upstream, config, { ...parts, budget, answers }));
  for (const gate of gates) void gate.askAboutServer();
  const server = createServer({ keepAliveTimeout }).listen(port, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const ownOrigin = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const merged = new MergedEndpoint(
    upstreams.map((upstream) => memberAt(ownOrigin, upstream, parts)),
    { budget, answers },
  );
  const handlers = new Map<string, Handler>([[mergedPath, (...visit) => merged.serve(...visit)]]);
  for (const gate of gates) handlers.set(pathOf(gate.upstream), (...visit) => serveRequest(gate, ...visit));
  const origin = config.url ?? ownOrigin;
  const answer = createRoutes({ handlers, authorization, origin, ownOrigin });
  server.on('request', (request, response) => void answer(request, response));
  return {
    url,
    addresses: Object.fromEntries(upstreams.map((upstream) => [upstream.name, origin + pathOf(upstream)])),
    merged: origin + mergedPath,
    async close() {
      server.close();
      const closed = gates.map((gate) => gate.close(new Problem('shutting-down')));
      await Promise.race([Promise.all(closed), sleep(lastReportMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

const pathOf = ({ name }: { name: string }): string => `/u/${name}/mcp`;

/** Gate of an upstream. With authorization, sessions and tasks work only for the person who began them. */
function gateTo(
  upstream: ConfiguredUpstream,
  { authorization }: GatewayConfig,
  parts: GatewayParts & Pick<GateParts, 'budget' | 'answers'>,
): UpstreamGate {
  const client = parts.clientFor(upstream).then((orchestrator) => answerInTime(orchestrator));
  client.catch(() => {}); // each call reports it
  return new UpstreamGate(open(upstream, client, parts), {
    ...parts,
    reaches: upstream.reaches,
    client,
    allowances: upstream,
    describesHeld: upstream.describeHeld,
    ...(authorization && {
      owning: { secret: authorization.sessionSecret },
      sendsTokens: authorization.sendAccessToken,
    }),
  });
}

function open(
  upstream: ConfiguredUpstream,
  client: Promise<AssentryClient>,
  { warn, answers }: GatewayParts & Pick<GateParts, 'answers'>,
): Upstream {
  const warnOf = (sentence: string): void => warn(`${upstream.name}: ${sentence}`);
  if (!('url' in upstream)) return new StdioUpstream(upstream, { answers, warn: warnOf });
  const { name, url, token, credentials } = upstream;
  const account = credentials?.account;
  const vault = account
    ? new ConnectedAccounts({ ...account, server: name, url, client })
    : new EnteredSecrets(name, client);
  return new HttpUpstream(upstream, {
    largeMessages: answers.largeMessages,
    ...(token && { tokens: new UpstreamTokens(token, warnOf) }),
    ...(credentials && { people: new PersonCredentials(credentials, vault, warnOf) }),
  });
}

/** A member reached at its own address, so that no call bypasses its gate. */
function memberAt(url: string, { name, ...upstream }: ConfiguredUpstream, { warn }: GatewayParts): MergedUpstream {
  const { timeout, calls, sharePerCaller, size } = upstream;
  const limits = { timeout, calls, sharePerCaller, size };
  return new MergedUpstream(
    new HttpUpstream({ ...limits, name, url: url + pathOf({ name }), headers: {}, isOwn: true }),
    warn,
  );
}

/** Handler of an address for admitted callers. */
export type Handler = (caller: Caller, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handler of an address for all callers. */
type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The address of all upstreams as one server. */
const mergedPath = '/mcp';

/** Requests of one person at one address at a time, streams among them. */
const maxRequests = 1_000;

interface GatewayRoutes {
  handlers: ReadonlyMap<string, Handler>;
  authorization: GatewayAuthorization | null;
  /** Origin for clients. */
  origin: string;
  /** Origin for its own requests. */
  ownOrigin: string;
}

/** Answers a request to any address; a request that is not admitted reaches no handler. */
export function createRoutes({ handlers, authorization, origin, ownOrigin }: GatewayRoutes): Route {
  const routes = new Map([...handlers].flatMap(([path, handler]) => routesTo(path, handler, authorization, origin)));
  const addresses = [origin, ownOrigin].map((address) => new URL(address));
  return async (request, response) => {
    response.on('error', () => {}); // a client that has gone takes nothing
    response.setHeader('x-content-type-options', 'nosniff'); // no answer here is a page
    const route = routes.get(request.url ?? '');
    if (!isMeant(request, addresses)) return turnAway(request, response, 403, elsewhere);
    if (!route) return turnAway(request, response, 404, unknown);
    if (request.method === 'POST' && !isJson(request)) return turnAway(request, response, 415, noJson);
    await route(request, response).catch(() => response.destroy());
  };
}

/** Routes of one path. A token for all upstreams is valid at each of them. */
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
    if (response.destroyed) return; // the client has gone, and nothing would end the work begun for it
    if ('caller' in admission) return handler(admission.caller, request, response);
    for (const [name, value] of Object.entries(admission.headers)) response.setHeader(name, value);
    turnAway(request, response, admission.status, admission.error);
  };

/** Admits a person while they have a free place; they leave it when their answer ends. */
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

/** Answers a request without reading the rest of it. */
function turnAway(request: IncomingMessage, response: ServerResponse, status: number, error: RpcError): void {
  dismiss(request);
  answerWith(response, status, errorFrame(null, error));
}

async function showMetadata(metadata: object, { method }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
}

/**
 * Refuses pages in a browser, which could otherwise call tools under a name that leads here, or from another server of this
 * machine.
 */
function isMeant({ headers: { host, origin } }: IncomingMessage, addresses: readonly URL[]): boolean {
  const isHere = (url: string): boolean =>
    URL.canParse(url) && (isLoopback(url) || addresses.some(({ hostname }) => hostname === new URL(url).hostname));
  const isOwn = (url: string): boolean =>
    URL.canParse(url) &&
    addresses.some((own) => own.origin === url || (isLoopback(url) && isSamePort(own, new URL(url))));
  return isHere(`http://${host}`) && (origin === undefined || isOwn(origin));
}

/** Treats `localhost` and `127.0.0.1` as one host. */
const isSamePort = (own: URL, other: URL): boolean =>
  isLoopback(own.href) && own.protocol === other.protocol && own.port === other.port;

/** Requires JSON: browsers send other types from any page without a preflight. */
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
