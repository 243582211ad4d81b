import type { IncomingCall } from '../../question/call/incoming-call.ts';

/*
 * The states of a run, as data: what it holds of its call's one execution, and how it ended. Everything that happens to a
 * run is an event, and `transition` alone decides what follows from it. `Run` does the I/O.
 */

/**
 * What a run holds of its call's execution.
 * `asking`: nothing that it asked was accepted yet. `approved`: something was, and nothing is claimed.
 * `claiming`: its claim is under way. `claimed`: its tool may act. `refused`: its claim failed, and is not repeated.
 * `releasing`: it asks again, which releases what it claimed. `queued`: it claims once that is released.
 * `uncertain`: the release failed, so it may still hold its claim. `reclaiming`: it makes that claim again.
 * `unused`: it claimed after its end, only so that the call can be ended; nothing runs.
 */
export type Claim =
  | 'asking'
  | 'approved'
  | 'claiming'
  | 'claimed'
  | 'refused'
  | 'releasing'
  | 'queued'
  | 'uncertain'
  | 'reclaiming'
  | 'unused';

/** Why its caller left. `detached`: it may come back to its question. `withdrawn`: its question was withdrawn. */
type Leaving = 'none' | 'detached' | 'withdrawn';

/** `ended`: the caller gets this instead of the tool's own result. `finished`: it gets the tool's own. */
export type End =
  | { at: 'running'; leaving: Leaving }
  | { at: 'ended'; how: 'pending' | 'asked' | 'replayed' }
  | { at: 'ended'; how: 'restarted'; next: IncomingCall }
  | { at: 'finished'; leaving: Leaving; isUnused: boolean };

export interface RunState {
  claim: Claim;
  end: End;
}

/** How a run of the tool ended; `RunEnd` explains each. */
export type How = Extract<End, { at: 'ended' }>['how'] | 'finished' | Exclude<Leaving, 'none'>;

export type RunEvent =
  /** A question is about to be opened. */
  | { type: 'ask' }
  /** An answer accepts something. */
  | { type: 'accept' }
  /** The question that releases its claim is open. */
  | { type: 'released' }
  | { type: 'release-failed' }
  /** An accepted answer is about to take effect. */
  | { type: 'claim' }
  | { type: 'claimed' }
  /** Another run acts, or has acted. */
  | { type: 'claimed-elsewhere' }
  /** The answers so far release no execution. */
  | { type: 'nothing-to-claim' }
  | { type: 'claim-failed' }
  | { type: 'claimed-unused' }
  /** It ended before anything ran. */
  | { type: 'give-back' }
  /** Its caller has left one of its questions, and may come back to it or not. */
  | { type: 'leave'; mayComeBack: boolean }
  | { type: 'end'; as: Extract<End, { at: 'ended' }> }
  /** The tool's code is over. `isUnused`: it did nothing. */
  | { type: 'finish'; isUnused: boolean };

type ClaimEvent = Exclude<RunEvent['type'], 'leave' | 'end' | 'finish'>;

export const initialState: RunState = { claim: 'asking', end: { at: 'running', leaving: 'none' } };

/** What each event makes of each state. An event that a state does not list is impossible there. */
const claimTable: Record<Claim, Partial<Record<ClaimEvent, Claim>>> = {
  asking: { ask: 'asking', accept: 'approved' },
  approved: { ask: 'approved', accept: 'approved', claim: 'claiming', 'claimed-unused': 'unused' },
  claiming: {
    ask: 'claiming',
    accept: 'claiming',
    claim: 'claiming',
    claimed: 'claimed',
    'claimed-elsewhere': 'claiming',
    'nothing-to-claim': 'approved',
    'claim-failed': 'refused',
    'claimed-unused': 'unused',
  },
  claimed: { ask: 'releasing', accept: 'claimed', claim: 'claimed', 'give-back': 'approved' },
  refused: { ask: 'refused', accept: 'refused', claim: 'refused', 'claimed-unused': 'unused' },
  releasing: {
    ask: 'releasing',
    accept: 'releasing',
    claim: 'queued',
    released: 'approved',
    'release-failed': 'uncertain',
  },
  queued: { ask: 'queued', accept: 'queued', claim: 'queued', released: 'claiming', 'release-failed': 'reclaiming' },
  uncertain: { ask: 'releasing', accept: 'uncertain', claim: 'reclaiming', 'give-back': 'approved' },
  reclaiming: {
    ask: 'reclaiming',
    accept: 'reclaiming',
    claim: 'reclaiming',
    claimed: 'claimed',
    'claimed-elsewhere': 'claiming',
    'nothing-to-claim': 'approved',
    'claim-failed': 'refused',
    'give-back': 'approved',
  },
  unused: { accept: 'unused' },
};

/** The next state, or the same one if the event changes nothing; null if it is impossible, so that nothing may follow from it. */
export function transition(state: RunState, event: RunEvent): RunState | null {
  const { claim, end } = state;
  if (event.type === 'leave' || event.type === 'end' || event.type === 'finish') {
    const next = endAfter(end, event);
    return next === end ? state : { claim, end: next };
  }
  if (!isTimely(end, event.type)) return null;
  const next = claimTable[claim][event.type];
  if (next === undefined) return null;
  return next === claim ? state : { claim: next, end };
}

/** Nothing begins to act once the caller has its result, and nothing is claimed unused while the tool may still act. */
function isTimely({ at }: End, event: ClaimEvent): boolean {
  if (event === 'claim') return at === 'running';
  if (event === 'give-back' || event === 'claimed-unused') return at === 'finished';
  return true;
}

/** The caller gets one result: the first end counts, and the tool's own counts only if there was none before it. */
function endAfter(end: End, event: Extract<RunEvent, { type: 'leave' | 'end' | 'finish' }>): End {
  if (end.at === 'ended') return end;
  if (event.type === 'leave') return leaveWith(end, event.mayComeBack);
  if (end.at === 'finished') return end;
  if (event.type === 'end') return event.as;
  return { at: 'finished', leaving: end.leaving, isUnused: event.isUnused };
}

/** A withdrawn question counts for more than one that stays open: its call must not answer for the person. */
function leaveWith(end: Exclude<End, { at: 'ended' }>, mayComeBack: boolean): End {
  const leaving = mayComeBack && end.leaving !== 'withdrawn' ? 'detached' : 'withdrawn';
  return leaving === end.leaving ? end : { ...end, leaving };
}

/** It has, or may have, the claim to its call's execution. */
export const holdsClaim = ({ claim }: RunState): boolean => holding.has(claim);

const holding: ReadonlySet<Claim> = new Set(['claimed', 'uncertain', 'reclaiming', 'unused']);

export function howEnded({ end }: RunState): How {
  if (end.at === 'ended') return end.how;
  return end.leaving === 'none' ? 'finished' : end.leaving;
}

/** The caller's next call, or the replacing run, continues where this run ends. */
export function isToBeContinued({ end }: RunState): boolean {
  if (end.at !== 'ended') return false;
  return end.how === 'restarted' ? end.next.continues !== undefined : end.how !== 'replayed';
}
