import { fromBase64 } from './base64.ts';
import { openCheckpoint, type Checkpoint } from './checkpoint.ts';
import { cosignaturesOn, type Cosignature } from './cosignature.ts';
import { leafHash } from './leaf.ts';
import { isIncluded } from './merkle-proof.ts';
import type { NoteVerifier } from './signed-note.ts';

const header = 'c2sp.org/tlog-proof@v1';

export interface Receipt {
  /** The disclosed entry: the bytes that the leaf hash covers. */
  entry: Uint8Array;
  index: number;
  proof: Uint8Array[];
  /** The signed note, verbatim. */
  checkpoint: string;
}

/** A proof that an entry is in the log, as a file (C2SP tlog-proof), with the entry as its extra data. */
export const writeReceipt = ({ entry, index, proof, checkpoint }: Receipt): string =>
  [header, `extra ${base64(entry)}`, `index ${index}`, ...proof.map(base64), '', checkpoint].join('\n');

/** The entry of a receipt that is valid under one of these keys, and the checkpoint that covers it; otherwise null. */
export function openReceipt(
  text: string,
  verifiers: NoteVerifier[],
  witnesses: NoteVerifier[] = [],
): OpenedReceipt | null {
  const receipt = readReceipt(text);
  const checkpoint = receipt && openCheckpoint(receipt.checkpoint, verifiers);
  if (!checkpoint || !isIncluded(leafHash(receipt.entry), receipt.index, receipt.proof, checkpoint)) return null;
  const cosignatures = cosignaturesOn(receipt.checkpoint, witnesses);
  return cosignatures && { entry: receipt.entry, index: receipt.index, checkpoint, cosignatures };
}

export interface OpenedReceipt {
  entry: Buffer;
  index: number;
  checkpoint: Checkpoint;
  /** Of the given witnesses, those who cosigned the checkpoint. */
  cosignatures: Cosignature[];
}

/** The checkpoint in a receipt, as a signed note, or null if this is not a receipt; verifies nothing. */
export const checkpointIn = (text: string): string | null => readReceipt(text)?.checkpoint ?? null;

function readReceipt(text: string) {
  const end = text.indexOf('\n\n');
  const [first, extra = '', index = '', ...lines] = text.slice(0, end).split('\n');
  const entry = extra.startsWith('extra ') ? fromBase64(extra.slice(6)) : null;
  const proof = lines.flatMap((line) => fromBase64(line) ?? []);
  const isWhole = proof.length === lines.length && proof.every(({ length }) => length === 32);
  if (end < 0 || first !== header || !entry || !/^index (0|[1-9]\d*)$/.test(index) || !isWhole) return null;
  return { entry, index: Number(index.slice(6)), proof, checkpoint: text.slice(end + 2) };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
