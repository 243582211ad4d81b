import { fromBase64 } from '../notes/base64.ts';
import type { TreeHead } from '../merkle/merkle-proof.ts';
import { openNote, readNote, signNote, type NoteSigner, type NoteVerifier } from '../notes/signed-note.ts';

/** A signed tree head (C2SP tlog-checkpoint): which log, how many entries, and the root over them. */
export interface Checkpoint extends TreeHead {
  origin: string;
}

/** A head as it was signed, for later comparison. */
export interface KeptHead extends Checkpoint {
  note: string;
}

export const signCheckpoint = ({ origin, size, root }: Checkpoint, signers: NoteSigner[]): string =>
  signNote(`${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`, signers);

/** The checkpoint of a note that one of these keys signed in the log's own name; otherwise null. */
export function openCheckpoint(note: string, verifiers: NoteVerifier[]): Checkpoint | null {
  const opened = openNote(note, verifiers);
  const checkpoint = opened && readCheckpoint(opened.text);
  return checkpoint && opened.signers.some(({ name }) => name === checkpoint.origin) ? checkpoint : null;
}

/** The head of this note, no matter who signed it; null if it is not a checkpoint. */
export function keptHead(note: string): KeptHead | null {
  const checkpoint = readCheckpoint(readNote(note, [])?.text ?? '');
  return checkpoint && { ...checkpoint, note };
}

/** Reads the text of a checkpoint; nothing is verified. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [, origin, size = '', encoded = ''] =
    /^([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/=]+)\n(?:[^\n]+\n)*$/.exec(text) ?? [];
  const root = fromBase64(encoded);
  if (origin === undefined || root?.length !== 32 || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root };
}
