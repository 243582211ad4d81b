import { may } from '#people/directory/contract/permission';
import { auditEntry } from '#audit/entries/rules/entry';
import { requestFacts } from '#audit/entries/rules/events';
import { sha256Hex } from '#platform/crypto/digest';
import { newId } from '#platform/crypto/random';
import type { ElicitationId } from '#platform/model/id';
import type { User, SignedInUser } from '#people/directory/contract/user';
import { Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../state/store/row.ts';
import { acceptedContent, cells, openQuestion, sealDecision } from '../../asking/verbs/question.ts';
import { changeElicitation, refreshForPermissions } from '../../state/verbs/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { timeAfter } from '#platform/nodes/verbs/lists';
import {
  against,
  assertNoObjection,
  assertFreshSignIn,
  assertRead,
  assertSeen,
} from '../../state/verbs/permissions.ts';
import { makerAmong, requestersOf } from '../../asking/verbs/requester.ts';
import type { BreakGlassElicitation } from '../contract/deliberation.ts';

/** Milliseconds for which a proven password permits the emergency override, and until the review is due. */
const freshEnough = 5 * 60_000;
const reviewWithin = 7 * 86_400_000;

/**
 * Emergency override: a person with its own permission, who has just proven their password, accepts past the policy.
 * The
 * reason, the review that is due and the alert commit with it. A person who may not vote may not do this either.
 */
export async function breakGlassElicitation(
  engine: Engine,
  user: SignedInUser,
  id: ElicitationId,
  { digest, shown, opened, reason, content }: BreakGlassElicitation,
): Promise<ElicitationRow> {
  const mayBreakGlass = await engine.users.mayBreakGlass(user.id);
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertSeen(row, digest);
    const { current, requesters } = refreshForPermissions(engine, row, await basis.users(), now, [user.id]);
    assertNoObjection(against.breakGlass(user, current, { requesters, mayBreakGlass }));
    assertRead(engine, user, row, { shown, opened }, now);
    assertFreshSignIn(user, freshEnough, now);
    const accepted = acceptedContent(openQuestion(engine.ring, row).schema, { action: 'accept', content });
    const sealed = cells.overrideReason.seal(engine.ring, row, row.id, reason);
    const reviewDueAt = now + reviewWithin;
    const reasonDigest = sha256Hex(sealed);
    return {
      actor: { kind: 'user', id: user.id },
      event: {
        type: 'breakGlass',
        by: user.id,
        ...(user.credentialIssuer && { issuer: user.credentialIssuer }),
        at: now,
      },
      answer: sealDecision(engine.ring, row, { ...(accepted && { content: accepted }), comment: null }),
      breakGlass: { userId: user.id, reason: sealed, reviewDueAt },
      says: (fields) => ({
        type: 'elicitation.break-glass',
        said: reasonDigest,
        seen: digest,
        reviewDueAt,
        ...makerAmong(engine, row, { by: user.id, issuer: user.credentialIssuer }),
        ...fields,
      }),
    };
  });
}

/** Someone else says whether the emergency override was right; once. */
export async function reviewBreakGlass(
  engine: Engine,
  user: User,
  id: ElicitationId,
  { isJustified, finding }: { isJustified: boolean; finding: string },
): Promise<void> {
  const [row, breakGlass] = await Promise.all([engine.reader.elicitation(id), engine.proceedings.breakGlass(id)]);
  if (!row) throw new Problem('not-found');
  const users = await engine.rules.users();
  const requesters = requestersOf(engine, row, users);
  const { accounts } = users.directory;
  assertNoObjection(against.reviewBreakGlass(user, row, { requesters, accounts, breakGlass }));
  const sealed = cells.overrideFinding.seal(engine.ring, row, row.id, { isJustified, finding });
  const at = timeAfter(engine, row.state.context.now);
  const verdict = { isJustified, said: sha256Hex(sealed) };
  const event = { type: 'break-glass.reviewed', ...requestFacts(row), elicitation: id, ...verdict } as const;
  const entry = auditEntry(newId('entry'), at, { kind: 'user', id: user.id }, event);
  const review = { reviewerId: user.id, at, finding: sealed };
  if (!breakGlass || !(await engine.proceedings.reviewBreakGlass(id, breakGlass, review, entry))) {
    throw new Problem('not-now', { refusal: { code: 'already-reviewed' } });
  }
}

/** Requests decided by emergency override, those that still need a review first; others than administrators and reviewers see their own. */
export async function listBreakGlass({ proceedings, users }: Engine, user: User) {
  const stored = await proceedings.listBreakGlass();
  const visible = may(user, 'watch-requests') ? stored : stored.filter(({ userId }) => userId === user.id);
  const names = await users.names(visible.map(({ userId }) => userId));
  return visible.map(({ userId, ...rest }) => ({ ...rest, by: { id: userId, name: names.get(userId) ?? '' } }));
}
