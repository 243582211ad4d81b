import { keptHead } from './checkpoint.ts';
import { divideNote, type NoteVerifier } from '../notes/signed-note.ts';

/** What is known of something that these keys do not prove: with `unknown-key`, a key that is not given may have signed it. */
export interface NoteVerdict {
  verdict: 'altered' | 'not-ours' | 'unknown-key';
  /** The log that it says it is of. */
  origin: string;
}

/** Why a checkpoint, or what it is to prove, does not hold under these keys; null if it is no checkpoint. */
export function judgeNote(note: string, verifiers: readonly NoteVerifier[]): NoteVerdict | null {
  const origin = keptHead(note)?.origin;
  if (origin === undefined) return null;
  const own = verifiers.filter(({ name }) => name === origin);
  if (own.length === 0) return { verdict: 'not-ours', origin };
  const isSigned = divideNote(note)?.lines.some((line) => own.some(({ id }) => id.equals(line.id)));
  return { verdict: isSigned ? 'altered' : 'unknown-key', origin };
}
