import type { How } from '../run/run-state.ts';

/** How a run of the tool ended. */
export interface RunEnd {
  /** `finished`: the tool returned or threw; `pending`: its hold ended; `asked`: the caller asks its person and calls
   *  again; `replayed`: another run's result was given; `withdrawn`: the caller left, and its question was withdrawn;
   *  `detached`: it left a question that stays open; `restarted`: the tool's code runs once more. */
  how: How;
  isCallerGone: boolean;
  hasClaimed: boolean;
  /** No one waits for the result: it is fetched later. */
  isBackground?: boolean;
  /** Another run of the call here still waits for an answer. */
  isAwaited?: boolean;
}

type Settlement = 'nothing' | 'settle' | 'keep-result';

/**
 * What to record of a tool call at the end of a run.
 * `settle`: the caller has its result, and the next equal call asks again. `keep-result`: it is there for the retry.
 * `nothing`: the call stays open for the retry, or for the run that still waits.
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
