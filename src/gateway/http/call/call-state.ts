/*
 * The states of one call of a client over HTTP, as data. Everything that happens to a call is an event, and `transition`
 * alone decides what follows from it. `HttpCall` does the I/O.
 */

/**
 * `held`: it was not given to the upstream. `forwarded`: it was, once; also while its result waits for its release.
 * `left`: its caller no longer waits, so what was held is not forwarded any more. `lost`: its session ended while it was
 * held, and its client was answered so. `answered`: its client was sent the answer.
 */
export type CallState =
  | { readonly at: 'held' | 'forwarded' | 'lost' }
  | { readonly at: 'left'; readonly why: Leaving; readonly hasRun: boolean }
  | { readonly at: 'answered'; readonly hasRun: boolean };

type Leaving = 'cancel' | 'disconnect' | 'end';

export type CallEvent =
  /** It is about to be given to the upstream. */
  | 'forward'
  /** There is an answer for its client. */
  | 'answer'
  /** Its client cancels it. */
  | 'cancel'
  | 'disconnect'
  /** The gateway ends. */
  | 'end'
  /** Its session with the upstream has ended. */
  | 'lose';

export const initialCall: CallState = { at: 'held' };

/** The next state, or the same one if the event changes nothing; null if it is impossible, so that nothing may follow from it. */
export function transition(state: CallState, event: CallEvent): CallState | null {
  if (event === 'forward') return state.at === 'held' ? { at: 'forwarded' } : null;
  if (event === 'answer') return afterAnswer(state);
  // The stream of a call that was forwarded shows what became of it.
  if (event === 'lose') return state.at === 'held' ? { at: 'lost' } : state;
  return afterLeaving(state, event);
}

/** A call whose client no longer waits gets no answer, unless the gateway ends: then the client is there, and may call again. */
function afterAnswer(state: CallState): CallState {
  if (state.at === 'lost' || state.at === 'answered' || (state.at === 'left' && state.why !== 'end')) return state;
  return { at: 'answered', hasRun: hasRun(state) };
}

function afterLeaving(state: CallState, why: Leaving): CallState {
  if (state.at === 'lost' || state.at === 'answered') return state;
  if (state.at !== 'left') return { at: 'left', why, hasRun: hasRun(state) };
  return why === 'end' && state.why !== 'end' ? { ...state, why } : state;
}

/** The upstream was given it. */
export const hasRun = (state: CallState): boolean => state.at === 'forwarded' || ('hasRun' in state && state.hasRun);
