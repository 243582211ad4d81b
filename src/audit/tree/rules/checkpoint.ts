import { deriveKey, type KeyRing } from '#platform/crypto/key-ring';
import {
  noteSigner,
  type NoteSigner,
  fromBase64,
  readNote,
  type NoteVerifier,
  divideNote,
  openNote,
  signNote,
} from './notes.ts';
import { isConsistent, type TreeHead, rootHash } from './merkle.ts';

/**
 * The keys that sign the log of this name: one for each secret of the ring, the active one first. While an old secret
 * is still in the ring, anyone who trusts its key can still verify. The database holds none of them.
 */
export const logSigners = (ring: KeyRing, origin: string): NoteSigner[] =>
  ring.kids.map((kid) => noteSigner(origin, deriveKey(ring, kid, 'logSign', origin)));

/** A checkpoint as it is offered to a witness (C2SP tlog-witness): it proves that it goes on from the old size. */
interface WitnessOffer {
  oldSize: number;
  proof: Uint8Array[];
  note: string;
}

const maxHashes = 63;

export const writeOffer = ({ oldSize, proof, note }: WitnessOffer): string =>
  [`old ${oldSize}`, ...proof.map((hash) => Buffer.from(hash).toString('base64')), '', note].join('\n');

/** Null if this is not an offer. */
export function readOffer(body: string): WitnessOffer | null {
  const end = body.indexOf('\n\n');
  const [first = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n');
  const oldSize = Number(/^old (0|[1-9]\d*)$/.exec(first)?.[1] ?? Number.NaN);
  const proof = lines.flatMap((line) => fromBase64(line) ?? []);
  const isWhole = proof.length === lines.length && proof.length <= maxHashes && proof.every(isHash);
  return isWhole && Number.isSafeInteger(oldSize) ? { oldSize, proof, note: body.slice(end + 2) } : null;
}

/** Verdict of a witness on an offer: it takes the checkpoint, or refuses with an HTTP status. */
type Verdict = { taken: Checkpoint; text: string } | { status: 400 | 403 | 404 | 422 } | { latest: number };

/**
 * Judges an offer by the logs that the witness knows and by the latest head that it took of this log: only a checkpoint
 * that the log signed, and that contains everything taken before, is taken.
 */
export function judgeOffer(
  offer: WitnessOffer | null,
  logs: NoteVerifier[],
  latestOf: (origin: string) => TreeHead | null,
): Verdict {
  const unsigned = offer && readNote(offer.note, []);
  const checkpoint = unsigned && readCheckpoint(unsigned.text);
  if (!offer || !checkpoint) return { status: 400 };
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) return { status: 404 };
  const opened = readNote(offer.note, keys);
  if (!opened || opened.signers.length === 0) return { status: 403 };
  if (offer.oldSize > checkpoint.size) return { status: 400 };
  const latest = latestOf(checkpoint.origin) ?? empty;
  if (offer.oldSize !== latest.size) return { latest: latest.size };
  const isTree = checkpoint.size > 0 || empty.root.equals(checkpoint.root);
  if (!isTree || !isConsistent(latest, checkpoint, offer.proof)) return { status: 422 };
  return { taken: checkpoint, text: opened.text };
}

const empty = { size: 0, root: rootHash(() => Buffer.alloc(0), 0) };

const isHash = ({ length }: Uint8Array): boolean => length === 32;

/** Verdict on a note that these keys do not prove: with `unknown-key`, a key that is not given may have signed it. */
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
