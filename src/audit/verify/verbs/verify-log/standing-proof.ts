import { auditEntry } from '../../../entries/rules/entry/entry.ts';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import { logSigners } from '../../../tree/rules/checkpoint/log-keys.ts';
import { closeBox, openBox } from '#platform/crypto/key-ring/ring-box';
import { newId } from '#platform/crypto/random/random';
import { Problem } from '#platform/model/problem/problem';
import type { User } from '#people/directory/contract/user';
import type { Snapshot } from '#platform/database/snapshot/snapshot';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import { beginCheck, continueCheck, type Check } from './verify-log.ts';
import { verifyState } from '../verify-state/verify-state.ts';

/** What a node has found out about the log and the rows that follow from it. */
export interface StandingProof {
  /** So many entries were verified. */
  size: number;
  at: number;
  isWhole: boolean;
}

type ProofEngine = Pick<Engine, 'nodes' | 'readLog' | 'ring' | 'now' | 'accessLog'>;

/** What reads the proofs of all nodes. */
export interface ProofReader {
  nodes: Pick<Engine['nodes'], 'proofs'>;
  ring: Engine['ring'];
}

/** Milliseconds. */
const day = 86_400_000;
/** Milliseconds after which everything is verified again from the first entry, and every row compared with the log. */
const wholeIntervalMs = 3_600_000;

/**
 * Verifies what the log has grown by, each time it is called: of all living nodes one does. Now and then it begins
 * again, and compares every row. The result is sealed where every node reads it, and an entry if it changed. Returns the
 * first fault as a sentence; null if there is none, or another node looks.
 */
export function createStandingProof(engine: ProofEngine, node: string): () => Promise<string | null> {
  const { nodes, readLog, ring, now } = engine;
  let lastRound: Round | null = null;
  return async () => {
    if ((await nodes.live())[0]?.id !== node) {
      lastRound = null;
      return null;
    }
    const at = now();
    const current = lastRound && at < lastRound.begunAt + wholeIntervalMs ? lastRound : null;
    const { round, fault } = await readLog(async (snapshot) => {
      const next = current ?? { begunAt: at, check: beginCheck(ring, snapshot.origin, { keys: [], kept: [] }) };
      return { round: next, fault: await faultOf(engine, snapshot, next.check, current === null) };
    });
    const proof = { size: round.check.size, at, isWhole: fault === null };
    await keep(engine, node, proof);
    await recordProof(engine, proof);
    lastRound = fault === null ? round : null; // what is repaired is seen at the next look
    return fault;
  };
}

interface Round {
  begunAt: number;
  check: Check;
}

/** The first fault of what the log has grown by, and of the rows too if they are to be compared. */
async function faultOf(
  { ring }: Pick<Engine, 'ring'>,
  snapshot: Snapshot,
  check: Check,
  withRows: boolean,
): Promise<string | null> {
  check.verifiers = logSigners(ring, snapshot.origin); // a secret may have been added since
  await continueCheck(snapshot, check);
  return check.fault ?? (withRows ? (await verifyState({ ring }, snapshot)).fault : null);
}

const keep = ({ nodes, ring }: ProofEngine, node: string, proof: StandingProof): Promise<void> =>
  nodes.keepProof(node, closeBox(ring, 'proof', [node], JSON.stringify(proof)));

/** An entry when the result changes, and once a day, so that entries about looks cause none. The operator's runs count too. */
function recordProof({ accessLog }: ProofEngine, { size, at, isWhole }: StandingProof): Promise<void> {
  const entry = auditEntry(newId('entry'), at, { kind: 'timer' }, { type: 'log.verified', size, isWhole });
  return accessLog.appendUnless(
    entry,
    (latest) => latest.type === 'log.verified' && latest.isWhole === isWhole && at < Date.parse(latest.at) + day,
  );
}

/** The latest result of any living node; null before the first, or if none was written by a node. */
export async function latestProof({ nodes, ring }: ProofReader): Promise<StandingProof | null> {
  const proofs = (await nodes.proofs()).flatMap(({ id, proof }) => open(ring, id, proof) ?? []);
  return proofs.toSorted((proof, other) => other.at - proof.at)[0] ?? null;
}

/** The same for administrators and reviewers. */
export function showProof(engine: Pick<Engine, 'nodes' | 'ring'>, user: User): Promise<StandingProof | null> {
  assertMay(user, 'read-log');
  return latestProof(engine);
}

/** Null for one that no node wrote, or under a secret that is gone. */
function open(ring: Engine['ring'], node: string, box: Uint8Array): StandingProof | null {
  try {
    return JSON.parse(openBox(ring, 'proof', [node], box).toString('utf8')) as StandingProof;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}
