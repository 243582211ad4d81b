import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AssentryClient } from '#sdk/client/client';
import { Problem } from '#platform/model/problem/problem';
import { answerInTime } from '../calls/answer-in-time.ts';
import { mergedPath, createRoutes, type Handler } from './routes.ts';
import { MergedUpstream } from '../merged/upstream/merged-upstream.ts';
import { MergedEndpoint } from '../merged/merged-endpoint/merged-endpoint.ts';
import { HttpUpstream } from '../upstreams/http/http-upstream.ts';
import { PersonCredentials } from '../upstreams/credentials/person-credentials.ts';
import { StdioUpstream } from '../upstreams/stdio/stdio-upstream.ts';
import { UpstreamTokens } from '../upstreams/credentials/upstream-tokens.ts';
import { AnswerBudget } from '../upstreams/upstream/answer-budget.ts';
import { maxMessageBytes, type Upstream } from '../upstreams/upstream/upstream.ts';
import type { ConfiguredUpstream, GatewayConfig } from '../config.ts';
import { serveRequest } from '../http/serve-request/serve-request.ts';
import { UpstreamGate, type GateParts } from '../http/upstream/upstream-gate.ts';
import { MemoryBudget } from '../identity/limits/memory-budget.ts';

interface GatewayParts extends Omit<GateParts, 'client' | 'budget' | 'answers' | 'reaches'> {
  /** The orchestrator, with the key of this upstream. If it cannot be had, no call runs. */
  clientFor(upstream: ConfiguredUpstream): Promise<AssentryClient>;
}

export interface RunningGateway {
  /** Where it listens. */
  url: string;
  /** For clients: the address of each upstream's server, by its name. */
  addresses: Record<string, string>;
  /** The address of all of them as one server. */
  merged: string;
  close(): Promise<void>;
}

/** Milliseconds for reporting, at the end, what became of the calls. */
const lastReportMs = 5_000;
/** Bytes of the clients' messages that are read or served at a time. */
const inHand = { all: 512 * 1024 * 1024, each: 128 * 1024 * 1024 };
const mebibyte = 1024 * 1024;
/** Milliseconds a connection is kept for the next request: longer than proxies keep theirs. */
const keepAliveTimeout = 75_000;

/** Stands in front of these upstreams, each at `/u/NAME/mcp` and all at `/mcp`, for clients of every revision. */
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

/** With authorization, sessions and tasks are of use only to the person who began them. */
function gateTo(
  upstream: ConfiguredUpstream,
  { authorization }: GatewayConfig,
  parts: GatewayParts & Pick<GateParts, 'budget' | 'answers'>,
): UpstreamGate {
  const client = parts.clientFor(upstream).then((orchestrator) => answerInTime(orchestrator));
  client.catch(() => {}); // each call says so
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
  const { name, token, credentials } = upstream;
  return new HttpUpstream(upstream, {
    largeMessages: answers.largeMessages,
    ...(token && { tokens: new UpstreamTokens(token, warnOf) }),
    ...(credentials && { people: new PersonCredentials(name, credentials, { client, warn: warnOf }) }),
  });
}

/** It is reached at its own address, so that no call passes by its gate. */
function memberAt(url: string, { name, ...upstream }: ConfiguredUpstream, { warn }: GatewayParts): MergedUpstream {
  const { timeout, calls, sharePerCaller, size } = upstream;
  const limits = { timeout, calls, sharePerCaller, size };
  return new MergedUpstream(
    new HttpUpstream({ ...limits, name, url: url + pathOf({ name }), headers: {}, isOwn: true }),
    warn,
  );
}
