import {
  isObject,
  rpcCodes,
  RpcFault,
  type Frame,
  type RpcError,
  isFrameId,
  type FrameId,
  scanIfTooMany,
} from './frame.ts';
import { atOnce, inTurns } from '#platform/crypto/in-turns';
import { parseStrictJson, parseStrictJsonInParts } from '#platform/crypto/strict-json';
import { Problem } from '#platform/model/problem';

/** The result in an answer; throws the answer's error instead. */
export function resultIn({ result, error }: Frame): unknown {
  if (error !== undefined) throw new RpcFault(readError(error));
  return result;
}

/** The error of an answer, completed with the members that every error has. */
export function readError(error: unknown): RpcError {
  const { code, message, ...more } = isObject(error) ? error : {};
  return {
    ...more,
    code: typeof code === 'number' ? code : rpcCodes.internal,
    message: typeof message === 'string' ? message : '',
  };
}

/** Maps a value to its replacement; returns the same value if nothing changes. */
export type Change = (value: unknown) => unknown;

/** Changes these members of an object. */
export const members =
  (changes: Readonly<Record<string, Change>>): Change =>
  (value) =>
    isObject(value)
      ? Object.entries(changes).reduce((object, [member, change]) => changed(object, member, change), value)
      : value;

function changed(object: Record<string, unknown>, member: string, change: Change): Record<string, unknown> {
  if (object[member] === undefined) return object;
  const value = change(object[member]);
  return value === object[member] ? object : { ...object, [member]: value };
}

/** Changes each entry of a list. */
export const entries =
  (change: Change): Change =>
  (value) => {
    if (!Array.isArray(value)) return value;
    const list: unknown[] = value.map((entry) => change(entry));
    return list.some((entry, at) => entry !== value[at]) ? list : value;
  };

/** Changes each member of an object, under any name. */
export const each =
  (change: Change): Change =>
  (value) =>
    isObject(value) ? members(Object.fromEntries(Object.keys(value).map((name) => [name, change])))(value) : value;

export const text =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line; null if it is not UTF-8, which two readers could decode differently. */
export function readText(line: Buffer): string | null {
  try {
    return utf8.decode(line);
  } catch {
    return null;
  }
}

/** The id in a text that is not passed on; other readers may read it differently without harm. */
export function lenientId(text: string): FrameId | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && isFrameId(value['id']) ? value['id'] : null;
  } catch {
    return null;
  }
}

/**
 * A line of the upstream: a message that passes unchanged unless edited, or a fault if two readers could read it differently.
 */
export type UpstreamLine =
  | {
      frame: Frame;
      text: string;
      /** Set if the gateway answers in place of a server that has ended. */
      isOwn?: true;
    }
  | { fault: string; id: FrameId | null };

/** Numbers are not checked: they pass unchanged. */
const limits = { depth: 1_000, members: 500_000, anyNumber: true };

/** Reads one line of the upstream exactly, so that the gateway sees what the client will read. */
export const readUpstream = (line: Buffer): UpstreamLine => atOnce(readInParts(line));

/** Reads a line or a text; a long one in turns with other work. */
export const readUpstreamInTurns = (line: Buffer | string): Promise<UpstreamLine> => inTurns(readInParts(line));

function* readInParts(line: Buffer | string): Generator<void, UpstreamLine> {
  const read = typeof line === 'string' ? line : readText(line);
  yield;
  const text = read?.startsWith('\uFEFF') ? read.slice(1) : read;
  if (text === null) return { fault: 'it is not UTF-8', id: null };
  const surplus = scanIfTooMany(text, limits.members);
  if (surplus) return { fault: `it has more than ${limits.members} members`, id: surplus.id };
  try {
    yield;
    const value = yield* parseStrictJsonInParts(text, limits);
    return isObject(value) ? { frame: value as Frame, text: text.trim() } : { fault: 'it is not a message', id: null };
  } catch (error) {
    return repairedResult(text) ?? { fault: faultOf(error), id: lenientId(text) };
  }
}

/**
 * Rewrites a result that has half a character or a repeated name, so that every reader reads the same; null if that does not
 * help. Its call has run, and a passed-on result need not be perfect.
 */
function repairedResult(text: string): UpstreamLine | null {
  if (/\d{16}/.test(text)) return null; // a long number would be rounded
  try {
    const value: unknown = JSON.parse(text, (_, member: unknown) =>
      typeof member === 'string' ? member.toWellFormed() : member,
    );
    if (!isObject(value) || !('result' in value) || 'method' in value) return null;
    const again = JSON.stringify(value);
    return { frame: parseStrictJson(again, limits) as Frame, text: again };
  } catch {
    return null;
  }
}

const faultOf = (error: unknown): string =>
  error instanceof Problem ? (error.errors[0]?.message ?? error.message) : 'it cannot be read';
