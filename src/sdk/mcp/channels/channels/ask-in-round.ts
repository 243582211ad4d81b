import type { ElicitationState, OpenedElicitation } from '../../../client/client.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { forwardAnswer } from './ask-requester.ts';
import type { Asking } from '../../question/question/asking.ts';
import { endTurn } from './end-turn.ts';
import { forPerson } from '../../question/result/decision.ts';
import { askAgain, faultsOf } from '../../question/question/faults.ts';
import { findPage, waitForPage } from './give-link.ts';
import type { ClientReply, Round } from '../../question/call/incoming-call.ts';
import type { UrlQuestion } from '../../question/question/question.ts';
import { Reply } from './reply.ts';
import type { Run } from '../../run/run/run.ts';
import { messageFor } from '../../question/result/pending-results.ts';

/**
 * Takes the answer that the client sent. If none fits, ends the run with a result that asks for it, together with all
 * other questions of this turn.
 */
export async function askInRound(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { step } = asking;
  const question = forPerson(asking.question);
  const answers = answersFor(run, opened);
  const answer = Object.hasOwn(answers, step) ? readAnswer(answers[step]) : null;
  if (question.mode === 'url') return askUrlInRound(run, { ...asking, question }, opened, answer);
  const faults = answer?.action === 'accept' ? faultsOf(question, answer.content) : [];
  if (answer && faults.length === 0) return forwardAnswer(run, question, opened, answer);
  run.handover.addForClient(step, faults.length > 0 ? askAgain(question, faults) : question);
  return endTurn(run, asking, opened);
}

/** A question that has changed meanwhile is one of another call: its person has not seen it, so nothing answers it. */
function answersFor({ call: { round } }: Run, { toolCall }: OpenedElicitation): Round['answers'] {
  return round && round.answered === toolCall ? round.answers : {};
}

/**
 * The client's accept says that its person agreed to go to the address. The call then waits for the result as long as
 * its hold lasts, and after that the client is asked once more.
 */
async function askUrlInRound(
  run: Run,
  asking: Asking & { question: UrlQuestion },
  opened: OpenedElicitation,
  answer: Reading,
): Promise<ElicitationState> {
  const { question, step, signal } = asking;
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const state = answer ? await forwardAnswer(run, question, opened, answer) : opened;
  const last = answer && !isClosed(state.status) ? await waitForPage(run, opened, signal) : state;
  if (isClosed(last.status)) return last;
  const { meta } = question;
  run.handover.addForClient(step, { mode: 'url', message: messageFor(question.message, page), url: page.url, meta });
  return endTurn(run, asking, opened);
}

type Reading = Extract<ClientReply, { kind: 'answer' }> | null;

/** Null for anything that is not an answer: then the question is asked again. */
function readAnswer(reply: unknown): Reading {
  const { data } = Reply.safeParse(reply);
  return data ? { kind: 'answer', ...data } : null;
}
