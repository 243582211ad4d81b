import type { MadeAlone, WaitingChange } from '#people/changes/contract';
import type { Change } from '#people/changes/verbs/changes';
import type { Alone } from '#people/directory/contract/user';
import { aloneSentences, waitingSentence } from '#messages/english-power';
import type { Answer } from '../route/route.ts';

/** What was changed, with why one administrator was enough; or 202 with the request that waits for a second one. */
export async function answerChange<D extends { alone: Alone | null }>(
  change: Change<D>,
  status: 200 | 201,
  show: (done: D) => object | Promise<object>,
  /** What is answered in either case. */
  also: object = {},
): Promise<Answer> {
  if (change.waits !== null) {
    const body: WaitingChange = { request: change.waits, sentence: waitingSentence };
    return { status: 202, body: { ...also, ...body } };
  }
  const { done } = change;
  return { status, body: { ...also, ...(await show(done)), alone: madeAlone(done.alone) } };
}

export const madeAlone = (because: Alone | null): MadeAlone =>
  because && { because, sentence: aloneSentences[because] };
