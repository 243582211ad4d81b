import { faultsOfContent, type AnswerFault, type FormContent } from '#platform/form/answer';
import { Problem } from '#platform/model/problem';
import type { Action } from '../../../asking/contract/elicitation.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { changeElicitation } from '../../../state/verbs/change/change.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import type { Intent } from '../../../state/verbs/intent/intent.ts';
import { pageQuestion, type PageQuestion } from './open-page.ts';
import { readFields, repeatFields, type Posted } from './page-form.ts';
import { outsideAddress } from '../callback/outside-address.ts';
import { pageVisitor, type PageVisitor } from './page-visitor.ts';
import { assertSeen } from '../../../state/verbs/permissions/assert-vote.ts';
import { openQuestion, sealDecision, type Question } from '../../../asking/verbs/question/sealed-question.ts';

interface PageAnswer {
  action: Action;
  /** The action digest of what the page showed. */
  digest: string;
  posted: Posted;
}

export type PageOutcome =
  /** Recorded; the blocked call has it. */
  | { state: 'answered'; question: PageQuestion; action: Action }
  /** They agreed to go to this address; the result comes back another way. */
  | { state: 'leaving'; address: string }
  /** Nothing is recorded; the faults are listed by field. */
  | { state: 'refused'; question: PageQuestion }
  | { state: 'unproven' };

/** Takes the requester's own answer from their page, once; after that the link is not valid. */
export async function answerPage(
  engine: Engine,
  row: ElicitationRow,
  secret: string,
  answer: PageAnswer,
): Promise<PageOutcome> {
  const actor = await pageVisitor(engine, row, secret);
  if (!actor) return { state: 'unproven' };
  const question = openQuestion(engine.ring, row);
  const { url } = question;
  if (answer.action === 'accept' && url !== null) {
    await consent(engine, row, actor, answer.digest);
    return { state: 'leaving', address: outsideAddress({ ...question, url }) };
  }
  const { content, faults } = readAnswer(question, answer);
  if (faults.length > 0 && question.schema) {
    const fields = repeatFields(question.schema, answer.posted, faults);
    return { state: 'refused', question: pageQuestion(engine, row, fields) };
  }
  await change(engine, row, (current, now) => intentOf(engine, current, { actor, answer, content, now }));
  return { state: 'answered', question: pageQuestion(engine, row), action: answer.action };
}

interface Read {
  content: FormContent | undefined;
  faults: AnswerFault[];
}

function readAnswer({ schema }: Question, { action, posted }: PageAnswer): Read {
  if (!schema || action !== 'accept') return { content: undefined, faults: [] };
  const content = readFields(schema, posted);
  const faults = faultsOfContent(schema, content);
  return { content: faults.length > 0 ? undefined : content, faults };
}

/** Agreeing to leave is not a result: the question stays open until the callback. It is logged once. */
async function consent(engine: Engine, row: ElicitationRow, actor: PageVisitor, digest: string): Promise<void> {
  assertSeen(row, digest);
  if (!(await engine.pageProofs.consentOnce(row.id, engine.now()))) return;
  await change(engine, row, (_current, now) => ({
    actor,
    event: { type: 'answer', action: 'accept', at: now },
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action: 'accept', ...fields }),
  }));
}

const change = (engine: Engine, { id }: ElicitationRow, decide: (row: ElicitationRow, now: number) => Intent) =>
  changeElicitation(engine, id, (row, now) => {
    if (row.status !== 'open') throw new Problem('token-invalid');
    return decide(row, now);
  });

function intentOf(
  { ring }: Engine,
  row: ElicitationRow,
  {
    actor,
    answer,
    content,
    now,
  }: { actor: PageVisitor; answer: PageAnswer; content: FormContent | undefined; now: number },
): Intent {
  assertSeen(row, answer.digest);
  const { action } = answer;
  // In URL mode an accept only means that the person agrees to leave; here they have filled in the form.
  const type = row.mode === 'url' ? 'callback' : 'answer';
  return {
    actor,
    event: { type, action, at: now },
    answer: sealDecision(ring, row, { ...(content && { content }), comment: null }),
    says: (fields) => ({ type: 'elicitation.answered', channel: 'page', action, ...fields }),
  };
}
