import { parseStrictJson } from '#platform/crypto/strict-json';
import { readingTools } from '#platform/model/names';
import { Problem } from '#platform/model/problem/problem';
import { isMcpMethod, isReservedMeta } from './mcp-words.ts';
import {
  isFrameId,
  isObject,
  rpcCodes,
  rpcError,
  unknownMethod,
  type Frame,
  type FrameId,
  type RpcError,
} from '../frame/frame.ts';
import { lenientId, readText } from '../reading/read-text.ts';
import { fold, otherSpellingIn } from '../frame/spelling.ts';
import { scanIfTooMany } from '../frame/scan-json.ts';

/** A `tools/call`, which is forwarded only after it was judged. */
export interface CallFrame extends Frame {
  id: FrameId;
  params: { name: string; arguments?: Record<string, unknown>; [member: string]: unknown };
}

/** Reads what the server has, and is judged as well. */
export interface ReadFrame extends Frame {
  id: FrameId;
  method: keyof typeof readingTools;
  params: Record<string, unknown>;
}

export type JudgedFrame = CallFrame | ReadFrame;

/** What to do with a message of the client. */
export type Judged =
  | { kind: 'call'; frame: JudgedFrame }
  /** Asks for the tools: the answer is changed. */
  | { kind: 'list'; frame: Frame; id: FrameId }
  | { kind: 'cancel'; frame: Frame; id: unknown }
  | { kind: 'answer'; frame: Frame; id: unknown }
  | { kind: 'pass'; frame: Frame }
  | { kind: 'refuse'; id: FrameId | null; error: RpcError }
  /** A notification that is not passed on: no one waits for an answer. */
  | { kind: 'drop' };

/** What passes to the server although no policy and no person sees it, because the operator has named it. */
export interface Allowances {
  /** Methods that MCP does not have. */
  allowMethods?: readonly string[] | undefined;
  /** Members of the `_meta` of what is judged. */
  allowMeta?: readonly string[] | undefined;
}

/** Deep and wide enough for files as arguments; the orchestrator has limits of its own. */
const limits = { depth: 100, members: 200_000 };

const tooMany = `Send less at a time: this message has more than ${limits.members} members.`;

/**
 * Decides what becomes of one line of the client. Whatever another parser might read as a `tools/call` is one, or is
 * refused: batches, repeated names, other spellings of names, calls without an id. So is a method that MCP does not
 * have, because a server could run anything by it. What is judged has no other members than MCP has, and of `_meta`
 * only what MCP reserves, so that nothing rides along that the approver of a call has not seen.
 */
export function judgeLine(line: Buffer, allowances: Allowances = {}): Judged {
  const text = readText(line);
  if (text === null) return refuse(null, rpcCodes.parse, 'Send UTF-8: this message is not.');
  const surplus = scanIfTooMany(text, limits.members);
  if (surplus) return refuse(surplus.id, rpcCodes.invalidRequest, tooMany);
  try {
    return judgeValue(parseStrictJson(text, limits), allowances);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return refuse(lenientId(text), rpcCodes.parse, sentenceOf(error));
  }
}

function judgeValue(value: unknown, allowances: Allowances): Judged {
  if (Array.isArray(value))
    return refuse(null, rpcCodes.invalidRequest, 'Send each message by itself, not as a batch.');
  if (!isObject(value)) return refuse(null, rpcCodes.invalidRequest, 'Send a message of JSON-RPC.');
  const fault = faultOfFrame(value);
  if (fault !== null) return refuseFrame(value, fault);
  return judgeFrame(value as Frame, allowances);
}

function judgeFrame(frame: Frame, { allowMethods = [], allowMeta = [] }: Allowances): Judged {
  const { id, method } = frame;
  if (method === undefined) return { kind: 'answer', frame, id };
  if (method === 'tools/call') return judgeCall(frame, allowMeta);
  if (isReading(method)) return judgeRead(frame, allowMeta);
  if (method === 'tools/list' && isFrameId(id)) return { kind: 'list', frame, id };
  if (method === 'notifications/cancelled') {
    return { kind: 'cancel', frame, id: isObject(frame.params) ? frame.params['requestId'] : undefined };
  }
  if (isMcpMethod(method) || allowMethods.includes(String(method))) return { kind: 'pass', frame };
  if (!isFrameId(id)) return { kind: 'drop' };
  return { kind: 'refuse', id, error: unknownMethod };
}

function judgeCall(frame: Frame, allowMeta: readonly string[]): Judged {
  const { id, params } = frame;
  if (!isFrameId(id)) return { kind: 'drop' };
  const fault = faultOfParams(params) ?? unknownIn(frame, requestMembers);
  if (fault !== null) return refuse(id, rpcCodes.invalidParams, fault);
  return { kind: 'call', frame: withoutEarlyAnswers(withoutNull(withKnownMeta(frame as CallFrame, allowMeta))) };
}

function judgeRead(frame: Frame, allowMeta: readonly string[]): Judged {
  const { id, params } = frame;
  if (!isFrameId(id)) return { kind: 'drop' };
  if (!isObject(params)) return refuse(id, rpcCodes.invalidParams, 'Give params.');
  const fault = faultOfMembers(params, readMembers) ?? unknownIn(frame, requestMembers);
  if (fault !== null) return refuse(id, rpcCodes.invalidParams, fault);
  return { kind: 'call', frame: withKnownMeta(frame as ReadFrame, allowMeta) };
}

/** Clients put ids of their own into `_meta`, another one for each attempt: they can be no part of what is approved. */
function withKnownMeta<Judged extends JudgedFrame>(frame: Judged, allowMeta: readonly string[]): Judged {
  const { _meta: meta, ...params } = frame.params;
  if (meta === undefined) return frame;
  const members = Object.entries(isObject(meta) ? meta : {});
  const passing = members.filter(([name, value]) => isReservedMeta(name, value) || allowMeta.includes(name));
  return { ...frame, params: { ...params, ...(passing.length > 0 && { _meta: Object.fromEntries(passing) }) } };
}

const isReading = (method: unknown): boolean => typeof method === 'string' && Object.hasOwn(readingTools, method);

/** Some clients send null for no arguments. */
function withoutNull(frame: CallFrame): CallFrame {
  const { arguments: args, ...params } = frame.params;
  return args === null ? { ...frame, params } : frame;
}

/** Answers without the state of a question answer nothing: the server never sees them. */
function withoutEarlyAnswers(frame: CallFrame): CallFrame {
  const { inputResponses, ...params } = frame.params;
  return inputResponses === undefined || params['requestState'] !== undefined ? frame : { ...frame, params };
}

/** The methods that the gateway acts on. Other spellings of them are refused, since a server might accept one. */
const ownMethods = ['tools/call', 'tools/list', ...Object.keys(readingTools)];
const requestMembers = ['jsonrpc', 'id', 'method', 'params'];
const frameMembers = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const readMembers = [
  'uri',
  'name',
  'arguments',
  'ref',
  'argument',
  'context',
  '_meta',
  'inputResponses',
  'requestState',
];
const callMembers = ['name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState'];

/** What is wrong with a message; null if every reader reads the same one. */
function faultOfFrame(value: Record<string, unknown>): string | null {
  const { jsonrpc, id, method } = value;
  const twin = otherSpellingIn(value, frameMembers);
  if (twin !== null) return leaveOut(twin);
  if (jsonrpc !== '2.0') return 'Send jsonrpc "2.0".';
  if ('id' in value && !isFrameId(id)) return 'Give an id that is a text or an integer.';
  const isAnswer = 'result' in value || 'error' in value;
  if ('method' in value === isAnswer) return 'Send a request or an answer.';
  if ('method' in value && typeof method !== 'string') return 'Give a method that is a text.';
  if (isAnswer && !('id' in value)) return 'Give the id of what is answered.';
  const folded = typeof method === 'string' ? fold(method) : '';
  return ownMethods.includes(folded) && folded !== method ? `Write the method as ${folded}.` : null;
}

function faultOfParams(params: unknown): string | null {
  if (!isObject(params)) return 'Give params with the name of a tool.';
  const fault = faultOfMembers(params, callMembers);
  if (fault !== null) return fault;
  if (typeof params['name'] !== 'string') return 'Give the name of a tool.';
  const { arguments: args = null } = params;
  if (args !== null && !isObject(args)) return 'Give arguments as an object.';
  return null;
}

function faultOfMembers(params: Record<string, unknown>, members: string[]): string | null {
  const twin = otherSpellingIn(params, members);
  return twin === null ? unknownIn(params, members) : leaveOut(twin);
}

/** A member that MCP does not have would reach the server without anyone having seen it. */
function unknownIn(value: object, members: string[]): string | null {
  const name = Object.keys(value).find((key) => !members.includes(key));
  return name === undefined ? null : `Leave out ${JSON.stringify(name)}: MCP has no such member here.`;
}

const leaveOut = (twin: string): string =>
  `Leave out ${JSON.stringify(twin)}: some servers would read it as another member.`;

const refuse = (id: FrameId | null, code: number, message: string): Judged => ({
  kind: 'refuse',
  id,
  error: rpcError(code, 'INVALID_INPUT', message),
});

/** A message without an id gets no answer, even if it is wrong. */
function refuseFrame(value: Record<string, unknown>, fault: string): Judged {
  if (!('id' in value)) return { kind: 'drop' };
  return refuse(isFrameId(value['id']) ? value['id'] : null, rpcCodes.invalidRequest, fault);
}

function sentenceOf({ errors: [first], message }: Problem): string {
  if (!first) return message;
  return first.path.length > 0 ? `${first.message} (${first.path.join('.')})` : first.message;
}
