import { lastVote, releasedBy, reopenedBy, withoutVote } from '../../machine/rules/machine/ballots.ts';
import type { ElicitationId } from '#platform/model/id';
import type { User } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../state/store/row/row.ts';
import { changeElicitation } from '../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { nextStage } from './next-stage.ts';
import { against, assertNoObjection } from '../../state/verbs/permissions/permissions.ts';

/**
 * Withdraws this person's last vote while the request is open: undecided, or approved and waiting for its start. If
 * only this refusal held up a stage, the stage completes at once, with the answer of its last approval. Problem
 * `not-now` if there is no vote.
 */
export async function withdrawVote(engine: Engine, user: User, id: ElicitationId): Promise<ElicitationRow> {
  return changeElicitation(engine, id, async (row, now, basis) => {
    assertNoObjection(against.withdrawVote(user, row));
    const { context } = row.state;
    const stage = lastVote(context, user.id)?.stage ?? context.stage;
    const released = releasedBy(context, user.id);
    const after = withoutVote(context, user.id);
    const reopens = reopenedBy(context, after);
    const next = released ? await nextStage(engine, await basis.users(), row, after.votes, now) : undefined;
    return {
      actor: { kind: 'user', id: user.id },
      event: { type: 'withdraw', by: user.id, next, at: now },
      ...(released?.answer !== undefined && { answer: Buffer.from(released.answer, 'base64') }),
      says: (fields) => ({
        ...fields,
        type: 'elicitation.vote-withdrawn',
        stage,
        ...(reopens !== null && { reopens }),
      }),
    };
  });
}
