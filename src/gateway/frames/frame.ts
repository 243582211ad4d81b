import { performance } from 'node:perf_hooks';
import { setImmediate as afterWork, setTimeout as sleep } from 'node:timers/promises';
import { Problem, type ProblemCode } from '#platform/model/problem';
import { inTurns } from '#platform/crypto/in-turns';

/**
 * Serves large messages one after the other, with a pause as long as the work on the one before: however slow the machine is,
 * half of the time is left for short ones. A single large message waits for nothing.
 */
export class LargeMessageQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when work on a message of this size may begin; at once for a small one. */
  async waitTurn(size: number): Promise<void> {
    if (size < large) return;
    const before = this.#last;
    const turn = before.then(() => performance.now());
    this.#last = turn.then(async (start) => {
      await afterWork(); // work that follows on the turn has ended by then
      await sleep(performance.now() - start, undefined, { ref: false });
    });
    await turn;
  }
}

/** Id of a request and its answer. */
export type FrameId = string | number;

/** One message of JSON-RPC, with all members, known or unknown. */
export interface Frame {
  jsonrpc: '2.0';
  id?: unknown;
  method?: unknown;
  params?: unknown;
  [member: string]: unknown;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The codes of JSON-RPC. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isFrameId = (id: unknown): id is FrameId => typeof id === 'string' || Number.isSafeInteger(id);

/** The `params` of a frame, empty if it has none. */
export const paramsOf = ({ params }: Frame): Record<string, unknown> => (isObject(params) ? params : {});

/** The `_meta` of a frame's parameters. */
export function metaOf(frame: Frame): Record<string, unknown> {
  const { _meta: meta } = paramsOf(frame);
  return isObject(meta) ? meta : {};
}

/** A member of `_meta` that is MCP's own. */
export const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`;

/** True since 2026-07-28, when each request names its revision. */
export const isModern = (frame: Frame): boolean => metaOf(frame)[metaKey('protocolVersion')] !== undefined;

/** Token for the progress of a request; undefined if its client asked for none. */
export function progressTokenOf(frame: Frame): FrameId | undefined {
  const { progressToken: token } = metaOf(frame);
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

export const resultFrame = (id: FrameId, result: unknown): Frame => ({ jsonrpc: '2.0', id, result });

export const errorFrame = (id: FrameId | null, error: RpcError): Frame => ({ jsonrpc: '2.0', id, error });

/** An error with a code of Assentry, for people and for programs. */
export const rpcError = (code: number, problem: ProblemCode, message: string): RpcError => ({
  code,
  message,
  data: { code: problem },
});

/** The error of the request that could not be served. */
export function errorOf(error: unknown): RpcError {
  if (error instanceof RpcFault) return error.error;
  if (error instanceof Problem) return rpcError(rpcCodes.internal, error.code, error.message);
  return rpcError(rpcCodes.internal, 'internal', 'Check the state before you repeat this: the gateway failed.');
}

export const idInUse = rpcError(
  rpcCodes.invalidRequest,
  'INVALID_INPUT',
  'Use another id: a request with this one is open.',
);

export const sessionEnded = rpcError(rpcCodes.invalidRequest, 'not-found', 'Initialize again: this session has ended.');

/** Error of servers for an unknown method. */
export const unknownMethod: RpcError = { code: rpcCodes.methodNotFound, message: 'Method not found' };

/** Error for an answer that two readers could read differently, or none could read. */
export const notPassedOn = (fault: string): RpcError =>
  rpcError(rpcCodes.internal, 'unavailable', `The server's answer is not passed on: ${fault}`);

/** Error of a call that was forwarded: a client that repeats it runs it again. */
export const ranUnread = (fault: string): RpcError =>
  rpcError(rpcCodes.internal, 'unavailable', `The call ran. The server's answer is not passed on: ${fault}`);

/** An error answer of JSON-RPC. */
export class RpcFault extends Error {
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

/** Characters that some readers of lines also take as line ends; they would read the rest as another message. */
const lineEnds = /[\u0085\u2028\u2029]/g;

/** The frame as one text without a line end, which every reader reads alike. */
export const textOfFrame = (frame: Frame): string =>
  JSON.stringify(frame).replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The frame as a line. */
export const lineOf = (frame: Frame): string => `${textOfFrame(frame)}\n`;

/** Size in characters, and in members, from which a message is written in turns. */
const large = 1024 * 1024;
/** Characters written at once. */
const part = 64 * 1024;
const membersAtOnce = 500;

/** The text of a frame, equal to `textOfFrame`; a large one is written with turns for other work in between. */
export async function textInTurns(frame: Frame): Promise<string> {
  return isLarge(frame) ? inTurns(textInParts(frame)) : textOfFrame(frame);
}

function isLarge(frame: Frame): boolean {
  let size = 0;
  const open: unknown[] = [frame];
  for (let value = open.pop(); value !== undefined && size < large; value = open.pop()) {
    size += typeof value === 'string' ? value.length : 1;
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) if (member !== undefined) open.push(member);
  }
  return size >= large;
}

export function* textInParts(frame: Frame): Generator<void, string> {
  const parts: string[] = [];
  yield* write(frame, parts);
  const text = parts.join('');
  yield; // to join them and to send the whole takes as long as a slice each
  return text;
}

function* write(value: unknown, parts: string[]): Generator<void, void> {
  if (parts.length % membersAtOnce === 0) yield;
  if (typeof value === 'string' && value.length > part) yield* writeLong(value, parts);
  else if (Array.isArray(value)) yield* writeList(value, parts);
  else if (isObject(value)) yield* writeMembers(value, parts);
  else parts.push(textOf(value));
}

function* writeLong(text: string, parts: string[]): Generator<void, void> {
  parts.push('"');
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + part, text.length);
    if (isFirstHalf(text.charCodeAt(end - 1))) end += 1; // a character is written as a whole
    parts.push(textOf(text.slice(at, end)).slice(1, -1));
    yield;
  }
  parts.push('"');
}

function* writeList(list: readonly unknown[], parts: string[]): Generator<void, void> {
  for (let at = 0; at < list.length; at += 1) {
    parts.push(at === 0 ? '[' : ',');
    yield* write(list[at] ?? null, parts);
  }
  parts.push(list.length === 0 ? '[]' : ']');
}

function* writeMembers(object: Record<string, unknown>, parts: string[]): Generator<void, void> {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  for (const [at, [name, value]] of members.entries()) {
    parts.push(`${at === 0 ? '{' : ','}${textOf(name)}:`);
    yield* write(value, parts);
  }
  parts.push(members.length === 0 ? '{}' : '}');
}

const textOf = (value: unknown): string => textOfFrame(value as Frame);

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

const newline = 0x0a;

export interface LineListener {
  /** The bytes of one line, without its end. */
  onLine(line: Buffer): void;
  /** Called for a line longer than the limit; nothing of it is kept. */
  onTooLong(): void;
}

/** Cuts a stream of bytes into lines, and never keeps more than `limit` bytes of one. */
export class LineReader {
  readonly #limit: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #size = 0;
  #isSkipping = false;

  constructor(limit: number, listener: LineListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  /** Bytes of the line that has not ended yet. */
  get unread(): number {
    return this.#isSkipping ? 0 : this.#size;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (part.length === 0 || this.#isSkipping) return;
    this.#size += part.length;
    if (this.#size <= this.#limit) return void this.#parts.push(part);
    this.#parts = [];
    this.#isSkipping = true;
    this.#listener.onTooLong();
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts);
    const isWhole = !this.#isSkipping;
    this.#parts = [];
    this.#size = 0;
    this.#isSkipping = false;
    if (isWhole) this.#listener.onLine(line);
  }
}

interface JsonScan {
  /** Upper bound of the members. */
  members: number;
  /** The id at the top level, as far as it can be told. */
  id: FrameId | null;
}

/** Scans a text of JSON without parsing it: millions of members would take the process seconds and gigabytes. */
export function scanJson(text: string): JsonScan {
  const scan: JsonScan = { members: 0, id: null };
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      if (depth === 1) scan.id ??= idAt(text, at);
      at = endOfString(text, at);
    } else if (char === '{' || char === '[') {
      depth += 1;
      scan.members += 1;
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',') scan.members += 1;
  }
  return scan;
}

/** Scan of a text with more members than `members`; null if it has fewer. */
export function scanIfTooMany(text: string, members: number): JsonScan | null {
  const scan = text.length > members ? scanJson(text) : null;
  return scan && scan.members > members ? scan : null;
}

const idMember = /"id"\s*:\s*(?:"([^"\\]{0,200})"|(-?\d{1,15})(?![\d.eE]))/y;

function idAt(text: string, at: number): FrameId | null {
  idMember.lastIndex = at;
  const [, name, digits] = idMember.exec(text) ?? [];
  return name ?? (digits === undefined ? null : Number(digits));
}

function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote < 0 ? text.length : quote;
}

function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text[before] === '\\') before -= 1;
  return (quote - before) % 2 === 0;
}

/** The first key that a reader which ignores case would take for one of these members; null if there is none. */
export function otherSpellingIn(value: object, members: readonly string[]): string | null {
  const folded = new Set(members.map(fold));
  return Object.keys(value).find((key) => !members.includes(key) && folded.has(fold(key))) ?? null;
}

/** Folds a name: no case, marks, compatibility forms, spaces, hidden characters or text after a U+0000. */
export const fold = (name: string): string =>
  name
    .replace(/\0.*/su, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll(/[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
