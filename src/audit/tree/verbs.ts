import {
  cosignaturesOn,
  type WitnessAddress,
  type NoteSigner,
  verifierKey,
  type CosignatureVerifier,
} from './rules/notes.ts';
import { consistencyProof, nodesIn, proofTiles, rootHash, growTiles, type Tile, edgeTiles } from './rules/merkle.ts';
import {
  writeOffer,
  signCheckpoint,
  type Checkpoint,
  type KeptHead,
  logSigners,
  keptHead,
  openCheckpoint,
} from './rules/checkpoint.ts';
import { Problem } from '#platform/model/problem';
import type { Engine } from '#platform/nodes/verbs/engine';
import { headFault } from '../verify/rules.ts';
import type { KeyRing } from '#platform/crypto/key-ring';
import type { LogEnd, MerkleLog, StoredCosignature } from './store.ts';
import { assertMay } from '#people/directory/verbs/may';
import type { User } from '#people/directory/contract/user';
import type { ShownWitness } from '../search/contract.ts';

/** Sends an offer to a witness; rejects if there is no answer. */
export type PostOffer = (witness: WitnessAddress, body: string) => Promise<{ status: number; body: string }>;

/**
 * What came of it. A witness disagrees if it has seen a longer log, or one that this log does not go on from: the
 * database was put back to an older state, or shows another past. One that says that it has seen less than it has cosigned
 * has forgotten it, and would cosign another past: it was put back itself.
 */
export type Offered = 'cosigned' | 'forgot' | 'disagrees' | 'refused';

type OfferEngine = Pick<Engine, 'merkleLog' | 'cosignatures'>;

/** Offers the latest head to a witness, and keeps its cosignature. Null if there is no head yet; problem `unavailable` if it refuses. */
export async function offerCheckpoint(
  engine: OfferEngine,
  witness: WitnessAddress,
  post: PostOffer,
): Promise<Offered | null> {
  const head = await engine.merkleLog.latest();
  if (!head) return null;
  const { name } = witness.verifier;
  const stored = (await engine.cosignatures.all()).find((word) => word.witness === name);
  const first = await offer(engine, witness, { post, head, from: Math.min(stored?.size ?? 0, head.size) });
  const theirs = first.status === 409 ? Number(/^(0|[1-9]\d*)\n$/.exec(first.body)?.[1] ?? Number.NaN) : null;
  if (theirs !== null && !(theirs <= head.size)) return isAhead(engine, theirs);
  const answer = theirs === null ? first : await offer(engine, witness, { post, head, from: theirs });
  if (answer.status === 422) return 'disagrees';
  const [cosignature] = (answer.status === 200 && cosignaturesOn(head.note + answer.body, [witness.verifier])) || [];
  if (!cosignature) throw new Problem('unavailable', { detail: remedyFor(answer.status) });
  await engine.cosignatures.keep({ witness: name, size: head.size, line: cosignature.line });
  const word = stored && provenWord(stored, witness.verifier);
  return word && theirs !== null && theirs < word.size ? 'forgot' : 'cosigned';
}

/** Remedies for answers of a witness by C2SP tlog-witness, for its operator or ours. */
const remedies: Partial<Record<number, string>> = {
  200: 'Compare its key with the one in ASSENTRY_WITNESSES: its answer has no cosignature by that key.',
  403: 'Give the witness the key that "assentry audit key" prints: it takes none of those that signed the head.',
  404: 'Name this log to the witness: it serves none of this name.',
};

const remedyFor = (status: number): string => remedies[status] ?? `Ask its operator: it answered with ${status}.`;

/** Another node may have offered a later head meanwhile. */
async function isAhead({ merkleLog }: OfferEngine, theirs: number): Promise<Offered> {
  const latest = await merkleLog.latest();
  return Number.isNaN(theirs) || (latest && latest.size >= theirs) ? 'refused' : 'disagrees';
}

interface Offering {
  post: PostOffer;
  head: { size: number; note: string };
  from: number;
}

async function offer({ merkleLog }: OfferEngine, witness: WitnessAddress, { post, head, from }: Offering) {
  const tiles = from === 0 ? [] : await merkleLog.tiles(proofTiles(from - 1, head.size));
  const proof = consistencyProof(nodesIn(tiles), from, head.size);
  return post(witness, writeOffer({ oldSize: from, proof, note: head.note }));
}

/** The most entries that get their places in one commit. */
const batchSize = 4096;

/**
 * Gives waiting entries their places in the log and signs its new head, each time it is called. Safe on any number of
 * nodes at once; a node that dies in between loses and doubles nothing. Says whether there may be more to do. Problem
 * `proof-invalid`, and nothing is signed, if the log as it stands is not what was signed, or takes back what was signed
 * here or kept: anyone who can write to the database gets no signature for another past.
 */
export function createSequencer(
  { merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>,
  kept: KeptHead | null = null,
): () => Promise<boolean> {
  let signed = kept;
  let own: Own | undefined;
  return async () => {
    if (!(await merkleLog.isWaiting())) return false;
    if (own?.kids !== ring.kids) own = await ownKeys(merkleLog, ring);
    const { origin, signers } = own;
    let grown = signed;
    const count = await merkleLog.append(batchSize, signed?.size ?? 0, (end, leaves) => {
      const fault = headFault(end, { origin, verifiers: signers, nodes: nodesIn(end.tiles) }, signed);
      if (fault !== null) throw new Problem('proof-invalid', { detail: fault });
      const { tiles, head } = growLog(origin, end, leaves);
      const note = signCheckpoint(head, signers);
      grown = { ...head, note };
      return { tiles, note };
    });
    signed = grown;
    return count === null || count === batchSize;
  };
}

/** The log's name, which never changes, and what signs under the secrets of this moment. */
interface Own {
  kids: readonly string[];
  origin: string;
  signers: NoteSigner[];
}

async function ownKeys(merkleLog: Pick<MerkleLog, 'origin'>, ring: KeyRing): Promise<Own> {
  const origin = await merkleLog.origin();
  return { kids: ring.kids, origin, signers: logSigners(ring, origin) };
}

function growLog(origin: string, end: LogEnd, leaves: Buffer[]): { tiles: Tile[]; head: Checkpoint } {
  const { size } = end;
  const tiles = growTiles(end.tiles, size, leaves);
  const grown = size + leaves.length;
  // If a tile has grown, the last version counts.
  return { tiles, head: { origin, size: grown, root: rootHash(nodesIn([...end.tiles, ...tiles]), grown) } };
}

/**
 * The head of the log as it stands, or null before the first. Problem `proof-invalid` if it does not go on from the head
 * that was kept: the log was cut off, emptied, written again, or is another one.
 */
export async function checkHead(
  { merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>,
  kept: KeptHead | null,
): Promise<KeptHead | null> {
  const origin = await merkleLog.origin();
  if (kept && kept.origin !== origin) throw faulty(`This is the log ${origin}, but a head of ${kept.origin} was kept.`);
  const { size, note } = (await merkleLog.latest()) ?? { size: 0, note: null };
  const isLonger = kept !== null && kept.size > 0 && kept.size <= size;
  const tiles = await merkleLog.tiles(isLonger ? proofTiles(kept.size - 1, size) : edgeTiles(size));
  const log = { origin, verifiers: logSigners(ring, origin), nodes: nodesIn(tiles) };
  const fault = faultIn(() => headFault({ size, note }, log, kept));
  if (fault !== null) throw faulty(fault);
  return note === null ? null : keptHead(note);
}

/** A tree of which a part is gone has no root. */
function faultIn(check: () => string | null): string | null {
  try {
    return check();
  } catch {
    return 'Tiles of the log are gone or too short.';
  }
}

const faulty = (detail: string): Problem => new Problem('proof-invalid', { detail });

/** Keys that verify this installation's log: one for each of its secrets, the active one first. */
export async function showLogKeys({ merkleLog, ring }: Pick<Engine, 'merkleLog' | 'ring'>) {
  const origin = await merkleLog.origin();
  const keys = logSigners(ring, origin).map((signer, at) => ({ kid: ring.kids[at] ?? '', key: verifierKey(signer) }));
  return { origin, keys };
}

/** A witness's view of the log, and its time. */
export interface Witnessed {
  name: string;
  size: number;
  at: number;
}

/** The latest word of a witness, with the line that proves it. */
type ProvenWord = Witnessed & { line: string; note: string };

type WitnessedEngine = Pick<Engine, 'cosignatures' | 'merkleLog' | 'ring' | 'witnesses'>;

/** Latest word of each witness, by its own key; one whose word does not hold is left out. */
async function readWitnessed(engine: WitnessedEngine): Promise<ProvenWord[]> {
  if (engine.witnesses.length === 0) return [];
  const [origin, stored] = await Promise.all([engine.merkleLog.origin(), engine.cosignatures.all()]);
  const signers = logSigners(engine.ring, origin);
  return stored.flatMap((word) => {
    const verifier = engine.witnesses.find((witness) => witness.verifier.name === word.witness)?.verifier;
    const proven = verifier ? provenWord(word, verifier) : null;
    return proven && openCheckpoint(word.note, signers)?.size === word.size ? [proven] : [];
  });
}

/** Null unless this witness cosigned the checkpoint. */
export function provenWord({ size, line, note }: StoredCosignature, verifier: CosignatureVerifier): ProvenWord | null {
  const [cosignature] = cosignaturesOn(note + line, [verifier]) ?? [];
  return cosignature ? { name: verifier.name, size, at: cosignature.at, line: cosignature.line, note } : null;
}

/** Every witness that this node asks, for administrators and reviewers. */
export async function showWitnesses(engine: WitnessedEngine, user: User): Promise<ShownWitness[]> {
  assertMay(user, 'read-log');
  return listWitnesses(engine);
}

/** Lists witnesses without asking who reads them. */
export async function listWitnesses(engine: WitnessedEngine): Promise<ShownWitness[]> {
  const words = await readWitnessed(engine);
  return engine.witnesses.map(({ verifier: { name } }) => {
    const word = words.find((each) => each.name === name);
    return { name, size: word?.size ?? null, at: word?.at ?? null };
  });
}

/** The head that most witnesses cosigned of those that cover this entry, with their lines; null if there is none. */
export async function witnessedHead(
  engine: WitnessedEngine,
  index: number,
): Promise<{ size: number; note: string } | null> {
  const words = (await readWitnessed(engine)).filter(({ size }) => size > index);
  const agreeing = (size: number): ProvenWord[] => words.filter((word) => word.size === size);
  const [size] = words
    .map((word) => word.size)
    .sort((size, other) => agreeing(other).length - agreeing(size).length || other - size);
  const chosen = size === undefined ? [] : agreeing(size);
  const [first] = chosen;
  return first ? { size: first.size, note: first.note + chosen.map(({ line }) => line).join('') } : null;
}
