import { auditEntry } from '../../audit/entry.ts';
import { requestFacts } from '../../audit/events/request-facts.ts';
import { sha256Hex } from '../../crypto/digest.ts';
import { newId } from '../../crypto/random.ts';
import type { ElicitationId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { User } from '../../model/user.ts';
import { sealLookReason } from '../elicitation/sealed-question.ts';
import type { Engine } from '../engine.ts';
import { refuseHidden } from './sight-of.ts';

/** Lets an administrator or reviewer read a request for an hour: the log says so, and keeps a digest of the reason. */
export async function lookAt(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { reason }: { reason: string },
): Promise<void> {
  const row = await engine.reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  await refuseHidden(engine, user, row, 'notice');
  const at = engine.now();
  const sealed = sealLookReason(engine.ring, row, user.id, reason);
  const event = { type: 'access.looked', ...requestFacts(row), elicitation: id, said: sha256Hex(sealed) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.sights.addLook({ elicitationId: id, userId: user.id, reason: sealed, at }, entry);
}
