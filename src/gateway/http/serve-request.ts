import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../../model/problem.ts';
import { greeting } from '../calls/caller.ts';
import {
  errorFrame,
  errorOf,
  idInUse,
  isFrameId,
  isModern,
  paramsOf,
  rpcCodes,
  rpcError,
  type Frame,
  type FrameId,
} from '../frames/frame.ts';
import { judgeLine } from '../frames/judge-frame.ts';
import { longestMessage, type Exchange } from '../upstreams/upstream.ts';
import { answerWith } from './client-answer.ts';
import type { Conversation } from './conversations.ts';
import { HttpCall } from './http-call.ts';
import { passAnswer } from './pass-answer.ts';
import type { UpstreamGate } from './upstream-gate.ts';

/** MCP's code for headers that say something else than the body. */
const headerMismatch = -32020;

/** One request of a client. A call reaches the upstream only by `serveCall`. */
export async function serveRequest(
  gate: UpstreamGate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  if (method === 'POST') return servePost(gate, request, response);
  if (method === 'GET' || method === 'DELETE') return pass(gate, request, response, method);
  response.writeHead(405, { allow: 'GET, POST, DELETE' }).end();
}

async function servePost(gate: UpstreamGate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    const error = rpcError(rpcCodes.invalidRequest, 'body-too-large', `Send at most ${longestMessage} bytes.`);
    return answerWith(response, 413, errorFrame(null, error));
  }
  const judged = judgeLine(body);
  if (judged.kind === 'refuse') return answerWith(response, 400, errorFrame(judged.id, judged.error));
  if (judged.kind === 'drop') return answerWith(response, 400, errorFrame(null, unusable));
  const { frame } = judged;
  const fault = faultOfHeaders(request.headers, frame, judged.kind === 'call');
  if (fault !== null) return answerWith(response, 400, errorFrame(idOf(frame), fault));
  if (judged.kind === 'call') {
    const conversation = gate.conversations.of(request.headers);
    const refusal = refusalOf(gate, conversation, judged.frame.id);
    if (refusal) return answerWith(response, refusal.status, errorFrame(judged.frame.id, refusal.error));
    return gate.track(new HttpCall(gate, conversation, judged.frame, request.headers, response).serve());
  }
  if (judged.kind === 'cancel') cancel(gate.conversations.of(request.headers), judged.id);
  await pass(gate, request, response, 'POST', frame);
}

function refusalOf(gate: UpstreamGate, { calls }: Conversation, id: FrameId) {
  if (calls?.has(id)) return { status: 400, error: idInUse };
  return gate.isFull ? { status: 503, error: full } : null;
}

/** The upstream is told as well: it ignores what it was never given. */
function cancel({ calls }: Conversation, id: unknown): void {
  if (isFrameId(id)) calls?.get(id)?.abort(new Problem('not-now', { detail: 'The client cancelled this call.' }));
}

/** Everything but calls. */
async function pass(
  gate: UpstreamGate,
  request: IncomingMessage,
  response: ServerResponse,
  method: Exchange['method'],
  frame?: Frame,
): Promise<void> {
  const { headers } = request;
  const gone = new AbortController();
  const end = (): void => gone.abort();
  response.once('close', end);
  gate.ending.addEventListener('abort', end, { once: true });
  try {
    const answer = await gate.upstream.ask({ method, headers, ...(frame && { frame }), signal: gone.signal });
    const session = frame?.method === 'initialize' ? answer.headers.get('mcp-session-id') : null;
    const conversation = gate.conversations.of(session === null ? headers : { ...headers, 'mcp-session-id': session });
    if (frame && session !== null) conversation.connected = greeting(frame);
    await passAnswer(gate, conversation, answer, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else answerWith(response, 502, errorFrame(frame ? idOf(frame) : null, errorOf(error)));
  } finally {
    gate.ending.removeEventListener('abort', end);
  }
}

/** What two readers could take for two different requests. Since 2026-07-28 the headers may not be missing. */
function faultOfHeaders(headers: IncomingHttpHeaders, frame: Frame, isCall: boolean) {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  const isOther = (header: string | string[] | undefined, value: unknown): boolean =>
    header === undefined ? isModern(frame) : header !== value;
  if (isOther(method, frame.method)) return mismatch('Mcp-Method');
  return isCall && isOther(name, paramsOf(frame)['name']) ? mismatch('Mcp-Name') : null;
}

const mismatch = (header: string) =>
  rpcError(headerMismatch, 'INVALID_INPUT', `Send ${header} as in the body: they differ.`);
const unusable = rpcError(rpcCodes.invalidRequest, 'INVALID_INPUT', 'Send a message of JSON-RPC.');
const full = rpcError(rpcCodes.internal, 'rate-limited', 'Try again later: too many calls are open. Nothing was run.');

const idOf = ({ id }: Frame): FrameId | null => (isFrameId(id) ? id : null);

/** Null if it is too long. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= longestMessage) parts.push(part);
  }
  return size > longestMessage ? null : Buffer.concat(parts);
}
