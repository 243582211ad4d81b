import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssentryClient } from '../client/client.ts';
import { isLoopback } from '../model/names.ts';
import { Problem } from '../model/problem.ts';
import { errorFrame, rpcCodes, rpcError } from './frames/frame.ts';
import { answerWith } from './http/client-answer.ts';
import { Member } from './merged/member.ts';
import { MergedEndpoint } from './merged/merged-endpoint.ts';
import { HttpUpstream } from './upstreams/http-upstream.ts';
import { StdioUpstream } from './upstreams/stdio-upstream.ts';
import type { Upstream } from './upstreams/upstream.ts';
import type { ConfiguredUpstream, GatewayConfig } from './gateway-config.ts';
import { serveRequest } from './http/serve-request.ts';
import { UpstreamGate, type GateParts } from './http/upstream-gate.ts';

export interface GatewayParts extends Omit<GateParts, 'client'> {
  /** The orchestrator, with the key of this upstream. If it cannot be had, no call runs. */
  clientFor(upstream: ConfiguredUpstream): Promise<AssentryClient>;
}

export interface RunningGateway {
  url: string;
  /** The address of each upstream's server, by its name. */
  addresses: Record<string, string>;
  /** The address of all of them as one server. */
  merged: string;
  close(): Promise<void>;
}

/** Milliseconds the orchestrator has, at the end, to learn what became of the calls. */
const farewell = 5_000;
/** Milliseconds a connection is kept for the next request: longer than proxies keep theirs. */
const keepAliveTimeout = 75_000;

/** Stands in front of these upstreams, each at `/u/NAME/mcp` and all at `/mcp`, for clients of every revision. */
export async function startGateway(config: GatewayConfig, parts: GatewayParts): Promise<RunningGateway> {
  const gates = new Map(
    config.upstreams.map((upstream) => {
      const client = parts.clientFor(upstream);
      client.catch(() => {}); // each call says so
      return [`/u/${upstream.name}/mcp`, new UpstreamGate(open(upstream, parts), { ...parts, client })] as const;
    }),
  );
  const doors = new Map<string | undefined, Door>(
    [...gates].map(([path, gate]) => [path, (...exchange) => serveRequest(gate, ...exchange)]),
  );
  const server = createServer({ keepAliveTimeout }, (request, response) => void route(doors, request, response));
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://${config.host}:${port}`;
  const merged = new MergedEndpoint(config.upstreams.map((upstream) => memberAt(url, upstream, parts)));
  doors.set('/mcp', (...exchange) => merged.serve(...exchange));
  const addresses = [...gates].map(([path, { upstream }]) => [upstream.name, url + path]);
  return {
    url,
    addresses: Object.fromEntries(addresses) as Record<string, string>,
    merged: `${url}/mcp`,
    async close() {
      server.close();
      const closed = [...gates.values()].map((gate) => gate.close(new Problem('shutting-down')));
      await Promise.race([Promise.all(closed), sleep(farewell, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

function open(upstream: ConfiguredUpstream, { warn }: GatewayParts): Upstream {
  if ('url' in upstream) return new HttpUpstream(upstream);
  return new StdioUpstream(upstream, (sentence) => warn(`${upstream.name}: ${sentence}`));
}

/** It is reached at its own address, so that no call passes by its gate. */
function memberAt(url: string, { name, timeout, calls, size }: ConfiguredUpstream, { warn }: GatewayParts): Member {
  return new Member(new HttpUpstream({ name, url: `${url}/u/${name}/mcp`, headers: {}, timeout, calls, size }), warn);
}

/** What is at an address. */
type Door = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function route(
  doors: ReadonlyMap<string | undefined, Door>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => {}); // a client that has gone takes nothing
  const door = doors.get(request.url);
  if (!isLocal(request)) return answerWith(response, 403, errorFrame(null, elsewhere));
  if (!door) return answerWith(response, 404, errorFrame(null, unknown));
  await door(request, response).catch(() => response.destroy());
}

/** A page in a browser on this machine could otherwise call tools, under a name that leads here. */
function isLocal({ headers: { host, origin } }: IncomingMessage): boolean {
  const isHere = (url: string): boolean => URL.canParse(url) && isLoopback(url);
  return isHere(`http://${host}`) && (origin === undefined || isHere(origin));
}

const elsewhere = rpcError(rpcCodes.invalidRequest, 'forbidden', 'Call the gateway by a loopback address.');
const unknown = rpcError(rpcCodes.invalidRequest, 'not-found', 'Use an address of the gateway: /mcp, or /u/NAME/mcp.');
