import { Problem } from '../model/problem.ts';
import { isWellFormed } from './canonical-json.ts';

/** Joins parts so that no other list of parts gives the same bytes: ('ab','c') and ('a','bc') differ. */
export const joinParts = (...parts: readonly (string | Uint8Array)[]): Buffer => Buffer.concat(parts.flatMap(prefix));

function prefix(part: string | Uint8Array): Uint8Array[] {
  const bytes = toBytes(part);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return [length, bytes];
}

function toBytes(part: string | Uint8Array): Uint8Array {
  if (typeof part !== 'string') return part;
  // Lone surrogates all become the same replacement character, and two parts would become one.
  if (!isWellFormed(part)) throw new Problem('INVALID_INPUT', { detail: 'Send valid Unicode in names.' });
  return Buffer.from(part, 'utf8');
}
