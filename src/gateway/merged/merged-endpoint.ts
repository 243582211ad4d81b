import type { ServerResponse, IncomingMessage } from 'node:http';
import {
  errorFrame,
  errorOf,
  resultFrame,
  rpcCodes,
  RpcFault,
  textOfFrame,
  type Frame,
  type FrameId,
  isFrameId,
  isModern,
  paramsOf,
  rpcError,
  sessionEnded,
  unknownMethod,
} from '../frames/frame.ts';
import {
  answerWith,
  answerWithText,
  endWith,
  eventOf,
  streamHeaders,
  idOf,
  readMessage,
  sendAnswer,
} from '../http/messages.ts';
import { UpstreamRefusal, type AnswerBudget, sessionOf, onceClosed } from '../upstreams/upstream.ts';
import { Problem } from '#platform/model/problem';
import { waitAtMost } from '#sdk/client/transport';
import type { MemoryBudget } from '../identity/limits.ts';
import { principalKey, type Caller } from '../identity/caller.ts';
import { askEach, isRefused, partsOf, notifyEach, type Outcome, type Sessions, follow, subscribe } from './streams.ts';
import { faultOfInitialize, routeOf, unknownName, type MergedUpstream, type ForwardedRequest } from './upstream.ts';
import { mergeDiscoveries, mergeGreetings, mergeLists, type Part } from './results.ts';
import { places, cursors, sessions } from './names.ts';

interface MergedAnswer {
  result: Record<string, unknown>;
  /** Messages of the upstreams before the answer. */
  before: string[];
  headers?: Record<string, string>;
}

/** Answers a request, with the earlier messages in the same stream. */
function sendResult(
  { response, forwarded }: { response: ServerResponse; forwarded: { frame: Frame } },
  { result, before, headers = {} }: MergedAnswer,
): void {
  const text = textOfFrame(resultFrame(forwarded.frame.id as FrameId, result));
  const type = before.length === 0 ? { 'content-type': 'application/json' } : streamHeaders;
  response.writeHead(200, { ...type, ...headers });
  endWith(response, before.length === 0 ? text : [...before, text].map((message) => eventOf(message)).join(''));
}

/** Accepts a message without an answer. */
async function sendAccepted(response: ServerResponse): Promise<void> {
  response.writeHead(202).end();
}

/** Answers with the reason for a missing answer: with the upstream's own words and status, if it refused the request itself. */
function sendRefusal(response: ServerResponse, frame: Frame | undefined, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (error instanceof UpstreamRefusal)
    return answerWithText(response, error.status, { text: error.body, type: error.contentType });
  answerWith(response, statusOf(error), errorFrame(frame ? idOf(frame) : null, errorOf(error)));
}

function statusOf(error: unknown): number {
  if (!(error instanceof RpcFault)) return 502;
  return error.error.code === rpcCodes.invalidRequest ? 400 : 200;
}

/** One request of a client. */
interface Asking {
  response: ServerResponse;
  forwarded: ForwardedRequest;
  sessions: Sessions;
}

/**
 * All upstreams as one server, with names that lead back to each. It keeps and judges nothing: it is a client of the upstreams'
 * own addresses in this gateway.
 */
export class MergedEndpoint {
  readonly #members: ReadonlyMap<string, MergedUpstream>;
  readonly #budget: MemoryBudget;
  readonly #answers: AnswerBudget;

  constructor(
    members: readonly MergedUpstream[],
    { budget, answers }: { budget: MemoryBudget; answers: AnswerBudget },
  ) {
    this.#budget = budget;
    this.#answers = answers;
    this.#members = new Map(members.map((member) => [member.name, member]));
  }

  async serve(caller: Caller, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request;
    if (!isMethod(method)) return void response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
    const key = principalKey(caller.principal);
    const reading = { reservation: this.#budget.reserve(key) };
    const message = method === 'POST' ? await readMessage(request, response, reading) : undefined;
    if (message === null) return;
    const id = sessionOf(headers);
    const session = id === undefined ? null : sessions.unpack(id);
    if (id !== undefined && !session) return answerWith(response, 404, errorFrame(null, sessionEnded));
    const gone = new AbortController();
    onceClosed(response, () => gone.abort());
    const reservation = this.#answers.reserveFor(key, response);
    const forwarded = { method, caller, headers, signal: gone.signal, reservation };
    const asking = { response, sessions: session, forwarded };
    const frame = message?.frame;
    await (frame ? this.#post(asking, frame) : this.#serveStream(asking)).catch((error: unknown) =>
      sendRefusal(response, frame, error),
    );
  }

  async #post({ forwarded, ...asking }: Asking, frame: Frame): Promise<void> {
    const { method, id } = frame;
    const posted = { ...asking, forwarded: { ...forwarded, frame } };
    if (method === 'initialize') return this.#initialize(posted);
    if (method === 'server/discover') return this.#discover(posted);
    if (!asking.sessions && !isModern(frame)) throw new RpcFault(notInitialized);
    if (method === 'subscriptions/listen') {
      return subscribe(this.#reached(asking), posted.forwarded, asking.sessions, asking.response);
    }
    const route = routeOf(frame);
    if (route.to === 'owner') return this.#passTo(route.upstream, { ...asking, forwarded: { ...forwarded, ...route } });
    if (route.to === 'list') return this.#list(posted, route.member);
    if (route.to === 'every') return isFrameId(id) ? this.#askAny(posted) : this.#tell(posted);
    if (method === undefined || !isFrameId(id)) return sendAccepted(asking.response);
    throw new RpcFault(route.error);
  }

  async #initialize(asking: Asking & Posted): Promise<void> {
    const { parts, before } = partsOf((await this.#askAll(asking)).map(greeted));
    const opened = parts.map(({ upstream, session, result: { protocolVersion } }) => {
      return [upstream, { id: session, version: String(protocolVersion) }] as const;
    });
    const id = sessions.pack(Object.fromEntries(opened));
    sendResult(asking, { result: mergeGreetings(parts), before, headers: { 'mcp-session-id': id } });
  }

  /**
   * Answers `server/discover`. A client that finds no such method connects as in 2025, as it must if one upstream has no later
   * revision.
   */
  async #discover(asking: Asking & Posted): Promise<void> {
    const outcomes = await this.#askAll(asking);
    const { parts, before } = partsOf(outcomes);
    if (isRefused(outcomes)) throw new RpcFault(unknownMethod);
    sendResult(asking, { result: mergeDiscoveries(parts), before });
  }

  #askAll({ forwarded }: Asking & Posted) {
    return askEach([...this.#members.values()], forwarded, null, () => forwarded.frame);
  }

  async #list(asking: Asking & Posted, member: string): Promise<void> {
    const { forwarded } = asking;
    const { cursor, ...params } = paramsOf(forwarded.frame);
    const starts = cursor === undefined ? null : cursors.unpack(cursor);
    if (cursor !== undefined && !starts) throw new RpcFault(badCursor);
    const members = this.#reached(asking).filter(({ name }) => !starts || starts.has(name));
    const frameFor = ({ name }: MergedUpstream): Frame => {
      const start = starts?.get(name);
      return { ...forwarded.frame, params: { ...params, ...(start !== undefined && { cursor: start }) } };
    };
    const { parts, before } = partsOf(await askEach(members, forwarded, asking.sessions, frameFor));
    sendResult(asking, { result: mergeLists(parts, member, nextOf(parts)), before });
  }

  /** Asks all upstreams, and takes any answer. */
  async #askAny(asking: Asking & Posted): Promise<void> {
    const { forwarded } = asking;
    const outcomes = await askEach(this.#reached(asking), forwarded, asking.sessions, () => forwarded.frame);
    const { parts, before } = partsOf(outcomes);
    sendResult(asking, { result: parts[0]?.result ?? {}, before });
  }

  async #tell(asking: Asking): Promise<void> {
    await this.#notify(asking);
    sendAccepted(asking.response);
  }

  async #serveStream(asking: Asking): Promise<void> {
    const { response, forwarded } = asking;
    if (!asking.sessions) return void response.writeHead(405, { allow: 'POST' }).end();
    if (forwarded.method === 'GET') return this.#listen(asking);
    await this.#notify(asking);
    response.writeHead(200).end();
  }

  /** Notifies the upstreams; a slow one keeps no client waiting. */
  #notify(asking: Asking): Promise<void> {
    return waitAtMost(timeToNotify, notifyEach(this.#reached(asking), asking.forwarded, asking.sessions));
  }

  /** Listens to the upstreams. Only the stream of one upstream can be resumed. */
  #listen(asking: Asking): Promise<void> {
    const { 'last-event-id': last, ...headers } = asking.forwarded.headers;
    const place = typeof last === 'string' ? places.split(last) : null;
    const forwarded = { ...asking.forwarded, headers: { ...headers, ...(place && { 'last-event-id': place.own }) } };
    if (place) return this.#passTo(place.upstream, { ...asking, forwarded });
    return follow(this.#reached(asking), forwarded, asking.sessions, asking.response);
  }

  async #passTo(upstream: string, { response, forwarded, sessions: own }: Asking): Promise<void> {
    const member = this.#members.get(upstream);
    if (!member) throw new RpcFault(unknownName(upstream));
    const session = own?.get(upstream);
    if (own && !session) throw new RpcFault(absent(upstream));
    await sendAnswer(await member.pass({ ...forwarded, session }), response, {
      show: (message) => member.show(message),
      place: (own) => places.join(upstream, own),
      headers: ['retry-after'],
    });
  }

  /** The upstreams of the session, or all of them. */
  #reached({ sessions: own }: Pick<Asking, 'sessions'>): MergedUpstream[] {
    return [...this.#members.values()].filter(({ name }) => !own || own.has(name));
  }
}

interface Posted {
  forwarded: { frame: Frame };
}

/** Milliseconds each upstream has to take a message without an answer. */
const timeToNotify = 2_000;

/** Leaves out an upstream whose answer no client could connect with. */
function greeted(outcome: Outcome): Outcome {
  const fault = 'answered' in outcome ? faultOfInitialize(outcome.answered) : null;
  if (fault === null) return outcome;
  const error = new Problem('unavailable', { detail: `Ask the operator of ${outcome.member.name}: ${fault}` });
  outcome.member.miss(error);
  return { member: outcome.member, error };
}

const isMethod = (method: string): method is ForwardedRequest['method'] => ['GET', 'POST', 'DELETE'].includes(method);

function nextOf(parts: Part[]): string | null {
  const next = parts.flatMap(({ upstream, result: { nextCursor } }) =>
    typeof nextCursor === 'string' ? [[upstream, nextCursor] as const] : [],
  );
  return next.length === 0 ? null : cursors.pack(Object.fromEntries(next));
}

const notInitialized = rpcError(rpcCodes.invalidRequest, 'INVALID_INPUT', 'Initialize first, and name your session.');
const badCursor = rpcError(rpcCodes.invalidParams, 'INVALID_INPUT', 'Use the cursor of the page before.');
const absent = (upstream: string) =>
  rpcError(
    rpcCodes.internal,
    'unavailable',
    `Initialize again: ${upstream} could not be reached when this session began. Nothing was run.`,
  );
