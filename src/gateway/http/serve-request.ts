import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connectingClient } from '../calls/connections.ts';
import {
  errorFrame,
  errorOf,
  idInUse,
  isFrameId,
  rpcCodes,
  rpcError,
  sessionEnded,
  type Frame,
  isObject,
  type FrameId,
  notPassedOn,
  textOfFrame,
  textInTurns,
} from '../frames/frame.ts';
import { principalKey, type Caller } from '../identity/caller.ts';
import { type JudgedFrame, inwardTasks, outwardTasks } from '../frames/mcp-words.ts';
import { CredentialsNeeded } from '../upstreams/credentials.ts';
import { onceClosed, sessionOf, type Exchange, type UpstreamAnswer } from '../upstreams/upstream.ts';
import { answerWith, refuseForNow, recordAnswer, headersFor, idOf, readMessage, sendAnswer } from './messages.ts';
import type { AdmittedRequest } from './headers.ts';
import type { Conversation } from './conversations.ts';
import { HttpCall } from './call.ts';
import type { UpstreamGate } from './upstream.ts';
import type { UpstreamLine } from '../frames/reading.ts';
import { type ShownTools, hasWords, showWords } from '../tools/reports.ts';
import { toolsIn } from '../tools/definition.ts';

/** One request of a client. A call reaches the upstream only by `serveCall`. */
export async function serveRequest(
  gate: UpstreamGate,
  caller: Caller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  const headers = ownHeaders(gate, caller, request);
  if (!headers) return answerWith(response, 404, errorFrame(null, sessionEnded));
  const admitted = { caller, headers, request, response };
  if (method === 'POST') return servePost(gate, admitted);
  if (method === 'GET' || method === 'DELETE') return pass(gate, admitted, method);
  response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
}

/** The headers with the upstream's own name of the session; null if that is no session of this caller. */
function ownHeaders(
  { sessions }: UpstreamGate,
  { principal }: Caller,
  { headers }: IncomingMessage,
): IncomingHttpHeaders | null {
  const name = sessionOf(headers);
  if (name === undefined) return headers;
  const session = sessions.take(name, principalKey(principal));
  return session === null ? null : { ...headers, 'mcp-session-id': session };
}

async function servePost(gate: UpstreamGate, admitted: AdmittedRequest): Promise<void> {
  const { request, response, caller } = admitted;
  const { allowances, budget } = gate;
  const read = await readMessage(request, response, {
    allowances,
    reservation: budget.reserve(principalKey(caller.principal)),
  });
  if (!read) return;
  const judged = withOwnTasks(gate, admitted, read);
  if (!judged) return answerWith(response, 200, errorFrame(idOf(read.frame), noTask));
  if (judged.kind === 'call') return serveCall(gate, admitted, judged.frame);
  if (judged.kind === 'answer') return passUnlessOwn(gate, admitted, judged.frame);
  if (judged.kind === 'cancel') cancel(gate.conversations.of(admitted), judged.id);
  await pass(gate, admitted, 'POST', judged.frame);
}

/** The message with the upstream's names of the client's own tasks; null if it names a task of another client. */
function withOwnTasks<Read extends { frame: Frame }>(
  gate: UpstreamGate,
  admitted: AdmittedRequest,
  read: Read,
): Read | null {
  const tasks = gate.tasksOf(admitted);
  const frame = tasks ? inwardTasks(read.frame, tasks) : read.frame;
  return frame && { ...read, frame };
}

/** Passes an answer to the upstream, unless it answers a question of the gateway itself. */
async function passUnlessOwn(gate: UpstreamGate, admitted: AdmittedRequest, frame: Frame): Promise<void> {
  const { response, caller } = admitted;
  const { questions, connections } = gate.conversations.of(admitted);
  try {
    const isHere = [...questions].some((requests) => requests.settle(frame));
    if (!isHere && !(await recordAnswer(() => gate.place(), caller.principal, frame))) {
      connections.onClientAnswer(frame);
      return await pass(gate, admitted, 'POST', frame);
    }
    response.writeHead(202).end();
  } catch (error) {
    answerWith(response, 503, errorFrame(null, errorOf(error)));
  }
}

/** Serves a call. Its place is freed when the call is over and its client has the answer, or has gone. */
function serveCall(gate: UpstreamGate, admitted: AdmittedRequest, frame: JudgedFrame): void {
  const { caller, response } = admitted;
  const conversation = gate.conversations.of(admitted);
  if (conversation.calls?.has(frame.id)) return answerWith(response, 400, errorFrame(frame.id, idInUse));
  const leave = gate.isFull ? null : gate.acquire(caller);
  if (!leave) return refuseFull(gate, response, frame);
  const serving = new HttpCall(gate, conversation, frame, admitted).serve();
  gate.track(serving);
  void Promise.all([serving, closing(response)]).then(leave);
}

/** Resolves when the response closes, also after an error: the next step is the same. */
const closing = (response: ServerResponse): Promise<void> => new Promise((resolve) => onceClosed(response, resolve));

function refuseFull(gate: UpstreamGate, response: ServerResponse, { id }: JudgedFrame): void {
  if (gate.isFull) refuseForNow(response, 503, errorFrame(id, full));
  else refuseForNow(response, 429, errorFrame(id, ownFull));
}

/** Cancels a held call. The upstream gets the cancellation as well, and ignores it for a call that it never got. */
function cancel({ calls }: Conversation, id: unknown): void {
  if (isFrameId(id)) calls?.get(id)?.cancel();
}

/** Passes everything but calls. */
async function pass(
  gate: UpstreamGate,
  admitted: AdmittedRequest,
  method: Exchange['method'],
  frame?: Frame,
): Promise<void> {
  const { caller, response } = admitted;
  const headers = headersFor(admitted.headers, frame);
  const gone = new AbortController();
  const end = (): void => gone.abort();
  if (!response.destroyed || isFrameId(frame?.id)) onceClosed(response, end); // a notification is passed on even then
  gate.ending.addEventListener('abort', end, { once: true });
  try {
    const reservation = gate.reserveFor(admitted);
    const exchange = { method, caller, headers, ...(frame && { frame }), signal: gone.signal, reservation };
    const answer = await gate.upstream.ask(exchange);
    const session = frame?.method === 'initialize' ? answer.headers.get('mcp-session-id') : null;
    const begun = session === null ? admitted : { caller, headers: { ...headers, 'mcp-session-id': session } };
    const conversation = gate.conversations.of(begun);
    if (frame && session !== null) conversation.connected = connectingClient(frame);
    const question = {
      id: frame ? idOf(frame) : null,
      isResumed: method === 'GET' && headers['last-event-id'] !== undefined,
    };
    await passAnswer(gate, conversation, { answer, question }, response);
  } catch (error) {
    endWith(response, error, frame);
  } finally {
    gate.ending.removeEventListener('abort', end);
  }
}

/** Answers with the error; cuts off an answer that has begun. */
function endWith(response: ServerResponse, error: unknown, frame: Frame | undefined): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const status = error instanceof CredentialsNeeded ? 200 : 502;
  answerWith(response, status, errorFrame(frame ? idOf(frame) : null, errorOf(error)));
}

const noTask = rpcError(rpcCodes.invalidParams, 'not-found', 'Use a task of your own: there is none of this id.');
const ownFull = rpcError(
  rpcCodes.internal,
  'rate-limited',
  'Wait for one of your calls to end, then try again: you have as many open as one caller may. Nothing was run.',
);
const full = rpcError(rpcCodes.internal, 'rate-limited', 'Try again later: too many calls are open. Nothing was run.');

/** A client's request, to which a server answers. */
export interface Asked {
  /** Id of the posted request; null if none was posted. */
  id: FrameId | null;
  /** The stream resumes an earlier one, with the answers to earlier requests. */
  isResumed: boolean;
}

/**
 * Does this message answer another request of the client? The client would take it for that answer, even for a call that is
 * still held.
 */
function isForeignAnswer(
  message: UpstreamLine,
  { id, isResumed }: Asked,
  calls: ReadonlyMap<FrameId, { hasRun(): boolean }> | null,
): boolean {
  const answered = answeredBy(message);
  if (!isFrameId(answered)) return false;
  return isResumed ? calls?.get(answered)?.hasRun() === false : answered !== id;
}

const answeredBy = (message: UpstreamLine): unknown =>
  'fault' in message ? message.id : message.frame.method === undefined ? message.frame.id : undefined;

/** Does it carry a tool's result: as the answer itself, or within that of a task? */
function carriesResult(message: UpstreamLine): boolean {
  if ('fault' in message) return false;
  const { result, params } = message.frame;
  const within = [result, params].map((part) => (isObject(part) ? part['result'] : undefined));
  return [result, ...within].some(
    (part) => isObject(part) && (part['content'] !== undefined || part['structuredContent'] !== undefined),
  );
}

/** The upstream's headers that a client gets. */
const headers = ['mcp-session-id', 'mcp-protocol-version', 'allow', 'retry-after'];

/**
 * Passes an answer on unchanged, except that it shows only tools with an accepted definition. It leaves out answers to other
 * requests, and results of tools that people have to release.
 */
const passAnswer = (
  gate: UpstreamGate,
  conversation: Conversation,
  { answer, question }: { answer: UpstreamAnswer; question: Asked },
  response: ServerResponse,
): Promise<void> =>
  sendAnswer(answer, response, {
    show: (message) => {
      if (!isForeignAnswer(message, question, conversation.calls)) return shownText(gate, conversation, message);
      gate.warn('It answered a request that is not of this stream.');
      return null;
    },
    place: (id) => id,
    hides: (text) => gate.ownFiles.findSecret(text) !== null,
    headers,
    session: (id) => gate.sessions.give(id, principalKey(conversation.latest.caller.principal)),
  });

/** The message as the client may read it, in one line; null if it must not be shown. */
async function shownText(
  gate: UpstreamGate,
  conversation: Conversation,
  message: UpstreamLine,
): Promise<string | null> {
  const read = await gate.showMessage(message, conversation);
  if (read === null) return null;
  if ('fault' in read) {
    gate.warn(`A message is dropped: ${read.fault}`);
    return read.id === null ? null : textOfFrame(errorFrame(read.id, notPassedOn(read.fault)));
  }
  const tasks = gate.tasksOf(conversation.latest);
  const frame = tasks ? outwardTasks(read.frame, tasks) : read.frame;
  if (frame === null) return null;
  if (carriesResult(read) && !(await gate.isFree(conversation)))
    return isFrameId(frame.id) ? textOfFrame(errorFrame(frame.id, unreleased)) : null;
  if (frame.method === 'notifications/tools/list_changed') conversation.tools.forget();
  const hasTools = isObject(frame['result']) && Array.isArray(frame['result']['tools']);
  if (!hasTools && !hasWords(frame['result']))
    return frame === read.frame ? read.text.replaceAll(/[\r\n]+/g, ' ') : textInTurns(frame);
  const worded = await withShownWords(gate, conversation, frame);
  return textInTurns(hasTools ? await withShownTools(gate, conversation, worded) : worded);
}

async function withShownWords(gate: UpstreamGate, conversation: Conversation, frame: Frame): Promise<Frame> {
  const words = frame['result'];
  return hasWords(words) ? withAccepted(gate, conversation, frame, () => showWords(words, gate.pins)) : frame;
}

/** Filters tools whatever the request was: a resumed stream repeats answers of earlier requests. */
async function withShownTools(gate: UpstreamGate, conversation: Conversation, frame: Frame): Promise<Frame> {
  if (frame['result'] === undefined) return frame;
  conversation.tools.see(toolsIn(frame['result']));
  return withAccepted(gate, conversation, frame, () => gate.show(conversation, frame['result']));
}

/** The frame with the accepted part of its result; asks approvers about changes. */
async function withAccepted(
  gate: UpstreamGate,
  conversation: Conversation,
  frame: Frame,
  accepted: () => Promise<ShownTools>,
): Promise<Frame> {
  try {
    const { result, blocked, unaccepted = [] } = await accepted();
    for (const change of [...blocked, ...unaccepted]) gate.askAbout(change, conversation);
    return { ...frame, result };
  } catch (error) {
    return errorFrame(frame.id as string | number, errorOf(error));
  }
}

const unreleased = rpcError(
  rpcCodes.internal,
  'not-now',
  'Make the same call again to get its result: an approver may have to release it. It does not run again.',
);
