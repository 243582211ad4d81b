import { assertMay } from '#policies/deciding/verbs/rules';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { User } from '#people/directory/contract/user';
import type { ListedLookBack } from '../../store/proceedings.ts';
import { against, assertNoObjection } from '../../../state/verbs/permissions/permissions.ts';
import { requestersOf } from '../../../asking/verbs/requester/requesters.ts';
import { cells, type LookBackFinding } from '../../../asking/verbs/question/sealed-question.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';

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
