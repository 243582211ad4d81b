import { actorOfServer } from '#people/directory/verbs/scope';
import type { RelayChannel } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import type { KeyScope } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../store/row/row.ts';
import { acceptedContent, type Answer } from '../../../asking/verbs/question/accepted-content.ts';
import { changeElicitation } from '../change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { assertOwn } from '#people/directory/verbs/scope';
import { openQuestion, sealDecision } from '../../../asking/verbs/question/sealed-question.ts';

/**
 * Takes the requester's own answer, passed on by the server that asked, and records it as that. It never counts as an
 * approver's vote: problem `forbidden` if approvers must answer.
 */
export const answerElicitation = (
  engine: Engine,
  server: KeyScope,
  id: ElicitationId,
  { channel, ...answer }: Answer & { channel: RelayChannel },
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    assertOwn(row, server);
    if (row.status !== 'open') throw new Problem('already-closed');
    if (row.audience !== 'requester')
      throw new Problem('forbidden', { detail: 'Wait for approvers: they answer this request in the console.' });
    // In URL mode the client's accept is consent to go there; the result comes back another way.
    const schema = row.mode === 'url' ? null : openQuestion(engine.ring, row).schema;
    const content = acceptedContent(schema, answer);
    return {
      actor: actorOfServer(server),
      event: { type: 'answer', action: answer.action, at: now },
      answer: sealDecision(engine.ring, row, { ...(content && { content }), comment: null }),
      says: (fields) => ({ type: 'elicitation.answered', channel, action: answer.action, ...fields }),
    };
  });
