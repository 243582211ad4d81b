import type { Actor } from '#core/audit/entry';
import { equalBytes } from '#core/crypto/compare';
import { hashSecret } from '#core/crypto/one-time-secret';
import type { PageProof } from '../../store/elicitation/page-proofs.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import type { Engine } from '../engine.ts';
import { maxAttempts } from './prove-requester.ts';

export interface PageVisitor {
  /** The requester, after their proof; otherwise null. */
  actor: Extract<Actor, { kind: 'user' | 'requester' }> | null;
  /** The page accepts no further code: one was right, or too many were wrong. */
  isLocked: boolean;
}

/** The visitor with this browser secret. A person who was disabled since counts as no one. */
export async function pageVisitor(engine: Engine, { id }: ElicitationRow, secret: string): Promise<PageVisitor> {
  const proof = await engine.pageProofs.find(id);
  const isLocked = proof !== null && (proof.sessionHash !== null || proof.attempts >= maxAttempts);
  const isTheirs = proof?.sessionHash ? equalBytes(hashSecret(secret), proof.sessionHash) : false;
  return { actor: proof && isTheirs ? await actorOf(engine, proof) : null, isLocked };
}

async function actorOf({ users }: Engine, { userId }: PageProof): Promise<PageVisitor['actor']> {
  if (userId === null) return { kind: 'requester' };
  const user = await users.byId(userId);
  return user && { kind: 'user', id: user.id };
}
