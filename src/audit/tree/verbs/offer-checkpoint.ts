import { cosignaturesOn, type WitnessAddress } from '../rules/notes/cosignature.ts';
import { consistencyProof } from '../rules/merkle/merkle-tree.ts';
import { nodesIn, proofTiles } from '../rules/merkle/tile.ts';
import { writeOffer } from '../rules/checkpoint/witness-offer.ts';
import { Problem } from '#platform/model/problem/problem';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { provenWord } from './witnessed.ts';

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

/** What C2SP tlog-witness has a witness say, and what its operator or ours can do. */
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
