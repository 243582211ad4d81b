import { lastVote, releasedBy, reopenedBy, withoutVote } from '#core/machine/ballots';
import type { ElicitationId } from '#protocol/model/id';
import type { User } from '#protocol/model/user';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from '../elicitation/change.ts';
import type { Engine } from '../engine.ts';
import { nextStage } from './internal/next-stage.ts';
import { against, assertNoObjection } from '../elicitation/permissions.ts';

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
