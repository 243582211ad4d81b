import { awaitTool } from '#sdk/mcp/tools/tasks';
import {
  isObject,
  metaKey,
  paramsOf,
  rpcCodes,
  rpcError,
  unknownMethod,
  type Frame,
  type RpcError,
  isFrameId,
  RpcFault,
  textInTurns,
} from '../frames/frame.ts';
import { members, text, type Change, each, entries, type UpstreamLine, resultIn } from '../frames/reading.ts';
import { addresses, ids, names, places, type Naming, type UpstreamSession } from './names.ts';
import { sessionRevisions } from '../frames/mcp-words.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { headersFor } from '../http/messages.ts';
import {
  isOk,
  messagesOf,
  UpstreamRefusal,
  type Exchange,
  type Upstream,
  type UpstreamAnswer,
} from '../upstreams/upstream.ts';

/** Destination of a client's message. */
type Route =
  /** The named thing belongs to this upstream, which gets the message with its own name. */
  | { to: 'owner'; upstream: string; frame: Frame }
  /** Each upstream has a part of this list. */
  | { to: 'list'; member: string }
  | { to: 'every' }
  /** The named thing does not exist. */
  | { to: 'none'; error: RpcError };

/** Parameter by which a method names its subject. */
const named: Readonly<Record<string, { member: string; naming: Naming }>> = {
  'tools/call': { member: 'name', naming: names },
  'prompts/get': { member: 'name', naming: names },
  'resources/read': { member: 'uri', naming: addresses },
  'resources/subscribe': { member: 'uri', naming: addresses },
  'resources/unsubscribe': { member: 'uri', naming: addresses },
  'tasks/get': { member: 'taskId', naming: places },
  'tasks/update': { member: 'taskId', naming: places },
  'tasks/result': { member: 'taskId', naming: places },
  'tasks/cancel': { member: 'taskId', naming: places },
};

const lists: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'tasks/list': 'tasks',
};

/** Destination of a client's message, decided from the message alone, so that every node decides the same. */
export function routeOf(frame: Frame): Route {
  const { method } = frame;
  if (typeof method !== 'string') return routeOfId(frame.id, (id) => ({ ...frame, id }));
  if (method === 'tools/call' && paramsOf(frame)['name'] === awaitTool.name) return routeOfWait(frame);
  const name = Object.hasOwn(named, method) ? named[method] : undefined;
  if (name) return routeOfName(frame, name.member, name.naming);
  if (method === 'completion/complete') return routeOfCompletion(frame);
  if (Object.hasOwn(lists, method)) return { to: 'list', member: lists[method] ?? '' };
  if (method === 'notifications/progress') return routeOfProgress(frame);
  const isForEvery = frame.id === undefined || method === 'ping' || method === 'logging/setLevel';
  return isForEvery ? { to: 'every' } : { to: 'none', error: unknownMethod };
}

/** A client's subscription, with the addresses and tasks of this upstream alone. */
export const ownFilter = (upstream: string): Change =>
  members({ resourceSubscriptions: ownOf(upstream, addresses), taskIds: ownOf(upstream, places) });

const ownOf =
  (upstream: string, naming: Naming): Change =>
  (list) =>
    (Array.isArray(list) ? list : []).flatMap((name) => {
      const owned = typeof name === 'string' ? naming.split(name) : null;
      return owned?.upstream === upstream ? [owned.own] : [];
    });

function routeOfName(frame: Frame, member: string, naming: Naming): Route {
  const params = paramsOf(frame);
  const name = params[member];
  const owned = typeof name === 'string' ? naming.split(name) : null;
  if (!owned) return { to: 'none', error: unknownName(name) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, [member]: owned.own } });
}

/** Route for the one tool that waits for results of all upstreams: an id leads back to its own. */
function routeOfWait(frame: Frame): Route {
  const params = paramsOf(frame);
  const { elicitId, ...others } = isObject(params['arguments']) ? params['arguments'] : {};
  const owned = typeof elicitId === 'string' ? places.split(elicitId) : null;
  if (!owned) return { to: 'none', error: unknownName(elicitId) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, arguments: { ...others, elicitId: owned.own } } });
}

/** Route of a completion: a prompt has a name, and a template of resources an address. */
function routeOfCompletion(frame: Frame): Route {
  const { ref, ...params } = paramsOf(frame);
  const { name, uri, ...rest } = isObject(ref) ? ref : {};
  const [member, naming, value] = name === undefined ? ['uri', addresses, uri] : ['name', names, name];
  const owned = typeof value === 'string' ? (naming as Naming).split(value) : null;
  if (!owned) return { to: 'none', error: unknownName(value) };
  return toOwner(owned.upstream, { ...frame, params: { ...params, ref: { ...rest, [String(member)]: owned.own } } });
}

function routeOfProgress(frame: Frame): Route {
  const params = paramsOf(frame);
  return routeOfId(params['progressToken'], (progressToken) => ({
    ...frame,
    params: { ...params, progressToken },
  }));
}

function routeOfId(id: unknown, withOwn: (own: unknown) => Frame): Route {
  const owned = typeof id === 'string' ? ids.split(id) : null;
  return owned ? toOwner(owned.upstream, withOwn(owned.own)) : { to: 'none', error: unknownName(id) };
}

function toOwner(upstream: string, frame: Frame): Route {
  const own = text((task) => taskOf(upstream, task));
  const _meta = members({ [metaKey('related-task')]: members({ taskId: own }) });
  const change = members({ params: members({ _meta }), result: members({ _meta }) });
  return { to: 'owner', upstream, frame: change(frame) as Frame };
}

/** The upstream's name of a task; a client's own task keeps its name. */
function taskOf(upstream: string, task: string): string {
  const owned = places.split(task);
  return owned?.upstream === upstream ? owned.own : task;
}

/** The error for a name that leads to no upstream. */
export const unknownName = (name: unknown): RpcError =>
  rpcError(
    rpcCodes.invalidParams,
    'not-found',
    `Use a name from a list: there is no ${JSON.stringify(name) ?? 'name'}.`,
  );

/** Limit in letters of a session's id: the client sends the ids of all servers in one header. */
const maxSessionLength = 1_000;

/** Why a client of all servers could not connect with this answer to `initialize`; null if it can. */
export function faultOfInitialize({ session, result }: AnsweredRequest): string | null {
  if (!sessionRevisions.includes(String(result['protocolVersion'])))
    return 'it speaks no revision of MCP with sessions.';
  if ((session ?? '').length > maxSessionLength)
    return `the id of its session has more than ${maxSessionLength} letters.`;
  return null;
}

const flags = ['listChanged', 'subscribe'];
const ofOthers = ['experimental', 'extensions'];

/** A server's capabilities, as far as clients can read them. */
export function capabilitiesIn({ capabilities }: Record<string, unknown>): Record<string, unknown> {
  const all = Object.entries(isObject(capabilities) ? capabilities : {});
  return Object.fromEntries(all.flatMap(([name, value]) => (isObject(value) ? [[name, readable(name, value)]] : [])));
}

const readable = (capability: string, value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(([name, part]) =>
      flags.includes(name) && !ofOthers.includes(capability) ? typeof part === 'boolean' : isObject(part),
    ),
  );

/**
 * A message of this upstream, as a client of all upstreams reads it: every name, address and id leads back to it. It follows
 * the members of MCP, whatever the request was, because a resumed stream does not name it. The same frame if it names nothing.
 */
export function forClient(upstream: string): (frame: Frame) => Frame {
  const result = changeOfResult(upstream);
  const elicitation = members({ elicitationId: placeOf(upstream) });
  const error = members({ data: members({ uri: addressOf(upstream), elicitations: entries(elicitation) }) });
  const params = changeOfParams(upstream);
  const id = idOf(upstream);
  return (frame) => {
    if (frame.method === undefined) return members({ result, error })(frame) as Frame;
    const change = members({ id, params: members({ ...params.all, ...params.of[String(frame.method)] }) });
    return change(frame) as Frame;
  };
}

/** The part of a subscription that this upstream takes up, as the client reads it. */
export const honoredOf = (upstream: string): Change =>
  members({ resourceSubscriptions: entries(addressOf(upstream)), taskIds: entries(placeOf(upstream)) });

const nameOf = (upstream: string): Change => text((own) => names.join(upstream, own));
const addressOf = (upstream: string): Change => text((own) => addresses.join(upstream, own));
const placeOf = (upstream: string): Change => text((own) => places.join(upstream, own));
const idOf =
  (upstream: string): Change =>
  (own) =>
    isFrameId(own) ? ids.join(upstream, own) : own;

/** Sets the context to none, since a client would apply it to all upstreams. */
const none: Change = () => 'none';

const clientTaskOf = (upstream: string): Change => members({ taskId: placeOf(upstream) });
const relatedTask = (upstream: string) => ({ [metaKey('related-task')]: clientTaskOf(upstream) });

/** Change of a result; that of a finished task is within its own (2026-07-28). */
function changeOfResult(upstream: string): Change {
  const [uri, task] = [addressOf(upstream), clientTaskOf(upstream)];
  const named = entries(members({ name: nameOf(upstream) }));
  const located = entries(members({ uri }));
  const block = members({ uri, resource: members({ uri }) });
  const blocks: Change = (content) => (Array.isArray(content) ? entries(block)(content) : block(content));
  const change = members({
    tools: named,
    prompts: named,
    resources: located,
    resourceTemplates: entries(members({ uriTemplate: uri })),
    contents: located,
    content: blocks,
    messages: entries(members({ content: blocks })),
    task,
    tasks: entries(task),
    taskId: placeOf(upstream),
    inputRequests: each(members({ params: members({ includeContext: none }) })),
    _meta: members(relatedTask(upstream)),
    result: (inner) => whole(inner),
  });
  const pending = changeOfPending(upstream);
  const whole: Change = (result) => pending(change(result));
  return whole;
}

/** Changes the id by which a pending result is waited for into one that leads back to this upstream. */
function changeOfPending(upstream: string): Change {
  const mark = 'elicitId ';
  const sentence = text((words) => words.replaceAll(mark, mark + places.join(upstream, '')));
  const change = members({
    content: entries(members({ text: sentence })),
    _meta: members({ elicitationPending: members({ instructions: sentence, elicitId: placeOf(upstream) }) }),
  });
  return (result) => {
    const isPending = isObject(result) && isObject(result['_meta']) && isObject(result['_meta']['elicitationPending']);
    return isPending ? change(result) : result;
  };
}

function changeOfParams(upstream: string) {
  const [uri, id] = [addressOf(upstream), idOf(upstream)];
  return {
    all: { _meta: members({ ...relatedTask(upstream), progressToken: id }) },
    of: {
      'elicitation/create': { elicitationId: placeOf(upstream) },
      'notifications/elicitation/complete': { elicitationId: placeOf(upstream) },
      'sampling/createMessage': { includeContext: none },
      'notifications/cancelled': { requestId: id },
      'notifications/resources/updated': { uri },
      'notifications/tasks/status': { taskId: placeOf(upstream) },
      'notifications/tasks': { taskId: placeOf(upstream), result: changeOfResult(upstream) },
    } as Record<string, Record<string, Change>>,
  };
}

/** A client's request in forwarded form. */
export interface ForwardedRequest extends Pick<Exchange, 'method' | 'caller' | 'headers' | 'signal' | 'reservation'> {
  frame?: Frame;
  /** Absent for a request without a session. */
  session?: UpstreamSession | undefined;
}

/** Answer of an upstream. */
export interface AnsweredRequest {
  result: Record<string, unknown>;
  session: string | null;
  /** Messages before the answer, as the client reads them. */
  before: string[];
}

/** One of the upstreams behind the common server. It is asked at its own address, where everything is judged. */
export class MergedUpstream {
  readonly name: string;
  readonly #upstream: Upstream;
  readonly #outward: (frame: Frame) => Frame;
  readonly #warn: (sentence: string) => void;
  #isMissing = false;

  constructor(upstream: Upstream, warn: (sentence: string) => void) {
    this.name = upstream.name;
    this.#upstream = upstream;
    this.#outward = forClient(upstream.name);
    this.#warn = (sentence) => warn(`${upstream.name}: ${sentence}`);
  }

  pass({ session, headers, frame, ...exchange }: ForwardedRequest): Promise<UpstreamAnswer> {
    const own = { headers: knownHeaders(headers, frame, session), ...(frame && { frame }) };
    return this.#upstream.ask({ ...exchange, ...own });
  }

  /** The upstream's result; rejects with its error, or if there is no result. */
  async ask(forwarded: ForwardedRequest & { frame: Frame }): Promise<AnsweredRequest> {
    const answer = await this.pass(forwarded);
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    const before: string[] = [];
    for await (const { message } of messagesOf(answer)) {
      if (message === null) continue;
      if (!('frame' in message) || message.frame.method !== undefined) before.push(...(await this.#shown(message)));
      else return { result: this.#resultIn(message.frame), session: answer.headers.get('mcp-session-id'), before };
    }
    throw new RpcFault(rpcError(rpcCodes.internal, 'unavailable', 'The server gave no answer.'));
  }

  /** A message as the client reads it, in one line; null if it cannot be read. */
  async show(message: UpstreamLine): Promise<string | null> {
    if ('fault' in message) {
      this.#warn(`A message is dropped: ${message.fault}`);
      return null;
    }
    const frame = this.#outward(message.frame);
    return frame === message.frame ? message.text.replaceAll(/[\r\n]+/g, ' ') : textInTurns(frame);
  }

  /** Warns once that the upstream is left out. */
  miss(error: unknown): void {
    if (!this.#isMissing) this.#warn(`It is left out: ${error instanceof Error ? error.message : String(error)}`);
    this.#isMissing = true;
  }

  /** Notes that the upstream is back. */
  meet(): void {
    this.#isMissing = false;
  }

  async #shown(message: UpstreamLine): Promise<string[]> {
    const text = await this.show(message);
    return text === null ? [] : [text];
  }

  #resultIn(frame: Frame): Record<string, unknown> {
    const result = resultIn(this.#outward(frame));
    return isObject(result) ? result : {};
  }
}

/** The client's headers, with the upstream's own values. */
const knownHeaders = (
  { 'mcp-session-id': _session, ...headers }: IncomingHttpHeaders,
  frame: Frame | undefined,
  session: UpstreamSession | undefined,
): IncomingHttpHeaders => ({
  ...headersFor(headers, frame),
  ...(session?.id && { 'mcp-session-id': session.id }),
  ...(session && { 'mcp-protocol-version': session.version }),
});

/** Does this error mean an unknown method? */
export const isUnknownMethod = (error: unknown): boolean =>
  error instanceof RpcFault && error.error.code === rpcCodes.methodNotFound;
