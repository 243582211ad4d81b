import type { z } from 'zod';
import type { ElicitationState, OpenedElicitation } from '../../../client/client.ts';
import { linkSignals } from '../../../client/transport/linked-signal.ts';
import type { FormContent } from '#platform/form/schema';
import { isClosed } from '#requests/asking/contract/elicitation';
import { askInRound } from '../../channels/channels/ask-in-round.ts';
import { askByRelay } from '../../channels/channels/ask-by-relay.ts';
import { askByUrl } from '../../channels/channels/ask-by-url.ts';
import { askRequester } from '../../channels/channels/ask-requester.ts';
import type { Asking } from '../../question/question/asking.ts';
import { applyEdits } from '../edits/apply-edits.ts';
import type { Channel } from '../../question/call/channel.ts';
import { channelFor } from '../../channels/channels/channel-for.ts';
import type { ElicitOptions } from '../../question/question/elicit-options.ts';
import type { ElicitResult } from '../../question/result/elicit-result.ts';
import { endTurn } from '../../channels/channels/end-turn.ts';
import { ElicitationNotSupportedError } from '../../question/errors/errors.ts';
import { giveLink } from '../../channels/channels/give-link.ts';
import { holdForApprovers } from '../../channels/channels/hold-for-approvers.ts';
import { abandonQuestion } from '../edits/abandon-question.ts';
import { storeQuestion } from './open-question.ts';
import type { Asks, JsonForm, ZodForm } from '../../question/question/question.ts';
import { requireAskable } from '../../question/call/require-askable.ts';
import { buildParams, prepareRequest } from './request-flow.ts';
import { resultOf } from './result-flow.ts';
import type { Run } from '../../run/run/run.ts';

/**
 * Asks a person and resolves with the validated answer.
 * Rejects with ElicitationTimeoutError, ElicitationNotSupportedError, InvalidInputError or another Problem.
 * An accept is released once: of all runs of one call, only the one that gets it may act on it.
 */
export interface Elicit {
  <S extends ZodForm>(message: string, form: S, options?: ElicitOptions): Promise<ElicitResult<z.output<S>>>;
  (message: string, form: JsonForm, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
  /** Sends the person to this address; an accept says that they are done there. */
  (message: string, url: string | URL, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
}

export function createElicit(run: Run): Elicit {
  const elicit = (message: string, asks: Asks, options: ElicitOptions = {}) => {
    const result = askUnderSignals(run, message, asks, options);
    result.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return result;
  };
  return elicit as Elicit; // the overloads tie the form's type to the content's, which `read` keeps
}

async function askUnderSignals(
  run: Run,
  message: string,
  asks: Asks,
  options: ElicitOptions,
): Promise<ElicitResult<unknown>> {
  requireAskable(message, asks, options);
  const step = run.takeStep(options.key);
  const decided = run.turn.begin();
  const linked = linkSignals(run.signal, options.signal);
  try {
    const question = { message, asks, options, step, signal: linked.signal, decided };
    return await ask(run, await run.prepare(() => prepareRequest(run, question)));
  } finally {
    decided();
    linked.release();
  }
}

async function ask(run: Run, asking: Asking): Promise<ElicitResult<unknown>> {
  asking.signal.throwIfAborted();
  const opened = await storeQuestion(run, asking);
  const state = isClosed(opened.status) ? opened : await run.questions.during(decide(run, asking, opened));
  run.questions.remove(opened);
  asking.decided();
  await applyEdits(run, asking, state);
  return resultOf(run, asking, state);
}

/** Until the row is closed; a question that is given up before is withdrawn, so that people do not see it as open. */
async function decide(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { signal } = asking;
  try {
    signal.throwIfAborted();
    const channel = channelFor(run, opened);
    if (channel === 'unsupported') throw new ElicitationNotSupportedError(unsupported, opened.mode);
    const question = await buildParams(run, asking, opened, channel);
    return await travel(run, { ...asking, question }, opened, channel);
  } catch (error) {
    abandonQuestion(run, opened);
    throw error;
  }
}

async function travel(
  run: Run,
  asking: Asking,
  opened: OpenedElicitation,
  channel: Exclude<Channel, 'unsupported'>,
): Promise<ElicitationState> {
  const { question, signal } = asking;
  if (channel === 'round') return askInRound(run, asking, opened);
  if (channel === 'relay') return askByRelay(run, asking, opened);
  if (channel === 'task') return endTurn(run, asking, opened); // the process that serves the task continues with its answer
  asking.decided();
  if (channel === 'hold') return holdForApprovers(run, question, opened, signal);
  if (channel === 'push') return askAtClient(run, asking, opened);
  return giveLink(run, question, opened, signal);
}

const unsupported = 'This client cannot ask its person.';

/** A client that turns out to be unable counts as one that never declared it: its question takes another channel. */
async function askAtClient(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { question, signal } = asking;
  const { urls } = run.call;
  try {
    if (question.mode === 'form' || !urls) return await askRequester(run, question, opened, signal);
    return await askByUrl(run, urls, question, opened, signal);
  } catch (error) {
    const other = error instanceof ElicitationNotSupportedError ? channelFor(run, opened) : 'push';
    if (other === 'push' || other === 'unsupported') throw error;
    return travel(run, asking, opened, other);
  }
}
