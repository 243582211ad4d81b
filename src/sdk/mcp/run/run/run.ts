import type { AssentryClient } from '../../../client/client.ts';
import { runDigest } from '../../../client/digest/run-digest.ts';
import type { ElicitationState } from '#requests/asking/contract/open';
import { Problem } from '#platform/model/problem';
import { plainArguments } from '../../question/call/call-name.ts';
import { stillDeclared, supportsElicitation, type ElicitationCapabilities } from '../../question/call/capabilities.ts';
import type { WithoutElicitation } from '../../question/call/channel.ts';
import { CallEndedError } from '../../question/errors/errors.ts';
import { enterExecution, type Execution } from '../executions/executions.ts';
import { Handover } from './handover.ts';
import type { Hook } from '../../hooks/hooks/hooks.ts';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import { Memos } from './memos.ts';
import { Progress } from './progress.ts';
import { Questions } from '../executions/questions.ts';
import {
  holdsClaim,
  howEnded,
  initialState,
  isToBeContinued,
  transition,
  type End,
  type How,
  type RunEvent,
} from './run-state.ts';
import { Turn } from './turn.ts';

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
