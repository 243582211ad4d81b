import { checkAnswer, type FormContent } from '../../form/answer.ts';
import type { ResultSchema } from '../../form/schema.ts';
import type { Action, RelayChannel } from '../../model/elicitation.ts';
import type { ElicitationId, ServerId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { changeElicitation } from './change.ts';
import type { Engine } from '../engine.ts';
import { refuseForeign } from './mark-caller.ts';
import { openQuestion, sealDecision } from './sealed-question.ts';

export interface Answer {
  action: Action;
  content?: FormContent | undefined;
}

/**
 * Takes the requester's own answer, passed on by the server that asked, and records it as that. It never counts as an
 * approver's vote: problem `forbidden` if approvers must answer.
 */
export const answerElicitation = (
  engine: Engine,
  server: ServerId,
  id: ElicitationId,
  { channel, ...answer }: Answer & { channel: RelayChannel },
): Promise<ElicitationRow> =>
  changeElicitation(engine, id, (row, now) => {
    refuseForeign(row, server);
    if (row.status !== 'open') throw new Problem('already-closed');
    if (row.audience !== 'requester')
      throw new Problem('forbidden', { detail: 'Wait for approvers: they answer this request in the console.' });
    // In URL mode the client's accept is consent to go there; the result comes back another way.
    const schema = row.mode === 'url' ? null : openQuestion(engine.ring, row).schema;
    const content = acceptedContent(schema, answer);
    return {
      actor: { kind: 'server', id: server },
      event: { type: 'answer', action: answer.action, at: now },
      answer: sealDecision(engine.ring, row, { ...(content && { content }), comment: null }),
      says: (about) => ({ type: 'elicitation.answered', channel, action: answer.action, ...about }),
    };
  });

/** The content of an answer, validated by the stored schema; problem INVALID_INPUT with one error per field. */
export function acceptedContent(schema: ResultSchema | null, answer: Answer): FormContent | undefined {
  if (!schema) return undefined;
  const { action, content } = answer;
  const checked = checkAnswer(schema, content === undefined ? { action } : { action, content });
  if (checked.ok) return checked.content;
  const errors = checked.errors.map(({ path, message }) => ({ path: ['content', ...path], message }));
  throw new Problem('INVALID_INPUT', { errors });
}
