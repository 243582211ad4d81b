import { openCheckpoint } from '../rules/checkpoint/checkpoint.ts';
import { assertMay } from '#policies/deciding/verbs/rules/assert-may';
import { cosignaturesOn, type CosignatureVerifier } from '../rules/notes/cosignature.ts';
import { logSigners } from '../rules/checkpoint/log-keys.ts';
import type { User } from '#people/directory/contract/user';
import type { StoredCosignature } from '../store/cosignatures.ts';
import type { Engine } from '#platform/nodes/verbs/engine/engine';
import type { ShownWitness } from '#platform/nodes/verbs/health';

/** How far a witness has seen the log, and when. */
export interface Witnessed {
  name: string;
  size: number;
  at: number;
}

/** The latest word of a witness, with the line that proves it. */
type ProvenWord = Witnessed & { line: string; note: string };

type WitnessedEngine = Pick<Engine, 'cosignatures' | 'merkleLog' | 'ring' | 'witnesses'>;

/** What each witness said last, by its own key; one whose word does not hold is left out. */
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

/** The same without asking who reads it. */
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
