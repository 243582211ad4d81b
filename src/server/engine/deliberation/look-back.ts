import { assertMay } from '../assert-may.ts';
import { auditEntry } from '#core/audit/entry';
import { requestFacts } from '#core/audit/events/request-facts';
import { sha256Hex } from '#core/crypto/digest';
import { newId } from '#core/crypto/random';
import type { ElicitationId } from '#protocol/model/id';
import { Problem } from '#protocol/model/problem';
import type { User } from '#protocol/model/user';
import type { ListedLookBack } from '../../store/elicitation/proceedings.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';
import { requestersOf } from '../elicitation/requesters.ts';
import { cells, type LookBackFinding } from '../elicitation/sealed-question.ts';
import type { Engine } from '../engine.ts';
import { timeAfter } from '../time-after.ts';

/**
 * Says whether people should have been asked about a request that its policy allowed; once, by someone who may read it
 * and did not request it. What ran stays as it is: the entry is for those who look after the policy.
 */
export async function reviewLookBack(
  engine: Engine,
  user: User,
  id: ElicitationId,
  finding: LookBackFinding,
): Promise<void> {
  const [row, lookBack] = await Promise.all([engine.reader.elicitation(id), engine.proceedings.lookBack(id)]);
  if (!row) throw new Problem('not-found');
  const requesters = requestersOf(engine, row, await engine.rules.users());
  assertNoObjection(against.reviewLookBack(user, row, { requesters, lookBack }));
  const sealed = cells.lookBack.seal(engine.ring, row, row.id, finding);
  const at = timeAfter(engine, row.state.context.now);
  const verdict = { shouldHaveAsked: finding.shouldHaveAsked, said: sha256Hex(sealed) };
  const event = { type: 'look-back.reviewed', ...requestFacts(row), elicitation: id, ...verdict } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const review = { reviewerId: user.id, at, finding: sealed };
  if (!lookBack || !(await engine.proceedings.reviewLookBack(id, lookBack, review, entry)))
    throw new Problem('not-now', { refusal: { code: 'already-reviewed' } });
}

/** What policies allowed and a person is to look at, that first; for administrators and reviewers. */
export async function listLookBacks(
  { proceedings }: Pick<Engine, 'proceedings'>,
  user: User,
): Promise<ListedLookBack[]> {
  assertMay(user, 'watch-requests');
  return proceedings.listLookBacks();
}
