import { Problem } from '../../model/problem/problem.ts';
import { isWellFormed } from './canonical-json.ts';

/** Joins parts so that no other list of parts gives the same bytes: ('ab','c') and ('a','bc') differ. */
export function joinParts(...parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.map(toBytes);
  const joined = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + 4 + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, joined.writeUInt32BE(piece.length, end));
    end += 4 + piece.length;
  }
  return joined;
}

function toBytes(part: string | Uint8Array): Uint8Array {
  if (typeof part !== 'string') return part;
  // Lone surrogates all become the same replacement character, and two parts would become one.
  if (!isWellFormed(part)) throw new Problem('INVALID_INPUT', { detail: 'Send valid Unicode in names.' });
  return Buffer.from(part, 'utf8');
}
