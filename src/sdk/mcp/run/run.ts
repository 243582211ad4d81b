import {
  type IncomingCall,
  type RoundQuestion,
  type NewMemo,
  plainArguments,
  stillDeclared,
  supportsElicitation,
  type ElicitationCapabilities,
  type WithoutElicitation,
  type ToolResult,
} from '../question/call.ts';
import type { ElicitationState } from '#requests/asking/contract/open';
import type { FormQuestion } from '../question/question.ts';
import type { AssentryClient } from '../../client/client.ts';
import { runDigest } from '../../client/digest.ts';
import { Problem } from '#platform/model/problem';
import { CallEndedError } from '../question/errors.ts';
import { enterExecution, type Execution, Questions } from './executions.ts';
import type { Hook } from '../hooks/hooks.ts';

/**
 * Questions of a run in progress at the same time. A client that gets questions as results gets all open ones together. No
 * accepted answer takes effect while another question would end the run, because the tool's code up to there then runs again.
 */
export class Turn {
  readonly #undecided = new Set<object>();
  #isSuspended = false;
  #onQuiet: (() => void)[] = [];

  /** Counts a question in, until the function returned is called; calling it again changes nothing. */
  begin(): () => void {
    const question = {};
    this.#undecided.add(question);
    return () => {
      if (this.#undecided.delete(question)) this.#look();
    };
  }

  /** Stops all effects from now on; resolves when every other question of the turn is decided. */
  suspend(): Promise<void> {
    this.#isSuspended = true;
    return new Promise((resolve) => this.#wait(resolve));
  }

  /** Resolves when no question is undecided; if it is suspended, never: the run ends. Rejects with the signal. */
  quiet(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#wait(() => {
        if (!this.#isSuspended) resolve();
      });
    });
  }

  #wait(then: () => void): void {
    this.#onQuiet.push(then);
    this.#look();
  }

  /** Checks after the tool's code had a chance to ask again. */
  #look(): void {
    setTimeout(() => {
      if (this.#undecided.size > 0) return;
      for (const then of this.#onQuiet.splice(0)) then();
    });
  }
}

/** Tells the caller that its call is alive; one counter per call, because progress must always increase. */
export class Progress {
  readonly #send: IncomingCall['sendProgress'];
  readonly #every: number;
  #count = 0;

  constructor({ sendProgress }: Pick<IncomingCall, 'sendProgress'>, every: number) {
    this.#send = sendProgress;
    this.#every = every;
  }

  /** Reports at once, and then at intervals until the work ends. */
  async during<T>(message: string, work: () => Promise<T>): Promise<T> {
    const send = this.#send;
    if (!send) return work();
    const report = () => void send((this.#count += 1), message).catch(() => {}); // a lost stream is noticed elsewhere
    report();
    const timer = setInterval(report, this.#every);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}

/** Questions that a run leaves at its end: for its client, which calls again with the answers, or for the agent. */
class Handover {
  #forAgent: { question: FormQuestion; opened: ElicitationState } | undefined;
  #done: Promise<Error> | undefined;
  readonly #steps = new Set<string>();
  readonly #forClient = new Map<string, RoundQuestion>();

  /** Reserves a step's place: questions are handed over in this order, whatever the order of the orchestrator's answers. */
  expect(step: string): void {
    this.#steps.add(step);
  }

  /** The question for the agent to put to its person: the first open one. */
  get forAgent(): { readonly question: FormQuestion; readonly opened: ElicitationState } | undefined {
    return this.#forAgent;
  }

  addForAgent(question: FormQuestion, opened: ElicitationState): void {
    this.#forAgent ??= { question, opened };
  }

  addForClient(step: string, question: RoundQuestion): void {
    this.#forClient.set(step, question);
  }

  /** Hands everything over once, by the first of a turn's questions; resolves with the error that ends them all. */
  once(handOver: () => Promise<Error>): Promise<Error> {
    this.#done ??= handOver();
    return this.#done;
  }

  /** Questions by step, in the order of asking. */
  get forClient(): ReadonlyMap<string, RoundQuestion> {
    const inOrder = [...this.#steps].flatMap((step): [string, RoundQuestion][] => {
      const question = this.#forClient.get(step);
      return question ? [[step, question]] : [];
    });
    return new Map(inOrder);
  }
}

/** Results of the steps of one run. Those made before the call was stored are kept with its first question. */
class Memos {
  readonly #byKey = new Map<string, Promise<unknown>>();
  readonly #unkept = new Set<NewMemo>();

  /** Result of the key's first use; a step that failed may be tried again. */
  once(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const earlier = this.#byKey.get(key);
    if (earlier) return earlier;
    const memo = work();
    this.#byKey.set(key, memo);
    memo.catch(() => this.#byKey.delete(key));
    return memo;
  }

  add(memo: NewMemo): void {
    this.#unkept.add(memo);
  }

  /**
   * Keeps the results. One that cannot be kept now is kept with the next question, or made again under the same idempotency
   * key.
   */
  async keep(client: AssentryClient, toolCall: string): Promise<void> {
    for (const memo of this.#unkept) {
      const isKept = await client.keepMemo(toolCall, memo).then(
        () => true,
        () => false,
      );
      if (isKept) this.#unkept.delete(memo);
    }
  }
}

/*
 * States of a run, as data: its part of its call's one execution, and its end. Everything that happens to a run is an event,
 * and `transition` alone decides its effect. `Run` does the I/O.
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

/** Reason why its caller left. `detached`: it may come back to its question. `withdrawn`: its question was withdrawn. */
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

/** End of a run of the tool; `RunEnd` explains each. */
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
  /** The run ended before anything ran. */
  | { type: 'give-back' }
  /** The caller has left one of the run's questions, and may or may not come back to it. */
  | { type: 'leave'; mayComeBack: boolean }
  | { type: 'end'; as: Extract<End, { at: 'ended' }> }
  /** The tool's code is over. `isUnused`: it did nothing. */
  | { type: 'finish'; isUnused: boolean };

type ClaimEvent = Exclude<RunEvent['type'], 'leave' | 'end' | 'finish'>;

export const initialState: RunState = { claim: 'asking', end: { at: 'running', leaving: 'none' } };

/** Next state by state and event. An event that a state does not list is impossible there. */
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

/** The next state, or the same one if the event changes nothing; null if the event is impossible in this state. */
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

/**
 * Is the event in time? Nothing begins to act after the caller has its result, and nothing is claimed unused while the tool may
 * still act.
 */
function isTimely({ at }: End, event: ClaimEvent): boolean {
  if (event === 'claim') return at === 'running';
  if (event === 'give-back' || event === 'claimed-unused') return at === 'finished';
  return true;
}

/** The end after an event. The caller gets one result: the first end counts, and the tool's own only without an earlier one. */
function endAfter(end: End, event: Extract<RunEvent, { type: 'leave' | 'end' | 'finish' }>): End {
  if (end.at === 'ended') return end;
  if (event.type === 'leave') return leaveWith(end, event.mayComeBack);
  if (end.at === 'finished') return end;
  if (event.type === 'end') return event.as;
  return { at: 'finished', leaving: end.leaving, isUnused: event.isUnused };
}

/** The end after a leave. A withdrawn question outweighs one that stays open: its call must not answer for the person. */
function leaveWith(end: Exclude<End, { at: 'ended' }>, mayComeBack: boolean): End {
  const leaving = mayComeBack && end.leaving !== 'withdrawn' ? 'detached' : 'withdrawn';
  return leaving === end.leaving ? end : { ...end, leaving };
}

/** Does it have, or may it have, the claim to its call's execution? */
export const holdsClaim = ({ claim }: RunState): boolean => holding.has(claim);

const holding: ReadonlySet<Claim> = new Set(['claimed', 'uncertain', 'reclaiming', 'unused']);

export function howEnded({ end }: RunState): How {
  if (end.at === 'ended') return end.how;
  return end.leaving === 'none' ? 'finished' : end.leaving;
}

/** Does the caller's next call, or the replacing run, continue this run? */
export function isToBeContinued({ end }: RunState): boolean {
  if (end.at !== 'ended') return false;
  return end.how === 'restarted' ? end.next.continues !== undefined : end.how !== 'replayed';
}

export interface RunSettings {
  /** Milliseconds a call is held for approvers; undefined depends on whether the caller gets progress. */
  holdTimeoutMs: number | undefined;
  /** Milliseconds; undefined leaves it to the policy. */
  ttl: number | undefined;
  withoutElicitation: WithoutElicitation;
  /** Milliseconds between two progress notifications. */
  progressIntervalMs: number;
  /** Milliseconds after which a silent run elsewhere counts as dead. */
  leaseMs: number;
  hooks: readonly Hook[];
}

/** Milliseconds, below the minute that many clients allow a call. */
const defaultHoldMs = 50_000;
/** Milliseconds for a caller that gets progress, which may wait longer. */
const progressHoldMs = 600_000;

/** One run of the tool's code for one incoming call. */
export class Run {
  readonly call: IncomingCall;
  readonly client: AssentryClient;
  readonly settings: RunSettings;
  readonly progress: Progress;
  /** Aborts when the caller has gone or the run is over: no question outlives its run. */
  readonly signal: AbortSignal;
  /** Resolves with the result the caller gets instead of the tool's own. */
  readonly ended: Promise<ToolResult>;
  readonly questions: Questions;
  readonly memos = new Memos();
  readonly turn = new Turn();
  readonly handover = new Handover();
  /** The run that this one replaces. */
  readonly former: Run | undefined;
  readonly #deadline: number;
  readonly #scope = new AbortController();
  #state = initialState;
  #callName: Promise<string> | undefined;
  #joined: { toolCall: string; execution: Execution } | undefined;
  /** Settles with the claim shared by all accepted answers of this run. */
  #claiming: Promise<void> = Promise.resolve();
  /** Resolves when this run's claim is released, or could not be, because it asks again. */
  #releasing: Promise<void> = Promise.resolve();
  #restarting: Promise<Error> | undefined;
  #resolveEnded: (result: ToolResult) => void = () => {};
  #steps = 0;
  readonly #cleanups: Promise<unknown>[] = [];
  #prepared: Promise<unknown> = Promise.resolve();

  constructor(call: IncomingCall, client: AssentryClient, settings: RunSettings, former?: Run) {
    this.call = call;
    this.client = client;
    this.settings = settings;
    this.former = former;
    this.progress = former?.progress ?? new Progress(call, settings.progressIntervalMs);
    const isContinued = former?.isToBeContinued === true;
    this.#callName = isContinued ? former.#callName : undefined;
    this.questions = new Questions(isContinued ? former.questions : undefined);
    this.signal = this.#scope.signal;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    const holdTimeoutMs = settings.holdTimeoutMs ?? (call.sendProgress ? progressHoldMs : defaultHoldMs);
    this.#deadline = former ? former.#deadline : Date.now() + holdTimeoutMs;
    call.signal.addEventListener('abort', this.#leave);
    if (call.signal.aborted) this.#leave();
  }

  /** The open questions, for other runs of the call. */
  get undecided(): ReadonlySet<ElicitationState> {
    return this.questions.open;
  }

  /** Name of its call, given by its first question. */
  get callName(): Promise<string> | undefined {
    return this.#callName;
  }

  /** The stored call and its execution here, after the first question. */
  get joined(): { readonly toolCall: string; readonly execution: Execution } | undefined {
    return this.#joined;
  }

  get holdsClaim(): boolean {
    return holdsClaim(this.#state);
  }

  /** True once one of its questions was accepted. */
  get hasAccepted(): boolean {
    return this.#state.claim !== 'asking';
  }

  get how(): How {
    return howEnded(this.#state);
  }

  /** True if the caller has another result than the tool's own. */
  get hasEnded(): boolean {
    return this.#state.end.at === 'ended';
  }

  /** True if it ended before anything ran. */
  get isUnused(): boolean {
    return this.#state.end.at === 'finished' && this.#state.end.isUnused;
  }

  /** Call to run after this run, in its place. */
  get next(): IncomingCall | undefined {
    const { end } = this.#state;
    return end.at === 'ended' && end.how === 'restarted' ? end.next : undefined;
  }

  /** Milliseconds the caller may still be kept waiting. */
  get holdTimeoutMs(): number {
    return Math.max(0, this.#deadline - Date.now());
  }

  get isCallerGone(): boolean {
    return this.call.signal.aborted;
  }

  /** True if this run may end with a question, after which the tool's code runs again from its start. */
  get isReentered(): boolean {
    return this.call.round !== undefined || this.call.task !== undefined || this.isRelayed;
  }

  /** Capabilities that the client still has. */
  get capabilities(): ElicitationCapabilities | undefined {
    return stillDeclared(this.call.capabilities);
  }

  /** True if the agent asks the person, and another call continues this one. */
  get isRelayed(): boolean {
    return this.settings.withoutElicitation === 'relay' && !supportsElicitation(this.capabilities);
  }

  /** True if the caller's next call, or the replacing run, continues this run. */
  get isToBeContinued(): boolean {
    return isToBeContinued(this.#state);
  }

  /** Applies the event and returns whether it changed anything. Throws if it is impossible. */
  dispatch(event: RunEvent): boolean {
    const next = transition(this.#state, event);
    if (next === null) throw this.#state.end.at === 'running' ? new Problem('internal') : ended();
    const hasChanged = next !== this.#state;
    this.#state = next;
    return hasChanged;
  }

  /** Names a question before anything is awaited: questions are numbered in the order of asking. */
  takeStep(key: string | undefined): string {
    const step = key ?? String(this.#steps++);
    this.handover.expect(step);
    return step;
  }

  /** Prepares one question after the other: the first names the call, however long its hooks take. */
  prepare<T>(work: () => Promise<T>): Promise<T> {
    const prepared = this.#prepared.then(work);
    this.#prepared = prepared.catch(() => {});
    return prepared;
  }

  /** Names the call once, by its first question. */
  nameOnce(name: () => Promise<string>): Promise<string> {
    this.#callName ??= name();
    return this.#callName;
  }

  enter(toolCall: string): Execution {
    this.#joined ??= { toolCall, execution: enterExecution(toolCall, this) };
    return this.#joined.execution;
  }

  /**
   * Opens a question with the attempt whose claim this releases: another process that continues the call must be able to claim.
   * Of several questions asked together only the first does so, and nothing is claimed before its answer.
   */
  ask<T>(open: (attempt?: string) => Promise<T>): Promise<T> {
    if (!this.dispatch({ type: 'ask' })) return open();
    const opening = open(this.#joined?.execution.attempt);
    this.#releasing = opening.then(
      () => void this.dispatch({ type: 'released' }),
      () => void this.dispatch({ type: 'release-failed' }),
    );
    return opening;
  }

  /** Claims once for all accepted answers, and not before an earlier claim is released. */
  claimOnce(claim: () => Promise<void>): Promise<void> {
    if (this.dispatch({ type: 'claim' })) this.#claiming = this.#releasing.then(claim);
    return this.#claiming;
  }

  /** Gives the caller this result and ends the run, unless it has ended; code still inside it is thrown out. */
  end(how: 'pending' | 'asked' | 'replayed', result: ToolResult): CallEndedError {
    return this.#end({ at: 'ended', how }, result);
  }

  /** Ends this run, and restarts the tool's code for this call instead. */
  restart(next: IncomingCall): CallEndedError {
    return this.#end({ at: 'ended', how: 'restarted', next }, { content: [] });
  }

  #end(as: Extract<End, { at: 'ended' }>, result: ToolResult): CallEndedError {
    if (this.dispatch({ type: 'end', as })) this.#resolveEnded(result);
    return ended();
  }

  /** Restarts once: from now on every answer ends with the error that this resolves with. */
  restartAfter(work: () => Promise<Error>): void {
    this.#restarting ??= work();
  }

  async throwIfRestarting(): Promise<void> {
    if (this.#restarting) throw await this.#restarting;
  }

  /** Can edits by approvers reach the tool's code? Its schema must not change the arguments that people saw. */
  async takesEdits(): Promise<boolean> {
    const { readSeen, args } = this.call;
    return readSeen !== undefined && (await readSeen(plainArguments(args))) !== undefined;
  }

  /** The digest of the run that is about to happen. */
  digest(): Promise<string> {
    const { tool, args, requester } = this.call;
    return runDigest({ tool, arguments: plainArguments(args), requester });
  }

  /** Adds work to await at the run's end; its failure does not affect the caller. */
  addCleanup(cleanup: Promise<unknown>): void {
    this.#cleanups.push(cleanup.catch(() => {}));
  }

  /** Awaits all cleanups, also those added meanwhile. */
  async cleanups(): Promise<void> {
    for (const cleanup of this.#cleanups) await cleanup;
  }

  close(): void {
    this.call.signal.removeEventListener('abort', this.#leave);
    this.#scope.abort(new CallEndedError('The tool has ended; no one waits for this question any more.'));
  }

  readonly #leave = (): void => this.#scope.abort(new CallEndedError('The caller has gone.'));
}

const ended = (): CallEndedError => new CallEndedError('This call has its result already.');
