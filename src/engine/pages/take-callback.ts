import { canonicalJson } from '../../crypto/canonical-json.ts';
import { equalBytes } from '../../crypto/compare.ts';
import { sha256 } from '../../crypto/digest.ts';
import type { FormContent } from '../../form/answer.ts';
import { outcomeAction, type Action } from '../../model/elicitation.ts';
import type { ElicitationId } from '../../model/id.ts';
import { identityKey, type Identity } from '../../model/identity.ts';
import { Problem } from '../../model/problem.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { acceptedContent, type Answer } from '../elicitation/accepted-content.ts';
import { changeElicitation } from '../elicitation/change.ts';
import { elicitationByToken } from './elicitation-by-token.ts';
import type { Engine } from '../engine.ts';
import type { Intent } from '../elicitation/intent.ts';
import { openDecision, openQuestion, sealDecision, type Question } from '../elicitation/sealed-question.ts';

/** An answer, who gave it if the service knows them, and the `state` they came with. */
type Report = Answer & { completedBy?: Identity | undefined; state?: string | undefined };

/**
 * Takes the report of an outside service and resumes the waiting call, once, on any node. The same report again
 * succeeds and changes nothing; another report gets `already-closed`. URL mode only, and never for approvers. Problem
 * `token-invalid` for any fault of the token, and after its question has expired; `forbidden` if someone other than the
 * requester completed it, or the `state` is another one.
 */
export async function takeCallback(engine: Engine, token: string, report: Report): Promise<Action> {
  const { id } = await elicitationByToken(engine, token, 'callback');
  await changeElicitation(engine, id, (row, now) => {
    if (row.mode !== 'url' || row.audience !== 'requester' || row.status === 'expired')
      throw new Problem('token-invalid');
    const question = openQuestion(engine.ring, row);
    refuseOthers(question, report, row.id);
    const content = reportedContent(question, report);
    if (row.status === 'open') return intentOf(engine, row, { action: report.action, content }, now);
    if (saysTheSame(engine, row, { action: report.action, content })) return null;
    throw new Problem('already-closed');
  });
  return report.action;
}

/** The connect page gives the `state` to the requester alone, and only the service knows who was there. */
function refuseOthers({ completedBy: expected, requester, ...question }: Question, report: Report, id: ElicitationId) {
  const { action, completedBy, state } = report;
  if (state !== undefined && !isState(question, state)) {
    const detail = 'Send the `state` that the address was opened with: this one belongs to no such visit.';
    throw new Problem('forbidden', { detail, about: [id] });
  }
  if (completedBy === undefined && state === undefined && expected !== undefined && action === 'accept') {
    const message = 'Say who completed it, or send the `state`: the person who was asked must complete this question.';
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['completedBy'], message }] });
  }
  if (completedBy !== undefined && identityKey(completedBy) !== identityKey(requester)) {
    const detail = 'Sign in as the person who was asked: someone else completed this.';
    throw new Problem('forbidden', { detail, about: [id] });
  }
}

const isState = ({ state: expected }: Pick<Question, 'state'>, state: string): boolean =>
  expected !== undefined && equalBytes(sha256(state), sha256(expected));

function reportedContent({ schema }: Question, report: Answer): FormContent | undefined {
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
