import type { AssentryClient, OpenElicitation, OpenedElicitation } from '#sdk/client/client';
import { sha256, randomHex } from '#sdk/client/digest';
import { messageFor } from '#sdk/mcp/question/result';
import { connectingTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { callbackToken } from '#platform/text/visible-text';
import {
  errorFrame,
  errorOf,
  isFrameId,
  isObject,
  paramsOf,
  rpcCodes,
  rpcError,
  textOfFrame,
  type Frame,
  type RpcError,
  RpcFault,
  type FrameId,
  isModern,
  metaKey,
  metaOf,
} from '../frames/frame.ts';
import { addressIn, changeQuestions, isQuestion, leadsOut } from '../frames/mcp-words.ts';
import { type UpstreamLine, readError } from '../frames/reading.ts';
import { maxTimerMs } from '#sdk/client/transport';
import type { ElicitationCapabilities } from '#sdk/mcp/question/call';

/** Requester and session for which a server asks. */
export interface Bound extends Pick<OpenElicitation, 'requester' | 'accessToken'> {
  /** The same for all addresses of one client, even without sessions. */
  session: string;
}

export interface ConnectionsParts {
  client: Promise<AssentryClient>;
  /** The upstream's name, as people read it. */
  server: string;
  bound(): Bound;
  /** Sends the upstream an answer to its own request. */
  toUpstream(frame: Frame): void;
  warn(sentence: string): void;
}

type Line = Exclude<UpstreamLine, { fault: string }>;
type Question = Record<string, unknown>;

/** Lifetime of a page, in milliseconds. */
const ttl = 3_600_000;
/** Limit of followed questions of one client; the oldest are left to expire. */
const maxFollowed = 1_000;

/**
 * Outside addresses to which one upstream sends the person at one client. The client gets the address of Assentry's connect
 * page instead, which opens for the requester alone and then leads on to the upstream's address. A page of the same Assentry
 * for the same requester stays unchanged, because it already does that. A message whose address cannot be put behind the page
 * reaches no client.
 */
export class Connections {
  readonly #parts: ConnectionsParts;
  /** Followed questions by the upstream's name of the elicitation, and by the id of its request. */
  readonly #followed = new Map<unknown, OpenedElicitation>();
  /** Pages being opened, by the id of the request. */
  readonly #opening = new Map<string, Promise<UpstreamLine | null>>();

  constructor(parts: ConnectionsParts) {
    this.#parts = parts;
  }

  /**
   * The message as the client may read it; null if it gets none. Returns at once unless the message leads to an address.
   * `client` is the name in its latest request.
   */
  lead(line: UpstreamLine, client?: ClientInfo): UpstreamLine | null | Promise<UpstreamLine | null> {
    if ('fault' in line || line.isOwn) return line;
    if (line.frame.method === 'notifications/elicitation/complete') this.#complete(paramsOf(line.frame));
    if (line.frame.method === 'notifications/cancelled') void this.#withdraw(paramsOf(line.frame));
    const questions = questionsIn(line.frame);
    if (questions.length === 0) return line;
    const led = this.#leadAll(line, questions, client);
    if (isQuestion(line.frame)) this.#noteOpening(nameOfRequest(line.frame.id), led);
    return led;
  }

  #noteOpening(name: string, led: Promise<UpstreamLine | null>): void {
    this.#opening.set(name, led);
    void led.then(() => this.#opening.get(name) === led && this.#opening.delete(name));
  }

  /** Closes the page after the upstream withdrew its question. */
  async #withdraw({ requestId }: Record<string, unknown>): Promise<void> {
    const name = nameOfRequest(requestId);
    await this.#opening.get(name);
    const opened = this.#followed.get(name);
    if (opened) this.#end(opened, (client) => client.cancel(opened.id, { cause: 'caller_gone' }));
  }

  /**
   * Handles an answer of the client: a person who declines ends the request at Assentry as well; one who accepts is on the way.
   */
  onClientAnswer({ id, result, error }: Frame): void {
    const opened = this.#followed.get(nameOfRequest(id));
    const action = isObject(result) ? result['action'] : undefined;
    this.#followed.delete(nameOfRequest(id));
    if (!opened || (error === undefined && action === 'accept')) return;
    this.#end(opened, (client) => client.answer(opened.id, { action: action === 'decline' ? 'decline' : 'cancel' }));
  }

  async #leadAll(line: Line, questions: Question[], client?: ClientInfo): Promise<UpstreamLine | null> {
    const { frame } = line;
    try {
      const pages = await Promise.all(questions.map((question) => this.#openPage(question, frame, client)));
      const replaced = new Map(questions.map((question, at) => [question, pages[at]]));
      const changed = changeQuestions((question) => replaced.get(question as Question) ?? question)(frame) as Frame;
      return { frame: changed, text: textOfFrame(changed) };
    } catch (error) {
      return this.#refuse(frame, error);
    }
  }

  /** The question with the page's address, and the host to which that page leads. */
  async #openPage(question: Question, frame: Frame, client?: ClientInfo): Promise<Question> {
    const address = addressIn(question);
    if (address === null || !URL.canParse(address)) throw new Problem('INVALID_INPUT', { detail: noAddress });
    const url = new URL(address); // as every browser would open it
    if (await this.#isOwnPage(address, client)) return question;
    const opened = await this.#open(question, url);
    const refusal = this.#refusalOf(opened);
    if (refusal !== null) {
      this.#end(opened, (client) => client.cancel(opened.id, { cause: 'superseded' }));
      throw new Problem('forbidden', { detail: refusal });
    }
    this.#follow(question['elicitationId'], opened);
    if (isQuestion(frame)) this.#follow(nameOfRequest(frame.id), opened);
    const message = messageFor(`${String(question['message'] ?? '')}\nIt leads to ${url.host}.`, opened);
    return { ...question, message, url: opened.url };
  }

  /** An Assentry from before this question knew none of its pages. */
  async #isOwnPage(url: string, info = this.#parts.bound().requester.client): Promise<boolean> {
    if (!ownPage.test(url)) return false;
    const { requester, accessToken } = this.#parts.bound();
    const named = { ...requester, ...(info && { client: info }) };
    const client = await this.#parts.client;
    const recognized = client.recognizePage({ url, requester: named, ...(accessToken && { accessToken }) });
    return recognized.then(
      ({ isOwn }) => isOwn,
      () => false,
    );
  }

  /** Reason why no page lets this person in; null if one does. */
  #refusalOf({ status, comment, audience, code }: OpenedElicitation): string | null {
    if (status !== 'open') return comment ?? forPeople;
    if (audience !== 'requester') return forPeople;
    return code === undefined && !this.#parts.bound().requester.verified ? unbound : null;
  }

  /** Opens the page; the same question again gets the same page while it can still be answered. */
  async #open({ message, elicitationId = null }: Question, url: URL): Promise<OpenedElicitation> {
    const { server, bound } = this.#parts;
    const { session, ...requester } = bound();
    const client = await this.#parts.client;
    const request: OpenElicitation = {
      tool,
      arguments: { server, host: url.host },
      message: typeof message === 'string' && message !== '' ? message : `${server} sends you to ${url.host}.`,
      mode: 'url',
      url: url.href,
      state: false,
      audience: 'requester',
      supersede: 'none',
      ttl,
      session,
      ...requester,
    };
    const call = await sha256(JSON.stringify([session, elicitationId, url.href, message]));
    const opened = await client.open({ ...request, call });
    return opened.joined && opened.status !== 'open' ? client.open(request) : opened;
  }

  #follow(name: unknown, opened: OpenedElicitation): void {
    if (typeof name !== 'string') return;
    this.#followed.set(name, opened);
    const [oldest] = this.#followed.keys();
    if (this.#followed.size > maxFollowed) this.#followed.delete(oldest);
  }

  /** Handles the upstream's notice that its person has finished there. */
  #complete({ elicitationId }: Record<string, unknown>): void {
    const opened = this.#followed.get(elicitationId);
    if (!opened) return;
    const { session } = this.#parts.bound();
    this.#end(opened, async (client) => {
      const { callbackUrl } = await client.mintToken({ session, purpose: 'callback', elicitation: opened.id });
      if (callbackUrl) await client.reportCallback(callbackToken(callbackUrl), { action: 'accept' });
    });
  }

  #end(opened: OpenedElicitation, end: (client: AssentryClient) => Promise<unknown>): void {
    for (const [name, { id }] of this.#followed) if (id === opened.id) this.#followed.delete(name);
    this.#parts.client.then(end).catch(() => {}); // it expires
  }

  /** Sends an error to the side that waits for the message: the upstream for its own request, otherwise the client. */
  #refuse(frame: Frame, cause: unknown): UpstreamLine | null {
    const error = refusalOf(cause);
    this.#parts.warn(`An outside address is kept from the client. ${error.message}`);
    const { id, method } = frame;
    if (!isFrameId(id)) return null;
    const answer = errorFrame(id, error);
    if (method === undefined) return { frame: answer, text: textOfFrame(answer) };
    this.#parts.toUpstream(answer);
    return null;
  }
}

function questionsIn(frame: Frame): Question[] {
  const questions: Question[] = [];
  changeQuestions((question) => {
    if (leadsOut(question)) questions.push(question);
    return question;
  })(frame);
  return questions;
}

/** Addresses that may be a page of Assentry; others need no request. */
const ownPage = /^https?:\/\/[^?#]*\/(?:e|go)\/v1\./;

/** The prefix keeps ids of requests apart from names of elicitations. */
const nameOfRequest = (id: unknown): string => `request ${JSON.stringify(id)}`;

function refusalOf(cause: unknown): RpcError {
  if (!(cause instanceof Problem) || cause.code !== 'INVALID_INPUT') return errorOf(cause);
  return rpcError(rpcCodes.invalidParams, cause.code, cause.errors[0]?.message ?? cause.message);
}

const noAddress = 'Give the question one address, as `url`.';
const forPeople = 'Ask an administrator: a policy does not leave it to the requester to go to an outside address.';
const unbound =
  'Let the gateway check who its clients are, or use one on your own machine: no page could tell who opens the address.';

/** Medium risk: it changes nothing here, but its effect there is unknown. */
const tool: OpenElicitation['tool'] = {
  name: connectingTool,
  title: 'An outside address',
  description: 'The server sends its person to another site. Only the person who was asked may go there.',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
};

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface AskOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** An id that cannot be guessed; a new one if absent. */
  id?: string | undefined;
}

/** Prefix of the ids of the gateway's own requests. */
export const ownIdPrefix = 'assentry-';

/** Is it an id of a request of the gateway, even one that no longer waits? */
export const isOwnId = (id: unknown): boolean => typeof id === 'string' && /^assentry-[0-9a-f]{32}$/.test(id);

/** The gateway's own requests to one side, under ids that no one can guess; the other side never gets them. */
export class OwnRequests {
  readonly #send: (frame: Frame) => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(send: (frame: Frame) => void) {
    this.#send = send;
  }

  /** Resolves with the result; rejects with the answered error, the signal's reason, or after the timeout. */
  async ask(method: string, params: Record<string, unknown>, options: AskOptions): Promise<unknown> {
    const { signal, timeout, id = ownIdPrefix + randomHex() } = options;
    signal?.throwIfAborted();
    const { promise, ...waiting } = pending();
    this.#waiting.set(id, waiting);
    const giveUp = (reason: unknown): void => {
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      waiting.reject(reason);
    };
    const abort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(tooSlow()), Math.min(timeout, maxTimerMs));
    signal?.addEventListener('abort', abort);
    this.#send({ jsonrpc: '2.0', id, method, params });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(id);
    }
  }

  /** True if this answers a request that waits. */
  settle({ id, result, error }: Frame): boolean {
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new RpcFault(readError(error)));
    return waiting !== undefined;
  }

  /** Rejects all requests because the other side has gone. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(new Problem('unavailable', { detail: 'It has ended.' }));
  }
}

function pending() {
  let settle: Waiting = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: settle.resolve, reject: settle.reject };
}

const tooSlow = (): Problem => new Problem('unavailable', { detail: 'Try again later: there was no answer in time.' });

/** The gateway's own progress of each call; a tool's progress continues above it. */
export class ProgressOffsets {
  readonly #counts = new Map<FrameId, number>();

  /** Stores the progress of the call with this token. */
  note(token: FrameId, progress: number): void {
    this.#counts.set(token, progress);
  }

  forget(token: FrameId | undefined): void {
    if (token !== undefined) this.#counts.delete(token);
  }

  /** The tool's own progress above the gateway's; null if it needs no change. */
  raise(frame: Frame): Frame | null {
    const { progressToken, progress, total } = paramsOf(frame);
    const offset = this.#counts.get(progressToken as FrameId);
    if (offset === undefined || typeof progress !== 'number') return null;
    const raised = { progress: progress + offset, ...(typeof total === 'number' && { total: total + offset }) };
    return { ...frame, params: { ...paramsOf(frame), ...raised } };
  }
}

/** The client program, by its own description. */
export interface ClientInfo {
  name: string;
  version?: string;
}

/** The client as known at one moment. */
export interface McpClient {
  info: ClientInfo | undefined;
  capabilities: ElicitationCapabilities | undefined;
  /**
   * Since 2026-07-28: each request names its client and its capabilities, questions wait for the result of a call, and results
   * have a type.
   */
  isModern: boolean;
}

/** A client that has not connected. */
export const unknownClient: McpClient = { info: undefined, capabilities: undefined, isModern: false };

/** The client as `initialize` describes it. */
export function connectingClient(frame: Frame): McpClient {
  const { clientInfo, capabilities } = paramsOf(frame);
  return { info: readInfo(clientInfo), capabilities: isObject(capabilities) ? capabilities : {}, isModern: false };
}

/** The client of this request: as the request describes it, or as it did when it connected. */
export function clientOf(frame: Frame, connected: McpClient): McpClient {
  if (!isModern(frame)) return connected;
  const meta = metaOf(frame);
  const capabilities = readCapabilities(meta[metaKey('clientCapabilities')]);
  return { info: readInfo(meta[metaKey('clientInfo')]), capabilities, isModern: true };
}

const readCapabilities = (declared: unknown): ElicitationCapabilities | undefined => {
  const elicitation = isObject(declared) ? declared['elicitation'] : undefined;
  return isObject(elicitation) ? { elicitation } : undefined;
};

/** Part of a request's `_meta` that a request of ours repeats, so that the upstream takes it as this client's. */
export const envelopeOf = (frame: Frame): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metaOf(frame)).filter(([name]) => name.startsWith(metaKey(''))));

function readInfo(info: unknown): ClientInfo | undefined {
  if (!isObject(info)) return undefined;
  const { name, version } = info;
  if (typeof name !== 'string' || name === '') return undefined;
  return { name: storable(name, 128), ...(typeof version === 'string' && { version: storable(version, 64) }) };
}

const storable = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most);
