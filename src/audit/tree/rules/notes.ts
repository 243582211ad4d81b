import { sha256 } from '#platform/crypto/digest';
import { checkAssertion } from '#access/passkeys/rules';
import type { PasskeyFault } from '#access/passkeys/contract/types';
import { signedVoteText, type DeviceSignature, type SignedVote } from '#requests/voting/contract/votes';
import type { StoredEvent } from '../../entries/rules/entry.ts';
import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { invalidInput } from '#platform/model/problem';

export type VoteEvent = Extract<StoredEvent, { type: 'elicitation.voted' }>;
export type PasskeyEvent = Extract<StoredEvent, { type: 'user.passkey-added' }>;

/** The challenge that a device signs for this vote, in base64url. */
export const voteChallenge = (vote: SignedVote): string => sha256(signedVoteText(vote)).toString('base64url');

/** Signature kept with a vote; null if it is no device signature. */
export function readSignature(text: string): DeviceSignature | null {
  try {
    const { nonce, assertion } = JSON.parse(text) as Partial<DeviceSignature>;
    const parts = [nonce, assertion?.credentialId, assertion?.authenticatorData, assertion?.clientDataJSON];
    const isWhole = [...parts, assertion?.signature].every((part) => typeof part === 'string');
    return isWhole ? (JSON.parse(text) as DeviceSignature) : null;
  } catch {
    return null;
  }
}

/**
 * Fault of the signature of a vote, by the entry of the vote, the kept signature, and the entry that added the passkey;
 * null if this person's device signed exactly this vote.
 */
export async function signatureFault(vote: VoteEvent, text: string, added: PasskeyEvent): Promise<PasskeyFault | null> {
  const kept = readSignature(text);
  if (!kept || sha256(text).toString('hex') !== vote.device?.signature) return 'passkey-malformed';
  const voter = vote.actor.kind === 'user' ? vote.actor.id : '';
  const isTheirs = added.user === voter && added.passkey === vote.device.passkey;
  if (!isTheirs || added.credential !== kept.assertion.credentialId) return 'passkey-unknown';
  const { seen: digest, revision, stage, action, for: absent, allowFor } = vote;
  const challenge = voteChallenge({ digest, revision, stage, action, voter, for: absent, allowFor, nonce: kept.nonce });
  const party = { id: added.site, origin: added.origin };
  const publicKey = Buffer.from(added.publicKey, 'base64url');
  const checked = await checkAssertion(kept.assertion, { challenge, party, publicKey });
  return 'fault' in checked ? checked.fault : null;
}

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

const writeVerifierKey = ({ name, id, publicKey }: NoteVerifier, type: number): string =>
  `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.of(type), rawKey(publicKey)]).toString('base64')}`;

/** Reads a verifier key, or refuses it with `INVALID_INPUT`. */
export function parseVerifierKey(text: string): NoteVerifier {
  const verifier = readVerifierKey(text, ed25519);
  if (verifier) return verifier;
  throw invalidInput(['key'], 'Give an Ed25519 verifier key, as "assentry audit key" prints it.');
}

/** The verifier of this text; null if it is no Ed25519 verifier key of this type. */
function readVerifierKey(text: string, type: number): NoteVerifier | null {
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

/** A witness's line on a checkpoint, which is added to its note. `at` is in milliseconds. */
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

export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** The bytes of standard base64, or null if it is not in canonical form. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return text !== '' && bytes.toString('base64') === text ? bytes : null;
}
