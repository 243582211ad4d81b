import { openCheckpoint, type Checkpoint } from '../../tree/rules/checkpoint/checkpoint.ts';
import { assertServersOf } from '#policies/deciding/verbs/rules/assert-may';
import { entryIn, type StoredEvent } from '../../entries/rules/entry/entry.ts';
import { createEvidence } from '../../entries/rules/evidence/evidence.ts';
import { leafHash } from '../../entries/rules/entry/leaf.ts';
import { logSigners } from '../../tree/rules/checkpoint/log-keys.ts';
import { isIncluded } from '../../tree/rules/merkle/merkle-proof.ts';
import { inclusionProof } from '../../tree/rules/merkle/merkle-tree.ts';
import { recordOf, type RequestRecord } from '../../entries/rules/entry/request-record.ts';
import { nodesIn, proofTiles, rememberNodes } from '../../tree/rules/merkle/tile.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import type { ProofState } from '../../reports/contract/report.ts';
import type { User } from '#people/directory/contract/user';
import type { PlacedBody } from '../store/entry-search.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { namesIn } from '../../verify/verbs/verify-state/names-in.ts';

interface ProvenRecord extends RequestRecord {
  id: ElicitationId;
  /** An entry is null if it cannot be read. */
  entries: { place: number | null; proof: ProofState; entry: StoredEvent | null }[];
  names: Record<string, string>;
  /** The signed head that the entries were verified against, its root in base64; null before the first. */
  head: { size: number; root: string } | null;
}

type RecordEngine = Pick<Engine, 'directory' | 'reader' | 'access' | 'entries' | 'merkleLog' | 'ring' | 'rules'>;

/**
 * Everything the log says about one request, for administrators and reviewers, everywhere or of the server's space: each
 * entry verified against the signed head, and what follows from them. No content. An entry says who read it first.
 */
export async function showRecord(engine: RecordEngine, user: User, id: ElicitationId): Promise<ProvenRecord> {
  await assertReadable(engine, user, id);
  const by = { kind: 'user', id: user.id } as const;
  await engine.access.recordAccess({ type: 'access.listed', what: 'log', by, about: [`request=${id}`] });
  const bodies = await engine.entries.about(id);
  const entries = bodies.map(({ body }) => entryIn(body));
  const record = recordOf(entries.filter((entry) => entry !== null));
  if (!record) throw new Problem(entries.includes(null) ? 'unproven' : 'not-found');
  const { head, proofs } = await proofsOf(engine, bodies);
  return {
    id,
    ...record,
    entries: bodies.map(({ place }, at) => ({ place, proof: proofs[at]!, entry: entries[at] ?? null })),
    names: namesIn(bodies, (await engine.rules.users()).names),
    head: head && { size: head.size, root: Buffer.from(head.root).toString('base64') },
  };
}

/** Of a request of another space, what is answered is the same as of none. */
async function assertReadable({ directory, reader }: RecordEngine, user: User, id: ElicitationId): Promise<void> {
  const among = assertServersOf(await directory.read(), user, 'read-log');
  if (among === null) return;
  const row = await reader.elicitation(id);
  if (!row || !among.includes(row.serverId)) throw new Problem('not-found');
}

/** The head is read after the places, so that it covers them. */
async function proofsOf(
  { merkleLog, ring }: RecordEngine,
  bodies: PlacedBody[],
): Promise<{ head: Checkpoint | null; proofs: ProofState[] }> {
  const latest = await merkleLog.latest();
  const head = latest && openCheckpoint(latest.note, logSigners(ring, await merkleLog.origin()));
  const places = bodies.flatMap(({ place }) => (head && place !== null ? proofTiles(place, head.size) : []));
  const nodes = rememberNodes(nodesIn(await merkleLog.tiles(places)));
  const evidence = createEvidence(ring, () => {});
  const stateOf = (entry: PlacedBody): ProofState => {
    if (entry.place === null) return evidence.open(entry) ? 'waiting' : 'broken';
    return head && isProven(entry.body, entry.place, head, nodes) ? 'verified' : 'broken';
  };
  return { head, proofs: bodies.map(stateOf) };
}

/** A tile that is missing proves nothing. */
function isProven(body: Uint8Array, place: number, head: Checkpoint, nodes: ReturnType<typeof nodesIn>): boolean {
  try {
    return isIncluded(leafHash(body), place, inclusionProof(nodes, place, head.size), head);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
