import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connectingClient } from '../../calls/connections/mcp-client.ts';
import {
  errorFrame,
  errorOf,
  idInUse,
  isFrameId,
  rpcCodes,
  rpcError,
  sessionEnded,
  type Frame,
} from '../../frames/frame/frame.ts';
import { principalKey, type Caller } from '../../identity/caller.ts';
import type { JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import { inwardTasks } from '../../frames/mcp-words/task-names.ts';
import { CredentialsNeeded } from '../../upstreams/credentials/credentials-needed.ts';
import { onceClosed } from '../../upstreams/upstream/once-closed.ts';
import { sessionOf, type Exchange } from '../../upstreams/upstream/upstream.ts';
import { answerWith, refuseForNow } from '../messages/client-answer.ts';
import { recordAnswer } from '../messages/client-questions.ts';
import type { Conversation } from '../headers/conversations.ts';
import { HttpCall } from '../call/http-call.ts';
import { passAnswer } from './pass-answer.ts';
import { headersFor, idOf, readMessage } from '../messages/read-message.ts';
import type { UpstreamGate } from '../upstream/upstream-gate.ts';
import type { AdmittedRequest } from '../headers/admitted-request.ts';

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

/** The headers with the upstream's own name of the session; null if that is not a session of this caller. */
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

/** The message with the upstream's names of the client's own tasks; null if it asks for another one. */
function withOwnTasks<Read extends { frame: Frame }>(
  gate: UpstreamGate,
  admitted: AdmittedRequest,
  read: Read,
): Read | null {
  const tasks = gate.tasksOf(admitted);
  const frame = tasks ? inwardTasks(read.frame, tasks) : read.frame;
  return frame && { ...read, frame };
}

/** An answer to a question of the gateway itself is not passed to the upstream. */
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

/** The place is given back when the call is over and its client has the answer, or has gone. */
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

/** Of an error it does not reject: what follows is the same. */
const closing = (response: ServerResponse): Promise<void> => new Promise((resolve) => onceClosed(response, resolve));

function refuseFull(gate: UpstreamGate, response: ServerResponse, { id }: JudgedFrame): void {
  if (gate.isFull) refuseForNow(response, 503, errorFrame(id, full));
  else refuseForNow(response, 429, errorFrame(id, ownFull));
}

/** The upstream gets the cancellation as well, and ignores that of a call that it never got. */
function cancel({ calls }: Conversation, id: unknown): void {
  if (isFrameId(id)) calls?.get(id)?.cancel();
}

/** Everything but calls. */
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
  if (!response.destroyed || isFrameId(frame?.id)) onceClosed(response, end); // a notification is passed on all the same
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

/** Answers with the error; an answer that has begun is only cut off. */
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
