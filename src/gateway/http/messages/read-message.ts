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
} from '../../frames/frame/frame.ts';
import { judgeLine, type Allowances, type Judged } from '../../frames/mcp-words/judge-frame.ts';
import { sessionRevisions } from '../../frames/mcp-words/mcp-words.ts';
import { maxMessageBytes } from '../../upstreams/upstream/upstream.ts';
import { answerWith, dismiss, refuseForNow } from './client-answer.ts';
import type { Reservation } from '../../identity/limits/memory-budget.ts';
import { headerText } from '../headers/header-text.ts';
import { onceClosed } from '../../upstreams/upstream/once-closed.ts';

/** A message that is passed on, or judged first. */
type Message = Extract<Judged, { frame: Frame }>;

/** The message in the body of this request; null if it was refused, and the client was answered. */
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

/** MCP's status for a method that is not there is 404 since 2026-07-28; before, that would end the client's session. */
function statusOf(code: number, { 'mcp-protocol-version': revision = '' }: IncomingHttpHeaders): number {
  if (code !== rpcCodes.methodNotFound) return 400;
  return String(revision) >= withoutSessions ? 404 : 200;
}

/** The id of a request; null if it has none that can be repeated. */
export const idOf = ({ id }: Frame): FrameId | null => (isFrameId(id) ? id : null);

/** By which parameter `Mcp-Name` calls what a request is about. */
const nameMembers: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** What `Mcp-Name` is to say of this message; undefined if nothing. */
function nameOf(frame: Frame): string | undefined {
  const method = String(frame.method);
  const name = Object.hasOwn(nameMembers, method) ? paramsOf(frame)[nameMembers[method] ?? ''] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** A client's headers for this message in place of its own: `Mcp-Name`, if it was sent, says what this one is about. */
export function headersFor(
  { 'mcp-name': sent, ...headers }: IncomingHttpHeaders,
  frame: Frame | undefined,
): IncomingHttpHeaders {
  const name = sent === undefined || !frame ? undefined : nameOf(frame);
  return { ...headers, ...(name !== undefined && { 'mcp-name': headerText(name) }) };
}

/** Of a header that comes twice, one reader could take the first, and another one the last. */
function doubledIn({ headersDistinct }: IncomingMessage) {
  const doubled = Object.entries(headersDistinct).find(
    ([name, { length = 0 } = []]) => name.startsWith('mcp-') && length > 1,
  );
  return doubled ? rpcError(headerMismatch, 'INVALID_INPUT', `Send ${doubled[0]} once.`) : null;
}

/**
 * Of a request that says one revision in its header and another one in its body, one reader could take the first, and
 * another one the last. A call of which the server would say so is refused before anyone is asked, and in a session so is a
 * revision that has none.
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

/** What two readers could take for two different requests. Since 2026-07-28 the headers of a call may not be missing. */
function faultOfHeaders(headers: IncomingHttpHeaders, frame: Frame) {
  const { 'mcp-method': method, 'mcp-name': name } = headers;
  const isOther = (header: string | string[] | undefined, value: unknown): boolean =>
    header === undefined ? isModern(frame) : header !== value;
  if (isOther(method, frame.method)) return mismatch('Mcp-Method');
  if (frame.method !== 'tools/call' && name === undefined) return null; // the server decides whether it may be missing
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

/** MCP's code for headers that say something else than the body. */
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

/** The whole body, or why it is not read to its end. */
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
