import { canonicalJson } from '#platform/crypto/digest';
import { equalBytes } from '#platform/crypto/random';
import { openToken } from '#access/tokens/rules';
import { sha256 } from '#platform/crypto/digest';
import type { FormContent } from '#platform/form/answer';
import { outcomeAction, type Action } from '../../../asking/contract/elicitation.ts';
import type { ElicitationId } from '#platform/model/id';
import { identityKey, type Identity } from '#platform/model/identity';
import { invalidInput, Problem } from '#platform/model/problem';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { acceptedContent, type Answer } from '../../../asking/verbs/question/accepted-content.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import { noteReport } from './note-report.ts';
import { elicitationByToken } from './elicitation-by-token.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../../state/verbs/intent/intent.ts';
import {
  openDecision,
  openQuestion,
  sealDecision,
  type Question,
} from '../../../asking/verbs/question/sealed-question.ts';

/** An answer, who gave it if the service says so, and the `state` they came with. */
type Report = Answer & { completedBy?: Identity | undefined; state?: string | undefined };

/**
 * Takes the report of an outside service and resumes the waiting call, once, on any node. The same report again
 * succeeds and changes nothing; another report gets `already-closed`. URL mode only, and never for approvers. Problem
 * `token-invalid` for any fault of the token, and after its question has expired; `forbidden` if someone other than the
 * requester completed it, the `state` is another one, or the requester must complete it and has not gone on from the
 * connect page. A report that comes late or does not fit is written down with the request.
 */
export async function takeCallback(engine: Engine, token: string, report: Report): Promise<Action> {
  const named = await elicitationByToken(engine, token, 'callback');
  if (named.mode !== 'url') throw new Problem('token-invalid');
  const { id } = named;
  if (openToken(engine.ring, token, 'callback', engine.now()).forService !== true) {
    // From before an upgrade: its client could read it. What it says is not believed, and not forgotten.
    await noteReport(engine, named, { type: 'callback.unfit', report });
    throw new Problem('token-invalid');
  }
  const hasLeft = (await engine.pageProofs.find(id))?.hasConsented ?? false;
  let untaken: { row: ElicitationRow; problem: Problem } | null = null;
  const refuse = (row: ElicitationRow, problem: Problem): null => {
    untaken = { row, problem };
    return null;
  };
  await changeElicitation(engine, id, (row, now) => {
    untaken = null;
    if (row.status === 'expired') return refuse(row, new Problem('token-invalid'));
    const question = openQuestion(engine.ring, row);
    assertRequester({ ...question, hasLeft }, report, row.id);
    const content = readContent(question, report);
    if (content instanceof Problem) return refuse(row, content);
    if (row.status === 'open') return intentOf(engine, row, { action: report.action, content }, now);
    if (saysTheSame(engine, row, { action: report.action, content })) return null;
    return refuse(row, new Problem('already-closed'));
  });
  await throwUntaken(engine, untaken, report);
  return report.action;
}

async function throwUntaken(
  engine: Engine,
  untaken: { row: ElicitationRow; problem: Problem } | null,
  report: Report,
): Promise<void> {
  if (!untaken) return;
  const { row, problem } = untaken;
  const type = row.status === 'open' ? 'callback.unfit' : 'callback.late';
  await noteReport(engine, row, { type, report });
  throw problem;
}

/** The content as its question wants it; the problem if it does not fit. */
function readContent(question: Question, report: Answer): FormContent | undefined | Problem {
  try {
    return reportedContent(question, report);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/**
 * Who must be the requester is named by the service, which alone has the token, and went on from the page in front of it.
 * The `state` alone is less: the requester could pass on the address with it.
 */
function assertRequester(question: Question & { hasLeft: boolean }, report: Report, id: ElicitationId): void {
  const { completedBy: expected, requester, hasLeft } = question;
  const { action, completedBy, state } = report;
  const isBound = expected !== undefined && action === 'accept';
  const refuse = (detail: string): Problem => new Problem('forbidden', { detail, about: [id] });
  if (state !== undefined && !isState(question, state))
    throw refuse('Send the `state` that the address was opened with: this one belongs to no such visit.');
  if (completedBy === undefined && isBound) {
    const message = 'Say who completed it: this question must be completed by the person who was asked.';
    throw invalidInput(['completedBy'], message);
  }
  if (completedBy !== undefined && identityKey(completedBy) !== identityKey(requester))
    throw refuse('Sign in as the person who was asked: someone else completed this.');
  if (isBound && !hasLeft)
    throw refuse(
      'Begin at the address that the client was given: the person who was asked has not gone on from its page.',
    );
}

const isState = ({ state: expected }: Pick<Question, 'state'>, state: string): boolean =>
  expected !== undefined && equalBytes(sha256(state), sha256(expected));

function reportedContent({ schema }: Question, report: Answer): FormContent | undefined {
  if (schema || report.content === undefined) return acceptedContent(schema, report);
  const message = 'Leave this out: the question has no result schema.';
  throw invalidInput(['content'], message);
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
