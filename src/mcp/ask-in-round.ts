import { z } from 'zod';
import type { ElicitationState } from '../client/client.ts';
import { actions } from '../model/elicitation.ts';
import { passOn } from './ask-requester.ts';
import type { Asking } from './asking.ts';
import { InvalidInputError } from './errors.ts';
import type { ClientReply, Round } from './incoming-call.ts';
import type { Question } from './question.ts';
import type { Run } from './run.ts';

/**
 * Takes the answer the client brought along; where there is none that fits, ends the run with a result that asks for
 * it, together with all other questions of this turn.
 */
export async function askInRound(
  run: Run,
  round: Round,
  asking: Asking,
  opened: ElicitationState,
): Promise<ElicitationState> {
  const { question, step, signal } = asking;
  const answer = Object.hasOwn(round.answers, step) ? readAnswer(question, round.answers[step]) : null;
  if (answer) return passOn(run, question, opened, answer);
  run.parked.set(step, question);
  const parked = run.turn.park();
  asking.decided();
  await parked;
  signal.throwIfAborted();
  run.asking ??= endRound(run, round, opened.toolCall);
  throw await run.asking;
}

const Reply = z.object({ action: z.enum(actions), content: z.unknown().optional() });

/** Null for whatever is not an answer to this question: then it is asked again, and never taken for one. */
function readAnswer(question: Question, reply: unknown): Extract<ClientReply, { kind: 'answer' }> | null {
  const { data } = Reply.safeParse(reply);
  if (!data || (data.action === 'accept' && !isFitting(question, data.content))) return null;
  return { kind: 'answer', action: data.action, content: data.content };
}

function isFitting(question: Question, content: unknown): boolean {
  try {
    question.read(content);
    return true;
  } catch (error) {
    if (error instanceof InvalidInputError) return false;
    throw error;
  }
}

async function endRound(run: Run, round: Round, toolCall: string): Promise<Error> {
  const { state } = await run.client.sealState({ toolCall, binding: round.binding }, { signal: run.signal });
  return run.end('asked', round.askFor(run.parked, state));
}
