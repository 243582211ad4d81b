import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { invalidInput } from '#platform/model/problem/problem';
import { fromBase64 } from './base64.ts';

/*
 * Signed notes (C2SP signed-note): a text, an empty line, and signature lines `— name base64(key id ‖ signature)`.
 * Only Ed25519, signature type 0x01.
 */
const ed25519 = 1;
/** Signature lines in a note at most; the format asks for at least 16. */
const maxSignatures = 32;

export interface NoteVerifier {
  name: string;
  id: Buffer;
  publicKey: KeyObject;
}

export interface NoteSigner extends NoteVerifier {
  privateKey: KeyObject;
}

interface OpenedNote {
  text: string;
  signers: NoteVerifier[];
}

/** The signer of this name with the 32-byte Ed25519 seed; `type` says what its signatures cover. */
export function noteSigner(name: string, seed: Uint8Array, type = ed25519): NoteSigner {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  return { name, id: keyId(name, rawKey(publicKey), type), publicKey, privateKey };
}

/** The verifier key as text: `name+id+base64(type ‖ key)`. */
export const verifierKey = (verifier: NoteVerifier): string => writeVerifierKey(verifier, ed25519);

export const writeVerifierKey = ({ name, id, publicKey }: NoteVerifier, type: number): string =>
  `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), rawKey(publicKey)]).toString('base64')}`;

/** Reads a verifier key, or refuses it with `INVALID_INPUT`. */
export function parseVerifierKey(text: string): NoteVerifier {
  const verifier = readVerifierKey(text, ed25519);
  if (verifier) return verifier;
  throw invalidInput(['key'], 'Give an Ed25519 verifier key, as "assentry audit key" prints it.');
}

/** The verifier of this text; null if it is no Ed25519 verifier key of this type. */
export function readVerifierKey(text: string, type: number): NoteVerifier | null {
  const [, name = '', id = '', encoded = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const key = bytes?.subarray(1);
  if (bytes?.[0] !== type || key?.length !== 32 || keyId(name, key, type).toString('hex') !== id) return null;
  const x = key.toString('base64url');
  return {
    name,
    id: Buffer.from(id, 'hex'),
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
  };
}

/** The note: the text, which ends with a newline, signed by each. */
export const signNote = (text: string, signers: NoteSigner[]): string =>
  `${text}\n${signers.map((signer) => signatureLine(text, signer)).join('')}`;

/**
 * The text of a note and which of these signed it, possibly none. Null if it is not a note, or if a signature that
 * claims to be theirs is invalid; signatures of others are ignored.
 */
export function readNote(note: string, verifiers: NoteVerifier[]): OpenedNote | null {
  const divided = divideNote(note);
  if (!divided) return null;
  const { text, lines } = divided;
  const signers: NoteVerifier[] = [];
  for (const line of lines) {
    const verifier = verifiers.find(({ name, id }) => name === line.name && id.equals(line.id));
    if (verifier && !verify(null, Buffer.from(text), verifier.publicKey, line.signature)) return null;
    if (verifier) signers.push(verifier);
  }
  return { text, signers };
}

/** The text of a note and its signature lines, of which nothing is verified; null if it is not a note. */
export function divideNote(note: string): { text: string; lines: SignatureLine[] } | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || !isPlain(note)) return null;
  const lines = note
    .slice(end + 2, -1)
    .split('\n')
    .flatMap((line) => parseSignature(line) ?? []);
  const isWhole = lines.length === note.slice(end + 2, -1).split('\n').length && lines.length <= maxSignatures;
  return isWhole ? { text: note.slice(0, end + 1), lines } : null;
}

export interface SignatureLine {
  name: string;
  id: Buffer;
  signature: Buffer;
}

export const writeSignature = ({ name, id, signature }: SignatureLine): string =>
  `— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;

/** Like `readNote`, but null if none of these signed it. */
export function openNote(note: string, verifiers: NoteVerifier[]): OpenedNote | null {
  const opened = readNote(note, verifiers);
  return opened && opened.signers.length > 0 ? opened : null;
}

/** PKCS#8 (RFC 8410) up to the seed. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const rawKey = (key: KeyObject): Buffer => Buffer.from(String(key.export({ format: 'jwk' }).x), 'base64url');

const keyId = (name: string, key: Uint8Array, type: number): Buffer =>
  createHash('sha256').update(`${name}\n`).update(Buffer.of(type)).update(key).digest().subarray(0, 4);

const signatureLine = (text: string, { name, id, privateKey }: NoteSigner): string =>
  writeSignature({ name, id, signature: sign(null, Buffer.from(text), privateKey) });

function parseSignature(line: string): SignatureLine | null {
  const [, name, encoded = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (name === undefined || !bytes || bytes.length <= 4) return null;
  return { name, id: bytes.subarray(0, 4), signature: bytes.subarray(4) };
}

/** No control characters but the ends of lines. */
const isPlain = (note: string): boolean => [...note].every((character) => character >= ' ' || character === '\n');
