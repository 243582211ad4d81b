import { sign, verify } from 'node:crypto';
import { invalidInput } from '#platform/model/problem/problem';
import {
  divideNote,
  noteSigner,
  readVerifierKey,
  writeSignature,
  writeVerifierKey,
  type NoteSigner,
  type NoteVerifier,
} from './signed-note.ts';

/*
 * Cosignatures of witnesses (C2SP tlog-cosignature, version 1 with Ed25519): type 0x04. The signature is eight bytes of
 * time, in seconds, and 64 bytes over that time and the text of the checkpoint.
 */
const type = 4;
const timeLength = 8;
const signatureLength = timeLength + 64;

type Cosigner = NoteSigner;
export type CosignatureVerifier = NoteVerifier;

/** A witness that this installation asks. */
export interface WitnessAddress {
  verifier: CosignatureVerifier;
  /** Without a slash at the end. */
  url: string;
}

/** The witness of this name with the 32-byte Ed25519 seed. */
export const cosigner = (name: string, seed: Uint8Array): Cosigner => noteSigner(name, seed, type);

/** The verifier key of a witness, as text. */
export const cosignerKey = (witness: CosignatureVerifier): string => writeVerifierKey(witness, type);

/** Reads the verifier key of a witness, or refuses it with `INVALID_INPUT`. */
export function parseCosignerKey(text: string): CosignatureVerifier {
  const verifier = readVerifierKey(text, type);
  if (verifier) return verifier;
  const message = 'Give the Ed25519 key of a witness, as it prints it when it starts.';
  throw invalidInput(['witness'], message);
}

/** What a witness says of a checkpoint, as the line that is added to its note. `at` is in milliseconds. */
export function cosign(text: string, { name, id, privateKey }: Cosigner, at: number): string {
  const seconds = BigInt(Math.floor(at / 1000));
  const time = Buffer.alloc(timeLength);
  time.writeBigUInt64BE(seconds);
  return writeSignature({
    name,
    id,
    signature: Buffer.concat([time, sign(null, cosignedBytes(text, seconds), privateKey)]),
  });
}

export interface Cosignature {
  witness: CosignatureVerifier;
  /** Milliseconds. */
  at: number;
  /** As it is in the note. */
  line: string;
}

/**
 * The valid cosignatures of these witnesses on a note. Null if it is not a note, or if a cosignature that claims to be
 * theirs is invalid; signatures of others are ignored.
 */
export function cosignaturesOn(note: string, witnesses: CosignatureVerifier[]): Cosignature[] | null {
  const divided = divideNote(note);
  if (!divided) return null;
  const cosignatures: Cosignature[] = [];
  for (const line of divided.lines) {
    const witness = witnesses.find(({ name, id }) => name === line.name && id.equals(line.id));
    if (!witness) continue;
    const seconds = timeOf(line.signature);
    if (seconds === null) return null;
    const bytes = cosignedBytes(divided.text, seconds);
    if (!verify(null, bytes, witness.publicKey, line.signature.subarray(timeLength))) return null;
    cosignatures.push({ witness, at: Number(seconds) * 1000, line: writeSignature(line) });
  }
  return cosignatures;
}

/** Null if this cannot be a cosignature: a time of zero says nothing of when. */
function timeOf(signature: Buffer): bigint | null {
  if (signature.length !== signatureLength) return null;
  const seconds = signature.readBigUInt64BE();
  return seconds > 0n && seconds <= latest ? seconds : null;
}

/** Milliseconds as a number stay exact up to here. */
const latest = BigInt(Math.floor(Number.MAX_SAFE_INTEGER / 1000));

const cosignedBytes = (text: string, seconds: bigint): Buffer =>
  Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);
