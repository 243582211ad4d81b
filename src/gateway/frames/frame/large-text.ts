import { isObject, textOfFrame, type Frame } from './frame.ts';
import { inTurns } from '#platform/crypto/in-turns/in-turns';

/** Characters and members from which on a message is written in turns. */
const large = 1024 * 1024;
/** Characters that are written at once. */
const part = 64 * 1024;
const membersAtOnce = 500;

/** The text of a frame, as `textOfFrame` writes it; of a large one with turns for others in between. */
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
