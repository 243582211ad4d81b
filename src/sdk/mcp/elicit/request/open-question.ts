import type { OpenedElicitation, OpenElicitation } from '../../../client/client.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { withGracePeriod } from '../../../client/administration/grace-period.ts';
import type { Asking } from '../../question/question/asking.ts';
import { channelFor } from '../../channels/channels/channel-for.ts';
import { recordedAnswer } from '../edits/apply-edits.ts';
import { abandonQuestion } from '../edits/abandon-question.ts';
import { storeRecord } from './request-flow.ts';
import type { Run } from '../../run/run/run.ts';
import { tellAuthor } from '../../question/errors/tell-author.ts';
import { untilSettled } from '../../run/settlements/pending-settlements.ts';

/** Opens the question, or joins it; if a hook refuses it after it was stored, it is given up like any other. */
export async function storeQuestion(run: Run, asking: Asking): Promise<OpenedElicitation> {
  let stored: OpenedElicitation | undefined;
  try {
    return await storeRecord(run, asking, async () => (stored = await openWithGracePeriod(run, asking)));
  } catch (error) {
    if (stored) abandonQuestion(run, stored);
    throw error;
  }
}

async function openWithGracePeriod(run: Run, asking: Asking): Promise<OpenedElicitation> {
  const opening = withGracePeriod(openingGraceMs, asking.signal, (signal) => openQuestion(run, asking, signal));
  run.addCleanup(opening); // the run does not end before it is clear what it opened
  return opening;
}

/** How long an opening may continue after its caller has left: the id is needed to withdraw the question. */
const openingGraceMs = 10_000;

/** Opens a question or joins one. If its caller left meanwhile, the question is given up, and this throws. */
async function openQuestion(run: Run, asking: Asking, signal: AbortSignal): Promise<OpenedElicitation> {
  const recorded = recordedAnswer(run, asking);
  if (recorded) {
    run.enter(recorded.toolCall);
    return { ...recorded, joined: true };
  }
  await untilSettled(asking.request.call);
  const opened = await openOrRenew(run, asking.request, signal);
  run.enter(opened.toolCall);
  await run.memos.keep(run.client, opened.toolCall);
  if (opened.isElsewhere) tellAuthor(otherAddress(run, opened));
  if (!isClosed(opened.status)) run.questions.add(opened);
  if (opened.joined && hasPage(run, opened)) run.questions.addPage(opened);
  if (!asking.signal.aborted) return opened;
  abandonQuestion(run, opened);
  throw asking.signal.reason;
}

const otherAddress = ({ call }: Run, { step, id }: OpenedElicitation): string =>
  `Make the address of ${call.tool.name} (question ${step}) with once(): the handler ran again and made another one. The person has the first (${id}).`;

/** Its person may have the page from an earlier run, and that page stays if this run is left. */
const hasPage = (run: Run, opened: OpenedElicitation): boolean =>
  opened.mode === 'url' || channelFor(run, opened) === 'link';

/**
 * A requester's call that its caller left without an answer is not replayed: the retry asks again, even if it
 * overtakes the end of the run that was left.
 */
async function openOrRenew(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  const opened = await run.ask((attempt) =>
    open(run, { ...request, ...(attempt !== undefined && { attempt }) }, signal),
  );
  const isLeftover = opened.joined && opened.audience === 'requester' && opened.cause === 'caller_gone';
  if (!isLeftover || run.joined !== undefined) return opened;
  await run.client.complete(opened.toolCall, { attempt: 'left-over', delivered: true }, { signal });
  return open(run, request, signal);
}

/** The token goes to the orchestrator only: hooks see the request without it. */
const open = ({ client, call: { accessToken, traceparent } }: Run, request: OpenElicitation, signal: AbortSignal) =>
  client.open({ ...request, ...(accessToken !== undefined && { accessToken }) }, { signal, traceparent });
