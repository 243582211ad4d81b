import { waitAtMost } from '../../client/transport.ts';
import type { How } from './run.ts';
import { claimOnce } from '../../client/claims.ts';
import type { AssentryClient, ClaimToolCall } from '../../client/client.ts';
import { Problem } from '#platform/model/problem';

/** Calls whose result is on its way to the caller, by their name and by their id. */
const settling = new Map<string, Promise<void>>();

/** Milliseconds the next equal call waits at most to learn whether the result was taken. */
const maxWaitMs = 10_000;

/** Makes the next equal call wait for this: until then it could find a result that its caller already has. */
export function trackSettlement(call: string, settled: Promise<void>): void {
  const own = settled.finally(() => {
    if (settling.get(call) === own) settling.delete(call);
  });
  settling.set(call, own);
}

/** Resolves when the last run of an equal call in this process has been settled. */
export async function untilSettled(call: string | undefined): Promise<void> {
  const settled = call === undefined ? undefined : settling.get(call);
  if (!settled) return;
  await waitAtMost(maxWaitMs, settled);
}

/** Resolves when every result that is on its way in this process has been settled. */
export const untilAllSettled = async (): Promise<void> => {
  await Promise.all([...settling.keys()].map(untilSettled));
};

/** End of a run of the tool. */
export interface RunEnd {
  /** `finished`: the tool returned or threw; `pending`: its hold ended; `asked`: the caller asks its person and calls
   *  again; `replayed`: another run's result was given; `withdrawn`: the caller left, and its question was withdrawn;
   *  `detached`: it left a question that stays open; `restarted`: the tool's code runs once more. */
  how: How;
  isCallerGone: boolean;
  hasClaimed: boolean;
  /** Set if the result is fetched later, without a waiting caller. */
  isBackground?: boolean;
  /** Set if another run of the call here still waits for an answer. */
  isAwaited?: boolean;
}

type Settlement = 'nothing' | 'settle' | 'keep-result';

/**
 * Record of a tool call at the end of a run. `settle`: the caller has its result, and the next equal call asks again.
 * `keep-result`: it is there for the retry. `nothing`: the call stays open for the retry, or for the run that still waits.
 */
export function chooseSettlement({ how, isCallerGone, hasClaimed, isBackground, isAwaited }: RunEnd): Settlement {
  if (isBackground) return how === 'finished' ? 'keep-result' : 'nothing';
  if (how === 'pending' || how === 'asked' || how === 'detached' || how === 'restarted') return 'nothing';
  if (how === 'replayed') return isCallerGone ? 'nothing' : 'settle';
  // The requester's question was cancelled with its caller: replaying that to a retry would answer for the person.
  if (how === 'withdrawn') return 'settle';
  if (!isCallerGone) return isAwaited && !hasClaimed ? 'nothing' : 'settle';
  return hasClaimed ? 'keep-result' : 'nothing';
}

/** Takes an execution that will not be used, so that the call can be ended; `none` if it releases nothing. */
export async function takeUnused(
  client: AssentryClient,
  toolCall: string,
  claim: ClaimToolCall,
  signal?: AbortSignal,
): Promise<'taken' | 'none' | 'refused'> {
  try {
    const { state } = await claimOnce(client, toolCall, claim, { signal, graceMs: 0 });
    return state === 'claimed' ? 'taken' : 'refused';
  } catch (error) {
    if (error instanceof Problem) return error.code === 'already-closed' ? 'none' : 'refused';
    throw error;
  }
}
