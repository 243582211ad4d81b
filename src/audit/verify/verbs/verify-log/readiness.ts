import { latestProof, type ProofReader, type StandingProof } from './standing-proof.ts';

/** Rejects with `database-unavailable` if the database does not answer; else the latest proof of the log, if any. */
export type CheckReadiness = () => Promise<StandingProof | null>;

/** Those who ask while one is being answered share its answer: however many ask, one statement is under way. */
export function createReadiness(reader: ProofReader): CheckReadiness {
  let current: Promise<StandingProof | null> | null = null;
  return () => (current ??= latestProof(reader).finally(() => (current = null)));
}
