import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import {
  errorFrame,
  isFrameId,
  isModern,
  metaKey,
  metaOf,
  paramsOf,
  rpcCodes,
  rpcError,
  type Frame,
  type FrameId,
  type RpcError,
  notPassedOn,
  textOfFrame,
} from '../frames/frame.ts';
import { judgeLine, type Allowances, type Judged, sessionRevisions } from '../frames/mcp-words.ts';
import { maxMessageBytes, onceClosed, isOk, type StreamAnswer, type UpstreamAnswer } from '../upstreams/upstream.ts';
import type { Reservation } from '../identity/limits.ts';
import { headerText } from './headers.ts';
import { readUpstreamInTurns, type UpstreamLine } from '../frames/reading.ts';
import type { RelayedAnswer } from '#requests/asking/contract/open';
import type { StateBinding } from '#requests/asking/contract/routes';
import { Reply } from '#sdk/mcp/channels/channels';
import { decisionIn } from '#sdk/mcp/question/result';
import { digestJson, type AskLimits, type ClientReply, type FormRequest } from '#sdk/mcp/question/call';
import type { Principal } from '#sdk/mcp/tools/principal';
import { Problem } from '#platform/model/problem';
import { askPerson, isInvalid, type Place } from '../calls/serve-call.ts';
import { OwnRequests, ownIdPrefix } from '../calls/connections.ts';
import { once } from 'node:events';

/** A message that is passed on directly or judged first. */
type Message = Extract<Judged, { frame: Frame }>;

/** The message in the body of this request; null if it was refused and the client answered. */
export async function readMessage(
  request: IncomingMessage,
  response: ServerResponse,
  { allowances, reservation }: { allowances?: Allowances; reservation: Reservation },
): Promise<Message | null> {
  const refuse = (status: number, frame: Frame): null => {
    answerWith(response, status, frame);
    return null;
  };
  onceClosed(response, () => reservation.release());
  const body = await readBody(request, reservation);
  if ('error' in body) {
    dismiss(request);
    const answer = body.status === 503 ? refuseForNow : answerWith;
    answer(response, body.status, errorFrame(null, body.error));
    return null;
  }
  await reservation.waitTurn();
  const judged = judgeLine(body, allowances);
  if (judged.kind === 'refuse')
    return refuse(statusOf(judged.error.code, request.headers), errorFrame(judged.id, judged.error));
  if (judged.kind === 'drop') return refuse(400, errorFrame(null, unusable));
  const fault =
    doubledIn(request) ?? faultOfRevision(request.headers, judged) ?? faultOfHeaders(request.headers, judged.frame);
  return fault === null ? judged : refuse(400, errorFrame(idOf(judged.frame), fault));
}

/** Status for an error. For an unknown method MCP has 404 since 2026-07-28; before, that would end the client's session. */
function statusOf(code: number, { 'mcp-protocol-version': revision = '' }: IncomingHttpHeaders): number {
  if (code !== rpcCodes.methodNotFound) return 400;
  return String(revision) >= withoutSessions ? 404 : 200;
}

/** The id of a request; null if it has none that can be repeated. */
export const idOf = ({ id }: Frame): FrameId | null => (isFrameId(id) ? id : null);

/** Parameters that `Mcp-Name` repeats, by method. */
const nameMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Value of `Mcp-Name` for this message; undefined if it has none. */
export function nameOf(frame: Frame): string | undefined {
  const method = String(frame.method);
  const name = Object.hasOwn(nameMembers, method) ? paramsOf(frame)[nameMembers[method] ?? ''] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The client's headers for this message instead of its own: `Mcp-Name`, if sent, names the subject of this one. */
export function headersFor(
  { 'mcp-name': sent, ...headers }: IncomingHttpHeaders,
  frame: Frame | undefined,
): IncomingHttpHeaders {
  const name = sent === undefined || !frame ? undefined : nameOf(frame);
  return { ...headers, ...(name !== undefined && { 'mcp-name': headerText(name) }) };
}

/** Finds a repeated header: one reader could take the first, and another one the last. */
function doubledIn({ headersDistinct }: IncomingMessage) {
  const doubled = Object.entries(headersDistinct).find(
    ([name, { length = 0 } = []]) => name.startsWith('mcp-') && length > 1,
  );
  return doubled ? rpcError(headerMismatch, 'INVALID_INPUT', `Send ${doubled[0]} once.`) : null;
}

/**
 * Refuses different revisions in header and body: one reader could take the first, another one the last. A call that the server
 * would refuse for this is refused before anyone is asked; so is, in a session, a revision without sessions.
 */
function faultOfRevision(
  { 'mcp-protocol-version': sent, 'mcp-session-id': session }: IncomingHttpHeaders,
  { kind, frame }: Message,
) {
  const own = metaOf(frame)[metaKey('protocolVersion')];
  if (session && sent !== undefined && own === undefined && !sessionRevisions.includes(String(sent)))
    return sessionless;
  if (frame.id === undefined || frame.method === undefined) return null;
  if (own !== undefined) return own === sent ? null : mismatch('MCP-Protocol-Version');
  return kind === 'call' && String(sent) >= withoutSessions && sent !== undefined ? unnamed : null;
}

/** Finds headers that make two readers read two different requests. Since 2026-07-28 the headers of a call may not be missing. */
function faultOfHeaders(headers: IncomingHttpHeaders, frame: Frame) {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  const isOther = (header: string | string[] | undefined, value: unknown): boolean =>
    header === undefined ? isModern(frame) : header !== value;
  if (isOther(method, frame.method)) return mismatch('Mcp-Method');
  if (frame.method !== 'tools/call' && name === undefined) return null; // the server decides whether the header may be missing
  const own = nameOf(frame);
  return own !== undefined && isOther(name, headerText(own)) ? mismatch('Mcp-Name') : null;
}

const withoutSessions = '2026-07-28';
const sessionless = rpcError(
  rpcCodes.invalidRequest,
  'INVALID_INPUT',
  'Send MCP-Protocol-Version as the session has it: that revision has no sessions.',
);
const unnamed = rpcError(
  rpcCodes.invalidParams,
  'INVALID_INPUT',
  'Name the revision in _meta as well as in the header.',
);

/** MCP's code for headers that contradict the body. */
const headerMismatch = -32020;

/** The error for such a header; its answer has status 400. */
export const mismatch = (header: string) =>
  rpcError(headerMismatch, 'INVALID_INPUT', `Send ${header} as in the body: they differ.`);
const unusable = rpcError(rpcCodes.invalidRequest, 'INVALID_INPUT', 'Send a message of JSON-RPC.');
const tooLong = rpcError(rpcCodes.invalidRequest, 'body-too-large', `Send at most ${maxMessageBytes} bytes.`);

const crowded = rpcError(
  rpcCodes.internal,
  'rate-limited',
  'Try again later, or send less at a time: too much is being read at once. Nothing was run.',
);

/** The whole body, or the reason why reading stopped. */
async function readBody(
  request: IncomingMessage,
  reservation: Reservation,
): Promise<Buffer | { status: 413 | 503; error: RpcError }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxMessageBytes) return { status: 413, error: tooLong };
    if (!reservation.add(part.length)) return { status: 503, error: crowded };
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Changes to an answer for its client. */
interface Showing {
  /** The message as the client may read it, in one line; null if it must not be shown. */
  show(message: UpstreamLine): string | null | Promise<string | null>;
  /** Place at which the client resumes after a message, from the upstream's place. */
  place(id: string): string;
  /** Must a text that is no message be hidden? */
  hides?(text: string): boolean;
  /** The upstream's headers that the client gets. */
  headers: readonly string[];
  /** The client's name of a session, if it differs from the upstream's. */
  session?(id: string): string;
}

/** Sends an upstream's answer to the client, message by message. */
export async function sendAnswer(answer: UpstreamAnswer, response: ServerResponse, showing: Showing): Promise<void> {
  const pairs = showing.headers.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, name === 'mcp-session-id' ? (showing.session?.(value) ?? value) : value]];
  });
  const headers = Object.fromEntries(pairs) as Record<string, string>;
  if (answer.isStream) return sendStream(answer, response, showing, headers);
  const type = answer.headers.get('content-type') ?? '';
  const text = await answer.text();
  const isJson = isJsonType(type) && text !== '';
  if (text !== '' && !isJson && (isOk(answer) || showing.hides?.(text)))
    return answerWith(response, 502, errorFrame(null, notPassedOn('it is neither JSON nor a stream of events.')));
  const shown = isJson ? ((await showing.show(await readUpstreamInTurns(text))) ?? '') : text;
  answerWithText(response, answer.status, { text: shown, type, headers });
}

async function sendStream(
  answer: StreamAnswer,
  response: ServerResponse,
  { show, place }: Showing,
  headers: Record<string, string>,
): Promise<void> {
  response.writeHead(answer.status, { ...headers, ...streamHeaders });
  response.flushHeaders();
  const beats = beatUntilClosed(response);
  for await (const { message, id } of answer.events()) {
    const text = message === null ? '' : await show(message);
    if (text !== null) await writeTo(response, eventOf(text, id === undefined ? id : place(id)));
    if (response.destroyed) return;
  }
  clearInterval(beats);
  endWith(response);
}

/** Keeps proxies and clients from closing a stream without messages. */
export function beatUntilClosed(response: ServerResponse): NodeJS.Timeout {
  const timer = setInterval(() => beat(response), heartbeat);
  onceClosed(response, () => clearInterval(timer));
  return timer;
}

/*
 * The gateway's own questions to clients over HTTP, before 2026-07-28. A client is asked on the stream of its call, and its
 * answer may come to another node. So the id of a question holds its request, sealed by Assentry for this person: any node can
 * record the answer, and the node of the call gets it from Assentry.
 */

/** The questions on the stream of one call. */
export const questionsOn = (answer: ClientAnswer): OwnRequests =>
  new OwnRequests((frame) => void answer.send(textOfFrame(frame)));

/** Asks the person at the client. Never rejects. */
export async function askOnStream(
  place: Promise<Place>,
  principal: Principal,
  requests: OwnRequests,
  [question, { elicitationId, ...limits }]: [FormRequest, AskLimits],
): Promise<ClientReply> {
  try {
    const id = elicitationId === undefined ? undefined : await sealedId(await place, principal, elicitationId);
    return await askPerson(requests, question, limits, id);
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function sealedId({ client }: Place, principal: Principal, elicitation: string): Promise<string> {
  const content = JSON.stringify({ elicitation });
  const { state } = await client.sealRound({ binding: await bindingOf(principal), content });
  return ownIdPrefix + state;
}

/** Records the answer to a question of another node; false if it answers no question of this person. */
export async function recordAnswer(
  place: () => Promise<Place>,
  principal: Principal,
  { id, result, error }: Frame,
): Promise<boolean> {
  if (typeof id !== 'string' || !id.startsWith(ownIdPrefix)) return false;
  const { client } = await place();
  try {
    const redeemed = await client.redeemRound({
      state: id.slice(ownIdPrefix.length),
      binding: await bindingOf(principal),
    });
    const { elicitation } = JSON.parse(redeemed.content) as { elicitation: string };
    await client.answer(elicitation, error === undefined ? answerIn(result) : { action: 'cancel' });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'already-closed') return true;
    if (isInvalid(error)) return false;
    throw error;
  }
}

/**
 * The decision in the form. A malformed answer, or an accept without a decision, is no yes; only the node of the call could ask
 * again.
 */
function answerIn(result: unknown): RelayedAnswer {
  const { data } = Reply.safeParse(result);
  if (data?.action !== 'accept') return { action: data?.action ?? 'cancel' };
  const decision = decisionIn(data.content);
  return decision === 'approve' ? { action: 'accept', content: {} } : { action: decision ?? 'cancel' };
}

const bindingOf = async ({ subject, issuer, verified }: Principal): Promise<StateBinding> => ({
  principal: { subject, ...(issuer !== undefined && { issuer }), verified },
  method: 'elicitation/create',
  tool: 'assentry.question',
  argumentsDigest: await digestJson({}),
});

/** Longest delay before a stream begins, and time between comments that keep proxies from closing it, in milliseconds. */
export const heartbeat = 5_000;

/**
 * The answer to one call of a client: a stream that begins as late as possible, so that until then the answer can be a status.
 */
export class ClientAnswer {
  /** True when the transport has taken the answer; false if it never does. */
  readonly isTaken: Promise<boolean>;
  readonly #response: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.isTaken = new Promise((resolve) => {
      response.once('finish', () => resolve(true));
      onceClosed(response, () => resolve(false));
    });
    this.#timer = setInterval(() => this.#wait(), heartbeat);
    onceClosed(response, () => clearInterval(this.#timer));
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isConnected(): boolean {
    return !this.#response.destroyed;
  }

  begin(): void {
    if (this.hasBegun || !this.isConnected) return;
    this.#response.writeHead(200, streamHeaders);
    this.#response.flushHeaders();
  }

  /** Sends a message before the answer. Resolves when there is room for more. */
  send(text: string, id?: string): Promise<void> {
    this.begin();
    return writeTo(this.#response, eventOf(text, id));
  }

  end(text: string): void {
    void this.send(text);
    endWith(this.#response);
  }

  #wait(): void {
    this.begin();
    beat(this.#response);
  }
}

/** Writes a comment that keeps a stream open; nothing after its last message, even if its client has not read that. */
export function beat(response: ServerResponse): void {
  if (!response.writableEnded && !response.destroyed) response.write(': waiting\n\n');
}

export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** One message as an event, without a line end. */
export const eventOf = (text: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${text}\n\n`;

/** Milliseconds after which a client that takes nothing of its waiting data counts as gone. */
const idleTimeoutMs = 60_000;

/** Writes; resolves when there is room for more, or the reader has gone. */
export async function writeTo(response: ServerResponse, text: string, timeoutMs = idleTimeoutMs): Promise<void> {
  if (response.destroyed || response.write(text) || response.destroyed) return;
  response.setTimeout(timeoutMs); // of no progress: then the connection is closed
  const over = new AbortController(); // takes the other listener away
  await Promise.race(['drain', 'close'].map((event) => once(response, event, over))).finally(() => over.abort());
  response.setTimeout(0);
}

/** Sends the client its last text. */
export function endWith(response: ServerResponse, text = '', timeoutMs = idleTimeoutMs): void {
  response.end(text);
  if (!response.writableFinished) response.setTimeout(timeoutMs);
}

/** Milliseconds for the unread rest of a request that was already answered. */
const dismissTimeoutMs = 5_000;

/** Reads only as much of a request as its client needs to reach the answer. */
export function dismiss(request: IncomingMessage): void {
  request.resume();
  const timer = setTimeout(() => request.destroy(), dismissTimeoutMs).unref();
  request.once('close', () => clearTimeout(timer));
}

export const isJsonType = (type: string): boolean => type.startsWith('application/json');

/**
 * Passes a server's text on. Anything but JSON is sent as plain text, because a page of the server would run under our address.
 */
export function answerWithText(
  response: ServerResponse,
  status: number,
  { text, type, headers = {} }: { text: string; type: string; headers?: Record<string, string> },
): void {
  const shown = isJsonType(type) ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(status, { ...headers, ...(text !== '' && { 'content-type': shown }) });
  endWith(response, text);
}

/** Refuses a client for some seconds, because there is too much load. */
export function refuseForNow(response: ServerResponse, status: number, frame: Frame): void {
  response.setHeader('retry-after', '5');
  answerWith(response, status, frame);
}

/** A whole answer, of one message. */
export function answerWith(response: ServerResponse, status: number, frame: Frame): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  endWith(response, textOfFrame(frame));
}
