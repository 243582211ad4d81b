import { atOnce } from '#platform/crypto/in-turns/at-once';
import { parseStrictJson, parseStrictJsonInParts } from '#platform/crypto/strict-json';
import { Problem } from '#platform/model/problem/problem';
import { isObject, type Frame, type FrameId } from '../frame/frame.ts';
import { inTurns } from '#platform/crypto/in-turns/in-turns';
import { lenientId, readText } from './read-text.ts';
import { scanIfTooMany } from '../frame/scan-json.ts';

/** What the upstream sent: a message that passes as it came unless it is changed, or one that two readers could read differently. */
export type UpstreamLine =
  | {
      frame: Frame;
      text: string;
      /** Set if the gateway says it in place of a server that has ended. */
      isOwn?: true;
    }
  | { fault: string; id: FrameId | null };

/** Its numbers are not looked at: they pass as they came. */
const limits = { depth: 1_000, members: 500_000, anyNumber: true };

/** Reads one line of the upstream, exactly, so that the gateway has seen what the client will read. */
export const readUpstream = (line: Buffer): UpstreamLine => atOnce(readInParts(line));

/** The same, also of a text, with turns for everything else in between, if it is long. */
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
 * A result with half a character or a repeated name, written again so that every reader reads the same; null if that
 * mends it not. Its call has run, and what is only passed on need not be perfect.
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
