import type { ElicitationState } from '../../../client/client.ts';
import { forwardAnswer } from './ask-requester.ts';
import type { Asking } from '../../question/question/asking.ts';
import { endTurn } from './end-turn.ts';
import { forPerson } from '../../question/result/decision.ts';
import { InvalidInputError } from '../../question/errors/errors.ts';
import { requireForm } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';
import { problemResult } from '../../question/result/tool-results.ts';

/**
 * Takes the answer that the agent passed on. If there is none for this question, ends the run with a result that says
 * the agent to ask its person. An answer that does not fit changes nothing, and the agent learns what is wrong with it.
 */
export async function askByRelay(run: Run, asking: Asking, opened: ElicitationState): Promise<ElicitationState> {
  const { relayedAnswer } = run.call;
  const question = forPerson(asking.question);
  if (relayedAnswer?.elicitId !== opened.id) {
    run.handover.addForAgent(requireForm(question), opened);
    return endTurn(run, asking, opened);
  }
  try {
    return await forwardAnswer(run, question, opened, {
      kind: 'answer',
      channel: 'told',
      ...relayedAnswer.answer,
    });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const errors = error.details.map(({ path, message }) => ({ path: ['content', ...path], message }));
    throw run.end('asked', problemResult(new InvalidInputError(errors)));
  }
}
