import { each, entries, members, type Change, lenientId, readText, text, type UpstreamLine } from './reading.ts';
import {
  isObject,
  isFrameId,
  rpcCodes,
  rpcError,
  unknownMethod,
  type Frame,
  type FrameId,
  type RpcError,
  fold,
  otherSpellingIn,
  scanIfTooMany,
  metaKey,
  metaOf,
  paramsOf,
  textOfFrame,
} from './frame.ts';
import { parseStrictJson } from '#platform/crypto/strict-json';
import { readingTools } from '#platform/model/names';
import { Problem, isProblemCode } from '#platform/model/problem';
import { parseTraceparent } from '#platform/model/traceparent';

const method = 'elicitation/create';

/**
 * Changes each question to the person at the client in a message of a server, in every place: the request itself, a result or a
 * task that asks for more, and the error that names addresses.
 */
export function changeQuestions(question: Change): Change {
  const request: Change = (asking) => (isQuestion(asking) ? members({ params: question })(asking) : asking);
  const inner: Change = (value) => members({ inputRequests: each(request), result: inner })(value); // the result of a task is within its own
  const error = members({ data: members({ elicitations: entries(question) }) });
  return (frame) => (isQuestion(frame) ? request(frame) : members({ params: inner, result: inner, error })(frame));
}

export const isQuestion = (message: unknown): boolean => isObject(message) && message['method'] === method;

/** Does the question lead its person to an address, for any reader, even one that ignores the case of names? */
export const leadsOut = (question: unknown): question is Record<string, unknown> =>
  isObject(question) &&
  Object.entries(question).some(([name, value]) => isNamed(name, 'url') || (isNamed(name, 'mode') && value === 'url'));

/** The address in a question; null if it has none, or two readers could read different ones. */
export function addressIn(question: Record<string, unknown>): string | null {
  const names = Object.keys(question).filter((name) => isNamed(name, 'url'));
  const { url } = question;
  return names.length === 1 && typeof url === 'string' ? url : null;
}

const isNamed = (name: string, member: string): boolean => name.toLowerCase() === member;

/** A `tools/call`, which is forwarded only after judgement. */
export interface CallFrame extends Frame {
  id: FrameId;
  params: { name: string; arguments?: Record<string, unknown>; [member: string]: unknown };
}

/** A reading of the server's data, which is judged as well. */
export interface ReadFrame extends Frame {
  id: FrameId;
  method: keyof typeof readingTools;
  params: Record<string, unknown>;
}

export type JudgedFrame = CallFrame | ReadFrame;

/** Course of a message from the client. */
export type Judged =
  | { kind: 'call'; frame: JudgedFrame }
  /** A request for the tools, whose answer is changed. */
  | { kind: 'list'; frame: Frame; id: FrameId }
  | { kind: 'cancel'; frame: Frame; id: unknown }
  | { kind: 'answer'; frame: Frame; id: unknown }
  | { kind: 'pass'; frame: Frame }
  | { kind: 'refuse'; id: FrameId | null; error: RpcError }
  /** A notification that is not passed on; it has no answer. */
  | { kind: 'drop' };

/** Methods and members that the operator lets pass to the server unseen by policies and people. */
export interface Allowances {
  /** Methods outside MCP. */
  allowMethods?: readonly string[] | undefined;
  /** Members of the `_meta` of judged messages. */
  allowMeta?: readonly string[] | undefined;
}

/** Deep and wide enough for files as arguments; the orchestrator has limits of its own. */
const limits = { depth: 100, members: 200_000 };

const tooMany = `Send less at a time: this message has more than ${limits.members} members.`;

/**
 * Classifies one line of the client. Anything that another parser might read as a `tools/call` is one, or is refused: batches,
 * repeated names, other spellings of names, calls without an id. A method outside MCP is refused too, because a server could
 * run anything by it. A judged message keeps only the members that MCP has, and of `_meta` only those that MCP reserves, so
 * that approvers see everything that is sent.
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

/**
 * Drops unknown members of `_meta`: clients put ids of their own there, another one for each attempt, so they cannot be part of
 * an approval.
 */
function withKnownMeta<Judged extends JudgedFrame>(frame: Judged, allowMeta: readonly string[]): Judged {
  const { _meta: meta, ...params } = frame.params;
  if (meta === undefined) return frame;
  const members = Object.entries(isObject(meta) ? meta : {});
  const passing = members.filter(([name, value]) => isReservedMeta(name, value) || allowMeta.includes(name));
  return { ...frame, params: { ...params, ...(passing.length > 0 && { _meta: Object.fromEntries(passing) }) } };
}

const isReading = (method: unknown): boolean => typeof method === 'string' && Object.hasOwn(readingTools, method);

/** Removes null arguments, which some clients send for none. */
function withoutNull(frame: CallFrame): CallFrame {
  const { arguments: args, ...params } = frame.params;
  return args === null ? { ...frame, params } : frame;
}

/** Removes answers without the state of a question; they answer nothing, and the server never sees them. */
function withoutEarlyAnswers(frame: CallFrame): CallFrame {
  const { inputResponses, ...params } = frame.params;
  return inputResponses === undefined || params['requestState'] !== undefined ? frame : { ...frame, params };
}

/** Methods that the gateway acts on. Other spellings are refused, since a server might accept one. */
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

/** Fault of a message; null if every reader reads the same one. */
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

/** Fault of a member outside MCP, which would reach the server unseen. */
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

/** Names of one owner's tasks, for the client and for the upstream. */
export interface TaskNames {
  /** The client's name of a task, which belongs to this client from now on. */
  give(task: string): string;
  /** The upstream's name of a task; null if it is not the client's own. */
  take(name: string): string | null;
  isOwn(task: string): boolean;
}

const aboutTask = new Set<unknown>(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel']);
const statuses = new Set<unknown>(['notifications/tasks/status', 'notifications/tasks']);
const relatedTask = metaKey('related-task');

/** The message as the upstream reads it; null if it asks for a task that is not the client's own. */
export function inwardTasks(frame: Frame, names: TaskNames): Frame | null {
  const { method, id } = frame;
  const take = text((name) => names.take(name) ?? name); // the client may have tasks of its own
  const _meta = members({ [relatedTask]: members({ taskId: take }) });
  if (method === undefined) return members({ result: members({ _meta }) })(frame) as Frame;
  if (id !== undefined && !isOwn(frame, names)) return null;
  const taskIds = ownOf((name) => names.take(name));
  const taskId = aboutTask.has(method) && { taskId: take };
  return members({ params: members({ _meta, ...taskId, notifications: members({ taskIds }) }) })(frame) as Frame;
}

/** Does the request name only tasks of this client, however a server reads their names? */
function isOwn(frame: Frame, names: TaskNames): boolean {
  const [params, meta] = [paramsOf(frame), metaOf(frame)];
  const { notifications } = params;
  const related = Object.hasOwn(meta, relatedTask) ? [meta[relatedTask]] : [];
  const about = aboutTask.has(frame.method) ? [params] : [];
  const parts = [params, meta, notifications, ...related].filter((part) => isObject(part));
  if (parts.some((part) => otherSpellingIn(part, ownMembers) !== null)) return false;
  return [...about, ...related].every((part) => {
    const task = isObject(part) ? part['taskId'] : undefined;
    return typeof task === 'string' && names.take(task) !== null;
  });
}

const ownMembers = ['_meta', 'notifications', 'taskId', 'taskIds', relatedTask];

/** The message as the client reads it; null if it is about a task of another client. */
export function outwardTasks(frame: Frame, names: TaskNames): Frame | null {
  const give = text((task) => names.give(task));
  const _meta = metaFor(names);
  if (frame.method === undefined) return members({ result: outwardResult(names) })(frame) as Frame;
  const { taskId } = paramsOf(frame);
  const isStatus = statuses.has(frame.method);
  if (isStatus && !(typeof taskId === 'string' && names.isOwn(taskId))) return null;
  const taskIds = ownOf((task) => (names.isOwn(task) ? names.give(task) : null));
  const own = { ...(isStatus && { taskId: give, result: outwardResult(names) }), notifications: members({ taskIds }) };
  return members({ params: members({ _meta, ...own }) })(frame) as Frame;
}

/** A result as the client reads it. */
export function outwardResult(names: TaskNames): Change {
  const task = members({ taskId: text((own) => names.give(own)) });
  const isListed = (entry: unknown): boolean =>
    isObject(entry) && typeof entry['taskId'] === 'string' && names.isOwn(entry['taskId']);
  const tasks: Change = (list) => (Array.isArray(list) ? entries(task)(list.filter(isListed)) : list);
  const change = members({ task, tasks, _meta: metaFor(names), result: (inner) => change(inner) });
  return (result) => change(task(result));
}

/** Renames the related task for its client; a foreign name stays and is useless to the client. */
const metaFor = (names: TaskNames): Change =>
  members({ [relatedTask]: members({ taskId: text((task) => (names.isOwn(task) ? names.give(task) : task)) }) });

const ownOf =
  (nameOf: (name: string) => string | null): Change =>
  (list) =>
    Array.isArray(list) ? list.flatMap((name) => (typeof name === 'string' ? (nameOf(name) ?? []) : [])) : list;

/**
 * Removes parts that could be taken for Assentry's own: a result carries no mark of a pending or refused call, and a question
 * to the person at the client begins with the name of the asking server.
 */
export function attributeToServer(server: string): (line: UpstreamLine) => UpstreamLine {
  const say = text((words) => `Server "${server}": ${words}`);
  const named = changeQuestions(members({ message: say, title: say, requestedSchema: members({ title: say }) }));
  const unmarked: Change = (value) => members({ _meta: withoutMarks, result: unmarked })(value); // the result of a task is within its own
  const bare = members({ params: unmarked, result: unmarked, error: members({ data: withoutMarks }) });
  const change: Change = (frame) => named(isQuestion(frame) ? frame : bare(frame));
  return (line) => {
    if ('fault' in line || line.isOwn) return line;
    const frame = change(line.frame) as Frame;
    return frame === line.frame ? line : { frame, text: textOfFrame(frame) };
  };
}

/** Removes the marks by which clients and agents recognize an answer of Assentry. */
const withoutMarks: Change = (value) => {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => !isMark(name, member));
  if (kept.length === Object.keys(value).length) return value;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

const isMark = (name: string, value: unknown): boolean =>
  name === 'elicitationPending' ||
  /^assentry\b/i.test(name) ||
  (name === 'code' && (isProblemCode(value) || value === 'declined' || value === 'cancelled'));

/** Requests of clients by MCP, from 2024-11-05 to 2026-07-28. */
const requests = [
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
];
const notifications = ['cancelled', 'initialized', 'progress', 'roots/list_changed', 'tasks', 'tasks/status'];
const methods = new Set([...requests, ...notifications.map((name) => `notifications/${name}`)]);

/** Revisions in which a connection begins with `initialize`. */
export const sessionRevisions = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Is this a method of MCP for messages of clients, in exactly these letters? */
const isMcpMethod = (method: unknown): boolean => typeof method === 'string' && methods.has(method);

/** Does MCP itself reserve this member of `_meta`? Of the members for tracing, only the one with a fixed form counts. */
const isReservedMeta = (name: string, value: unknown): boolean =>
  name === 'progressToken' ||
  name.startsWith('io.modelcontextprotocol/') ||
  (name === 'traceparent' && parseTraceparent(value) !== undefined);
