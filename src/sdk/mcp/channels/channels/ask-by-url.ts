import type { ElicitationState, OpenedElicitation } from '../../../client/client.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { askRequester } from './ask-requester.ts';
import type { CallEndedError } from '../../question/errors/errors.ts';
import { findPage, waitElsewhere, type Page } from './give-link.ts';
import type { ToolResult, UrlRequest, UrlSending } from '../../question/call/incoming-call.ts';
import { linkResult, messageFor } from '../../question/result/pending-results.ts';
import type { UrlQuestion } from '../../question/question/question.ts';
import type { Run } from '../../run/run/run.ts';
import { isDone, isNotifiedLater, notifyLater } from './notify-later.ts';

/**
 * Makes the client send its person to the address, then waits for the result as long as the call's hold lasts. A
 * call that comes back to the question only waits.
 */
export async function askByUrl(
  run: Run,
  urls: UrlSending,
  question: UrlQuestion,
  opened: OpenedElicitation,
  signal: AbortSignal,
): Promise<ElicitationState> {
  const page = await findPage(run, opened, signal);
  if (page === null) return run.client.get(opened.id, { signal });
  const request = requestOf(question, opened, page);
  const leaveOpen = (result: ToolResult): CallEndedError => {
    run.questions.addPage(opened);
    notifyLater(run, urls, opened, request.elicitationId);
    return run.end('pending', result);
  };
  if (question.isRequired && !opened.joined) throw leaveOpen(urls.require(request));
  const own = { isNo: false };
  const send = async (options: { signal: AbortSignal; timeout: number }) => {
    const reply = await urls.ask(request, options);
    own.isNo = reply.kind === 'answer' && reply.action !== 'accept';
    return reply;
  };
  const agreed = opened.joined ? opened : await askRequester(run, question, opened, signal, send);
  const state = isClosed(agreed.status) ? agreed : await waitElsewhere(run, opened, signal);
  if (isClosed(state.status)) {
    if (!own.isNo && isDone(state) && !isNotifiedLater(state)) await urls.notifyDone(request.elicitationId);
    return state;
  }
  throw leaveOpen(question.isRequired ? urls.require(request) : linkResult(run.call, question, state, page));
}

const requestOf = (
  { message, elicitationId, meta }: UrlQuestion,
  { id }: OpenedElicitation,
  page: Page,
): UrlRequest => ({
  message: messageFor(message, page),
  url: page.url,
  elicitationId: elicitationId ?? id,
  ...(meta && { meta }),
});
