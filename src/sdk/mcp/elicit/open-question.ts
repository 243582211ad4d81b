import type { OpenedElicitation, OpenElicitation } from '../../client/client.ts';
import { isClosed } from '#protocol/model/elicitation';
import type { Asking } from '../question/asking.ts';
import { channelFor } from '../channels/channel-for.ts';
import { recordedAnswer } from './heed-edits.ts';
import { leaveQuestion } from './leave-question.ts';
import { linger } from '../../client/linger.ts';
import { storeRecord } from './request-flow.ts';
import type { Run } from '../run/run.ts';
import { untilSettled } from '../run/settling.ts';

/** Opens the question, or joins it; if a hook refuses it after it was stored, it is given up like any other. */
export async function storeQuestion(run: Run, asking: Asking): Promise<OpenedElicitation> {
  let stored: OpenedElicitation | undefined;
  try {
    return await storeRecord(run, asking, async () => (stored = await openLingering(run, asking)));
  } catch (error) {
    if (stored) leaveQuestion(run, stored);
    throw error;
  }
}

async function openLingering(run: Run, asking: Asking): Promise<OpenedElicitation> {
  const opening = linger(openingTime, asking.signal, (signal) => openQuestion(run, asking, signal));
  run.addFarewell(opening); // the run does not end before it knows what it opened
  return opening;
}

/** Milliseconds an opening may continue after its caller has left: the id is needed to withdraw the question. */
const openingTime = 10_000;

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
  if (!isClosed(opened.status)) run.undecided.add(opened);
  if (opened.joined && hasPage(run, opened)) run.elsewhere.add(opened.id);
  if (!asking.signal.aborted) return opened;
  leaveQuestion(run, opened);
  throw asking.signal.reason;
}

/** Its person may have the page from an earlier run, and that page stays if this run is left. */
const hasPage = (run: Run, opened: OpenedElicitation): boolean =>
  opened.mode === 'url' || channelFor(run, opened) === 'link';

/**
 * A requester's call that its caller left without an answer is not replayed: the retry asks again, even if it
 * overtakes the end of the run that was left.
 */
async function openOrRenew(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  const opened = await askOn(run, request, signal);
  const isLeftover = opened.joined && opened.audience === 'requester' && opened.cause === 'caller_gone';
  if (!isLeftover || run.toolCall !== undefined) return opened;
  await run.client.complete(opened.toolCall, { attempt: 'left-over', delivered: true }, { signal });
  return open(run, request, signal);
}

/** The token goes to the orchestrator only: hooks see the request without it. */
const open = ({ client, call: { accessToken, traceparent } }: Run, request: OpenElicitation, signal: AbortSignal) =>
  client.open({ ...request, ...(accessToken !== undefined && { accessToken }) }, { signal, traceparent });

/**
 * Asks, and so releases the execution this run may hold: another process that continues the call must be able to
 * take it.
 * Only the first of several questions that are asked together does so, and nothing is taken before its answer.
 */
async function askOn(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  if (!run.hasClaimed || !run.execution) return open(run, request, signal);
  run.hasClaimed = false;
  run.taking = undefined;
  const opening = open(run, { ...request, attempt: run.execution.attempt }, signal);
  run.givingBack = opening.catch(() => (run.hasClaimed = true));
  return opening;
}
