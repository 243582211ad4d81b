import type { Actor } from '#audit/entries/rules/entry';
import { equalBytes } from '#platform/crypto/random';
import { hashSecret } from '#platform/crypto/random';
import type { PageProof } from '../../store/proofs/page-proofs.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';

/** The requester, after their proof. */
export type PageVisitor = Extract<Actor, { kind: 'user' | 'requester' }>;

/** The visitor with this browser secret; null before the proof. A person who was disabled since counts as no one. */
export async function pageVisitor(engine: Engine, { id }: ElicitationRow, secret: string): Promise<PageVisitor | null> {
  const proof = await engine.pageProofs.find(id);
  const isTheirs = proof?.sessionHash ? equalBytes(hashSecret(secret), proof.sessionHash) : false;
  return proof && isTheirs ? actorOf(engine, proof) : null;
}

async function actorOf({ users }: Engine, { userId }: PageProof): Promise<PageVisitor | null> {
  if (userId === null) return { kind: 'requester' };
  const user = await users.byId(userId);
  return user && { kind: 'user', id: user.id };
}
