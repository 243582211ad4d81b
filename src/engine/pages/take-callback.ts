import { canonicalJson } from '../../crypto/canonical-json.ts';
import type { FormContent } from '../../form/answer.ts';
import { outcomeAction, type Action } from '../../model/elicitation.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { acceptedContent, type Answer } from '../elicitation/accepted-content.ts';
import { changeElicitation } from '../elicitation/change.ts';
import { elicitationByToken } from './elicitation-by-token.ts';
import type { Engine } from '../engine.ts';
import type { Intent } from '../elicitation/intent.ts';
import { openDecision, openQuestion, sealDecision } from '../elicitation/sealed-question.ts';

/**
 * Takes the report of an outside service and resumes the waiting call, once, on any node. The same report again
 * succeeds and changes nothing; another report gets `already-closed`. URL mode only, and never for approvers. Problem
 * `token-invalid` for any fault of the token, and after its question has expired.
 */
export async function takeCallback(engine: Engine, token: string, report: Answer): Promise<Action> {
  const { id } = await elicitationByToken(engine, token, 'callback');
  await changeElicitation(engine, id, (row, now) => {
    if (row.mode !== 'url' || row.audience !== 'requester' || row.status === 'expired')
      throw new Problem('token-invalid');
    const content = reportedContent(engine, row, report);
    if (row.status === 'open') return intentOf(engine, row, { action: report.action, content }, now);
    if (saysTheSame(engine, row, { action: report.action, content })) return null;
    throw new Problem('already-closed');
  });
  return report.action;
}

function reportedContent({ ring }: Engine, row: ElicitationRow, report: Answer): FormContent | undefined {
  const { schema } = openQuestion(ring, row);
  if (schema || report.content === undefined) return acceptedContent(schema, report);
  const message = 'Leave this out: the question has no result schema.';
  throw new Problem('INVALID_INPUT', { errors: [{ path: ['content'], message }] });
}

const intentOf = ({ ring }: Engine, row: ElicitationRow, { action, content }: Answer, now: number): Intent => ({
  actor: { kind: 'service' },
  event: { type: 'callback', action, at: now },
  answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
  says: (fields) => ({ type: 'elicitation.answered', channel: 'callback', action, ...fields }),
});

/** Has the question already ended with this report? */
function saysTheSame({ ring }: Engine, row: ElicitationRow, { action, content }: Answer): boolean {
  if (row.status === 'open' || outcomeAction[row.status] !== action) return false;
  if (row.status === 'cancelled' && row.cause !== 'user') return false;
  return canonicalJson(openDecision(ring, row)?.content ?? null) === canonicalJson(content ?? null);
}
