import { isClosed } from '../model/elicitation.ts';
import type { ElicitationState, OpenedElicitation, OpenElicitation } from '../client/client.ts';
import { linkSignals } from '../client/linked-signal.ts';
import type { FormContent } from '../form/schema.ts';
import type { z } from 'zod';
import { askInRound, leaveToTask } from './ask-in-round.ts';
import { askByRelay } from './ask-by-relay.ts';
import { askByUrl } from './ask-by-url.ts';
import { askRequester } from './ask-requester.ts';
import type { Asking } from './asking.ts';
import { chooseChannel, type Channel } from './channel.ts';
import type { ElicitOptions } from './elicit-options.ts';
import type { ElicitResult } from './elicit-result.ts';
import { ElicitationNotSupportedError } from './errors.ts';
import { giveLink } from './give-link.ts';
import { holdForApprovers } from './hold-for-approvers.ts';
import { leaveQuestion } from './leave-question.ts';
import { linger } from './linger.ts';
import type { Asks, JsonForm, ZodForm } from './question.ts';
import { requireAskable } from './require-askable.ts';
import { buildParams, prepareRequest, storeRecord } from './request-flow.ts';
import { resultOf } from './result-flow.ts';
import type { Run } from './run.ts';

/**
 * Asks a person and resolves with the validated answer.
 * Rejects with ElicitationTimeoutError, ElicitationNotSupportedError, InvalidInputError or another Problem.
 * An accept is handed out once: of all runs of one call, only the one that gets it may act on it.
 */
export interface Elicit {
  <S extends ZodForm>(message: string, form: S, options?: ElicitOptions): Promise<ElicitResult<z.output<S>>>;
  (message: string, form: JsonForm, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
  /** Sends the person to this address; an accept says that what was to be done there is done. */
  (message: string, url: string | URL, options?: ElicitOptions): Promise<ElicitResult<FormContent>>;
}

export function createElicit(run: Run): Elicit {
  const elicit = (message: string, asks: Asks, options: ElicitOptions = {}) => {
    const asked = askUnderSignals(run, message, asks, options);
    asked.catch(() => {}); // a tool that forgets to await must not bring its whole process down
    return asked;
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
    const asked = { message, asks, options, step, signal: linked.signal, decided };
    return await ask(run, await run.prepare(() => prepareRequest(run, asked)));
  } finally {
    decided();
    linked.release();
  }
}

async function ask(run: Run, asking: Asking): Promise<ElicitResult<unknown>> {
  asking.signal.throwIfAborted();
  const opened = await store(run, asking);
  const state = isClosed(opened.status) ? opened : await decide(run, asking, opened);
  run.undecided.delete(opened);
  asking.decided();
  return resultOf(run, asking, state);
}

/** A question that a hook refuses after it was stored is given up like any other. */
async function store(run: Run, asking: Asking): Promise<OpenedElicitation> {
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

/** Milliseconds an opening may go on after its asker has left: to withdraw a question one must know its id. */
const openingTime = 10_000;

/** Opens or joins; a question whose asker has gone meanwhile is left as any other, and nobody waits for it. */
async function openQuestion(run: Run, asking: Asking, signal: AbortSignal): Promise<OpenedElicitation> {
  const opened = await openOrRenew(run, asking.request, signal);
  run.enter(opened.toolCall);
  if (!isClosed(opened.status)) run.undecided.add(opened);
  if (opened.joined && hasPage(run, opened)) run.elsewhere.add(opened.id);
  if (!asking.signal.aborted) return opened;
  leaveQuestion(run, opened);
  throw asking.signal.reason;
}

/** Its person may have the page from an earlier run: wherever this one is left, that stays. */
const hasPage = (run: Run, opened: OpenedElicitation): boolean =>
  opened.mode === 'url' || channelFor(run, opened) === 'link';

/**
 * A requester's call that its caller left without an answer is not replayed: the retry asks anew, also where it
 * overtakes the end of the run that was left.
 */
async function openOrRenew(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  const opened = await askOn(run, request, signal);
  const isLeftover = opened.joined && opened.audience === 'requester' && opened.cause === 'caller_gone';
  if (!isLeftover || run.toolCall !== undefined) return opened;
  await run.client.complete(opened.toolCall, { attempt: 'left-over', delivered: true }, { signal });
  return run.client.open(request, { signal });
}

/**
 * Asks, and with it gives back the execution this run may hold: whoever continues the call must be able to take it.
 * Only the first of several that are asked together says so, and nothing is taken before it was heard.
 */
async function askOn(run: Run, request: OpenElicitation, signal: AbortSignal): Promise<OpenedElicitation> {
  if (!run.hasClaimed || !run.execution) return run.client.open(request, { signal });
  run.hasClaimed = false;
  run.taking = undefined;
  const opening = run.client.open({ ...request, attempt: run.execution.attempt }, { signal });
  run.givingBack = opening.catch(() => (run.hasClaimed = true));
  return opening;
}

/** Until the row is closed; a question that is given up before is not left to people as if somebody still asked. */
async function decide(run: Run, asking: Asking, opened: OpenedElicitation): Promise<ElicitationState> {
  const { signal } = asking;
  try {
    signal.throwIfAborted();
    const channel = channelFor(run, opened);
    if (channel === 'unsupported') throw new ElicitationNotSupportedError(unsupported, opened.mode);
    const question = await buildParams(run, asking, opened, channel);
    return await travel(run, { ...asking, question }, opened, channel);
  } catch (error) {
    leaveQuestion(run, opened);
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
  if (channel === 'task') return leaveToTask(run, asking, opened);
  asking.decided();
  if (channel === 'hold') return holdForApprovers(run, question, opened, signal);
  if (channel === 'push') return askAtClient(run, asking, opened);
  return giveLink(run, question, opened, signal);
}

const unsupported = 'The client in front of this call cannot put this to its person.';

function channelFor({ call, capabilities, settings }: Run, { audience, mode }: ElicitationState): Channel {
  const { round, task } = call;
  const taken = task && (task.holdsQuestions ? ('everybody' as const) : ('approvers' as const));
  const client = { capabilities, hasRounds: round !== undefined, task: taken };
  return chooseChannel({ audience, mode, withoutElicitation: settings.withoutElicitation, ...client });
}

/** A client that turns out to be unable is one that never declared it: its question goes the way there is without. */
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
