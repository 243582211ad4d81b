import { fromBase64 } from '../notes/base64.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { isConsistent, type TreeHead } from '../merkle/merkle-proof.ts';
import { rootHash } from '../merkle/merkle-tree.ts';
import { readNote, type NoteVerifier } from '../notes/signed-note.ts';

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

/** What a witness does with an offer: it takes the checkpoint, or refuses with an HTTP status. */
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
