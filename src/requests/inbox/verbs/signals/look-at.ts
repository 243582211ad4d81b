import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import { sealLookReason } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertVisible } from '../visibility/visible-of.ts';

/** Lets an administrator or reviewer read a request for an hour: the log says so, and keeps a digest of the reason. */
export async function lookAt(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { reason }: { reason: string },
): Promise<void> {
  const row = await engine.reader.elicitation(id);
  if (!row) throw new Problem('not-found');
  await assertVisible(engine, user, row, 'notice');
  const at = engine.now();
  const sealed = sealLookReason(engine.ring, row, user.id, reason);
  const event = { type: 'access.looked', ...requestFacts(row), elicitation: id, said: sha256Hex(sealed) } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  await engine.visibility.addLook({ elicitationId: id, userId: user.id, reason: sealed, at }, entry);
}
