import { randomHex } from '#sdk/client/digest';
import { Problem } from '#platform/model/problem';
import { singleCallSession } from '#sdk/mcp/tools/principal';
import {
  unknownClient,
  type McpClient,
  Connections,
  type Bound,
  type ConnectionsParts,
  ownIdPrefix,
  type OwnRequests,
} from '../calls/connections.ts';
import { requesterOf } from '../calls/arguments.ts';
import { isFrameId, rpcCodes, rpcError, RpcFault, type Frame, type FrameId } from '../frames/frame.ts';
import { resultIn } from '../frames/reading.ts';
import { OwnerCache } from '../identity/owned.ts';
import { shareOf } from '../identity/limits.ts';
import { principalKey } from '../identity/caller.ts';
import { KnownTools } from '../tools/known-tools.ts';
import {
  isOk,
  messagesOf,
  sessionOf,
  UpstreamRefusal,
  type Exchange,
  type Upstream,
  type UpstreamAnswer,
} from '../upstreams/upstream.ts';

/** State of one session of a client; without sessions, of all clients of one person. */
export interface Conversation {
  /** Name of a call's session for Assentry. */
  session(): string;
  tools: KnownTools;
  /** The client as it named itself when it connected. */
  connected: McpClient;
  /** Calls in hand, by the client's ids; null without sessions, because ids then belong to requests. */
  calls: Map<FrameId, { cancel(): void; hasRun(): boolean }> | null;
  /** The gateway's own questions on the streams of its calls. */
  questions: Set<OwnRequests>;
  /** Outside addresses to which the upstream sends its person. */
  connections: Connections;
  /** Latest request, whose caller and headers the gateway's own requests use. */
  latest: Asking;
}

/** The caller and the headers of a request. */
export type Asking = Pick<Exchange, 'caller' | 'headers'>;

/** Limit of kept sessions; the oldest are forgotten. */
const maxKept = 10_000;

/** Milliseconds after which tools are read again: over HTTP, a notice of a change may get lost. */
const toolsLast = 10_000;

/** Milliseconds for the whole answer to a request of the gateway itself, because calls wait for it. */
const maxAnswerMs = 30_000;

const silent = 'Try again later: the server does not answer. Nothing was run.';

interface ConversationsParts extends Pick<ConnectionsParts, 'client' | 'warn'> {
  /** Assentry gets the requesters' access tokens. */
  sendsTokens: boolean;
}

/** The conversations of one upstream. A forgotten one is made again by the next request. */
export class Conversations {
  readonly #upstream: Upstream;
  readonly #parts: ConversationsParts;
  readonly #kept: OwnerCache<Conversation>;

  constructor(upstream: Upstream, parts: ConversationsParts) {
    this.#upstream = upstream;
    this.#parts = parts;
    this.#kept = new OwnerCache({ all: maxKept, each: shareOf(maxKept, upstream.sharePerCaller) });
  }

  of(asking: Asking): Conversation {
    const id = sessionOf(asking.headers) ?? null;
    const owner = principalKey(asking.caller.principal);
    const conversation = this.#kept.getOrCreate(owner, JSON.stringify(id), () => this.#make(id, asking));
    conversation.latest = asking;
    return conversation;
  }

  #make(id: string | null, latest: Asking): Conversation {
    const connecting = id ?? singleCallSession();
    const conversation: Conversation = {
      session: () => id ?? singleCallSession(),
      tools: new KnownTools((params) => this.#listTools(conversation, params), toolsLast),
      connected: unknownClient,
      calls: id === null ? null : new Map(),
      questions: new Set(),
      connections: new Connections({
        ...this.#parts,
        server: this.#upstream.name,
        bound: () => ({ ...this.#requesterOf(conversation), session: connecting }),
        toUpstream: (frame) => void sendOwn(this.#upstream, conversation.latest, frame).catch(() => {}), // it has gone
      }),
      latest,
    };
    return conversation;
  }

  #requesterOf({ connected, latest: { caller } }: Conversation): Omit<Bound, 'session'> {
    const accessToken = (this.#parts.sendsTokens && caller.token) || undefined;
    return { requester: requesterOf({ principal: caller.principal, mcpClient: connected }), accessToken };
  }

  #listTools({ latest }: Conversation, params: Record<string, unknown>): Promise<unknown> {
    return askOwn(this.#upstream, latest, 'tools/list', params);
  }
}

/** A request of the gateway itself, in the client's session; rejects with the upstream's error. */
export async function askOwn(
  upstream: Upstream,
  { caller, headers }: Asking,
  method: string,
  params?: Record<string, unknown>,
): Promise<unknown> {
  const id = ownIdPrefix + randomHex();
  const frame: Frame = { jsonrpc: '2.0', id, method, ...(params && { params }) };
  const { 'mcp-name': _name, 'last-event-id': _place, ...others } = headers;
  const isNamed = others['mcp-method'] !== undefined;
  const own = { ...others, accept: 'application/json, text/event-stream', ...(isNamed && { 'mcp-method': method }) };
  const work = async ({ signal }: { signal: AbortSignal }): Promise<unknown> => {
    const answer = await upstream.ask({ method: 'POST', caller, headers: own, frame, signal, reservation: null });
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    return resultIn(await answerIn(answer, id));
  };
  return untilLate(Math.min(upstream.timeout, maxAnswerMs), work);
}

/** Runs the work and ends it with `unavailable` after this time. */
async function untilLate<T>(ms: number, work: (controller: AbortController) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Problem('unavailable', { detail: silent })), ms);
  try {
    return await work(late);
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends a message of the gateway itself, without an answer, with the client's caller and headers. */
export async function sendOwn(upstream: Upstream, { caller, headers }: Asking, frame: Frame): Promise<void> {
  const { 'mcp-name': _name, 'mcp-method': _method, 'last-event-id': _place, ...others } = headers;
  const own = { ...others, accept: 'application/json, text/event-stream' };
  const { signal } = new AbortController();
  const answer = await upstream.ask({ method: 'POST', caller, headers: own, frame, signal, reservation: null });
  if (!answer.isStream) await answer.text(); // frees the connection
}

async function answerIn(answer: UpstreamAnswer, id: FrameId): Promise<Frame> {
  for await (const { message } of messagesOf(answer)) {
    if (message && 'frame' in message && isAnswerTo(message.frame, id)) return message.frame;
  }
  throw new RpcFault(rpcError(rpcCodes.internal, 'unavailable', 'The server gave no answer.'));
}

export const isAnswerTo = ({ method, id }: Frame, question: FrameId): boolean =>
  method === undefined && isFrameId(id) && id === question;
