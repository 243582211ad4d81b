import type { ElicitationState, OpenedElicitation, OpenElicitation } from '../../client/client.ts';
import { withDeadline } from '../../client/transport/deadline.ts';
import { isClosed } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import type { HostSettings } from '../options/host-options.ts';
import { isRefused, unavailable, withdrawn, type Refused } from '../options/refusal.ts';

/** Milliseconds. The row expires first; this limit is for when the server cannot be reached. */
const grace = 30_000;
/** Milliseconds for a withdrawal: no one waits for its answer. */
const withdrawalMs = 5_000;

/**
 * Asks, and waits until approvers have decided or ended the question. If the wait is aborted, the question is
 * withdrawn.
 */
export async function askApprovers(
  settings: HostSettings,
  request: OpenElicitation,
  signal: AbortSignal,
): Promise<ElicitationState | Refused> {
  if (signal.aborted) return withdrawn();
  const opened = await open(settings, request);
  if (isRefused(opened)) return opened;
  const outcome = await waitFor(settings, opened, signal);
  if (!isRefused(outcome)) return outcome;
  if (outcome.reason === 'withdrawn' || outcome.reason === 'unavailable') await withdraw(settings, opened.id);
  return { ...outcome, elicitation: opened.id };
}

/** Without the signal: a question whose id is unknown could not be withdrawn. */
async function open(
  { client, serverName, whenUnanswered }: HostSettings,
  request: OpenElicitation,
): Promise<OpenedElicitation | Refused> {
  try {
    return await client.open(request);
  } catch (error) {
    if (!(error instanceof Problem) || !notAskable.has(error.code)) return unavailable(whenUnanswered, error);
    const detail = `The question of ${serverName} cannot be shown to approvers: ${error.message}`;
    return { reason: 'question-not-askable', action: 'decline', detail, errors: error.errors };
  }
}

const notAskable = new Set<Problem['code']>(['INVALID_INPUT', 'body-too-large']);

async function waitFor(
  { client, whenUnanswered }: HostSettings,
  opened: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState | Refused> {
  const timeout = opened.deadlineAt - opened.openedAt + grace;
  try {
    const state = await client.waitForOutcome(opened.id, { signal, timeout });
    if (!isClosed(state.status)) return unavailable(whenUnanswered);
    if (state.status !== 'expired') return state;
    const detail = `No one answered within ${Math.round((state.deadlineAt - state.openedAt) / 1000)} seconds.`;
    return { reason: 'unanswered', action: whenUnanswered, detail };
  } catch (error) {
    return signal.aborted ? withdrawn() : unavailable(whenUnanswered, error);
  }
}

async function withdraw({ client }: HostSettings, id: string): Promise<void> {
  try {
    await withDeadline(withdrawalMs, undefined, (signal) => client.cancel(id, { cause: 'caller_gone' }, { signal }));
  } catch {
    // It ends at its deadline instead.
  }
}
