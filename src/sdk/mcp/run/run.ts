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
 * The questions of a run that are in progress at the same time. A client that gets questions as results gets all open
 * ones together. No accepted answer takes effect while another question would end the run, because the tool's code up
 * to there then runs again.
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

  /** From now on nothing takes effect; resolves when every other question of the turn is decided. */
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

  /** Reports at once and then every so often, until the work ends. */
  async during<T>(message: string, work: () => Promise<T>): Promise<T> {
    const send = this.#send;
    if (!send) return work();
    const report = () => void send((this.#count += 1), message).catch(() => {}); // a lost stream shows elsewhere
    report();
    const timer = setInterval(report, this.#every);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * The questions that a run leaves when it ends: for its client, which calls again with the answers, or for the agent.
 */
class Handover {
  #forAgent: { question: FormQuestion; opened: ElicitationState } | undefined;
  #done: Promise<Error> | undefined;
  readonly #steps = new Set<string>();
  readonly #forClient = new Map<string, RoundQuestion>();

  /** Questions are handed over in the order in which they come here, whichever the orchestrator answered first. */
  expect(step: string): void {
    this.#steps.add(step);
  }

  /** The question that the agent is to put to its person: the first of those that are open. */
  get forAgent(): { readonly question: FormQuestion; readonly opened: ElicitationState } | undefined {
    return this.#forAgent;
  }

  addForAgent(question: FormQuestion, opened: ElicitationState): void {
    this.#forAgent ??= { question, opened };
  }

  addForClient(step: string, question: RoundQuestion): void {
    this.#forClient.set(step, question);
  }

  /** The first of a turn's questions hands everything over; resolves with the error that ends them all. */
  once(handOver: () => Promise<Error>): Promise<Error> {
    this.#done ??= handOver();
    return this.#done;
  }

  /** By step, in the order in which they were asked. */
  get forClient(): ReadonlyMap<string, RoundQuestion> {
    const inOrder = [...this.#steps].flatMap((step): [string, RoundQuestion][] => {
      const question = this.#forClient.get(step);
      return question ? [[step, question]] : [];
    });
    return new Map(inOrder);
  }
}

/** What the steps of one run made. What was made before the call was stored is kept with its first question. */
class Memos {
  readonly #byKey = new Map<string, Promise<unknown>>();
  readonly #unkept = new Set<NewMemo>();

  /** The same for each use of the key; a step that failed may be tried again. */
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

  /** What cannot be kept now is kept with the next question, or made again under the same idempotency key. */
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

/** Milliseconds. Below the minute that many clients allow a call. */
const defaultHoldMs = 50_000;
/** Milliseconds. A caller that gets progress may wait longer. */
const progressHoldMs = 600_000;

/** One run of the tool's code for one incoming call. */
export class Run {
  readonly call: IncomingCall;
  readonly client: AssentryClient;
  readonly settings: RunSettings;
  readonly progress: Progress;
  /** Aborts when the caller is gone or the run is over: nothing that was asked outlives its run. */
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
  /** Settles with the claim that all accepted answers of this run share. */
  #claiming: Promise<void> = Promise.resolve();
  /** Resolves when what this run claimed is released, or could not be, because it asks again. */
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

  /** The open questions, as other runs of the call see them. */
  get undecided(): ReadonlySet<ElicitationState> {
    return this.questions.open;
  }

  /** The name of its call, which its first question gives it. */
  get callName(): Promise<string> | undefined {
    return this.#callName;
  }

  /** The stored call and its execution here, once it has asked something. */
  get joined(): { readonly toolCall: string; readonly execution: Execution } | undefined {
    return this.#joined;
  }

  get holdsClaim(): boolean {
    return holdsClaim(this.#state);
  }

  /** Something it asked was accepted. */
  get hasAccepted(): boolean {
    return this.#state.claim !== 'asking';
  }

  get how(): How {
    return howEnded(this.#state);
  }

  /** The caller has another result than the tool's own. */
  get hasEnded(): boolean {
    return this.#state.end.at === 'ended';
  }

  /** It ended before anything ran. */
  get isUnused(): boolean {
    return this.#state.end.at === 'finished' && this.#state.end.isUnused;
  }

  /** What to run instead of this run, after it. */
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

  /** This run may end with a question, and the tool's code then runs again from its start. */
  get isReentered(): boolean {
    return this.call.round !== undefined || this.call.task !== undefined || this.isRelayed;
  }

  /** What the client can still be asked. */
  get capabilities(): ElicitationCapabilities | undefined {
    return stillDeclared(this.call.capabilities);
  }

  /** The agent asks the person, and this call goes on in another one. */
  get isRelayed(): boolean {
    return this.settings.withoutElicitation === 'relay' && !supportsElicitation(this.capabilities);
  }

  /** The caller's next call, or the replacing run, continues where this run ends. */
  get isToBeContinued(): boolean {
    return isToBeContinued(this.#state);
  }

  /** Takes the event and returns whether it changed anything. Throws if nothing may follow from it. */
  dispatch(event: RunEvent): boolean {
    const next = transition(this.#state, event);
    if (next === null) throw this.#state.end.at === 'running' ? new Problem('internal') : ended();
    const hasChanged = next !== this.#state;
    this.#state = next;
    return hasChanged;
  }

  /** Names a question before anything is awaited: questions count in the order in which they are asked. */
  takeStep(key: string | undefined): string {
    const step = key ?? String(this.#steps++);
    this.handover.expect(step);
    return step;
  }

  /** One question after the other: the first names the call, however long its hooks take. */
  prepare<T>(work: () => Promise<T>): Promise<T> {
    const prepared = this.#prepared.then(work);
    this.#prepared = prepared.catch(() => {});
    return prepared;
  }

  /** Its first question names the call. */
  nameOnce(name: () => Promise<string>): Promise<string> {
    this.#callName ??= name();
    return this.#callName;
  }

  enter(toolCall: string): Execution {
    this.#joined ??= { toolCall, execution: enterExecution(toolCall, this) };
    return this.#joined.execution;
  }

  /**
   * Opens a question, by the attempt whose claim this releases: another process that continues the call must be able to
   * claim. Of several questions that are asked together only the first does so, and nothing is claimed before its answer.
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

  /** Ends this run, and has the tool's code run from its start for this call instead. */
  restart(next: IncomingCall): CallEndedError {
    return this.#end({ at: 'ended', how: 'restarted', next }, { content: [] });
  }

  #end(as: Extract<End, { at: 'ended' }>, result: ToolResult): CallEndedError {
    if (this.dispatch({ type: 'end', as })) this.#resolveEnded(result);
    return ended();
  }

  /** Once: from now on every answer ends with the error that this resolves with. */
  restartAfter(work: () => Promise<Error>): void {
    this.#restarting ??= work();
  }

  async throwIfRestarting(): Promise<void> {
    if (this.#restarting) throw await this.#restarting;
  }

  /** Edits by approvers reach the tool's code: its schema does not change the arguments that people saw. */
  async takesEdits(): Promise<boolean> {
    const { readSeen, args } = this.call;
    return readSeen !== undefined && (await readSeen(plainArguments(args))) !== undefined;
  }

  /** The digest of what this run is about to do. */
  digest(): Promise<string> {
    const { tool, args, requester } = this.call;
    return runDigest({ tool, arguments: plainArguments(args), requester });
  }

  /** Work that the run waits for at its end; a failure does not matter to the caller. */
  addCleanup(cleanup: Promise<unknown>): void {
    this.#cleanups.push(cleanup.catch(() => {}));
  }

  /** Also those that are added meanwhile. */
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
