import type { AssentryClient } from '../../client/client.ts';
import { runDigest } from '../../client/run-digest.ts';
import type { ElicitationState } from '#protocol/contract/servers/elicitation';
import { plainArguments } from '../question/call-name.ts';
import { stillDeclared, supportsElicitation, type ElicitationCapabilities } from '../question/capabilities.ts';
import type { WithoutElicitation } from '../question/channel.ts';
import { CallEndedError } from '../question/errors.ts';
import { enterExecution, type Execution } from './executions.ts';
import { Handover } from './handover.ts';
import type { Hook } from '../hooks/hooks.ts';
import type { IncomingCall, ToolResult } from '../question/incoming-call.ts';
import { Progress } from './progress.ts';
import type { Question } from '../question/question.ts';
import type { RunEnd } from './settlement.ts';
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

/** A question and its outcome. */
export interface Recorded {
  question: Pick<Question, 'mode' | 'schema'>;
  state: ElicitationState;
}

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
  callName: Promise<string> | undefined;
  toolCall: string | undefined;
  execution: Execution | undefined;
  how: RunEnd['how'] = 'finished';
  /** What to run instead of this run, after it. */
  next: IncomingCall | undefined;
  /** Something it asked was accepted. */
  hasAccepted = false;
  hasClaimed = false;
  /** It ended before anything ran. */
  isUnused = false;
  /** Set after people have edited the arguments: resolves when this run has ended for that. */
  restarting: Promise<Error> | undefined;
  /** Questions whose outcome is awaited. */
  readonly deciding = new Set<Promise<unknown>>();
  /** The answers so far by step, including those of the run that this one replaces. */
  readonly answered: Map<string, Recorded>;
  /** The one attempt of this run to become the one that executes, shared by all its questions. */
  taking: Promise<void> | undefined;
  /** Resolves when the execution that this run held is released, because the tool asks again. */
  givingBack: Promise<unknown> = Promise.resolve();
  readonly turn = new Turn();
  readonly handover = new Handover();
  /** Stored questions that are neither closed nor given up. */
  readonly undecided = new Set<ElicitationState>();
  /** The requester's questions that are answered on a page, even without this call. */
  readonly elsewhere = new Set<string>();
  /** The run that this one replaces. */
  readonly former: Run | undefined;
  readonly #deadline: number;
  readonly #scope = new AbortController();
  #resolveEnded: (result: ToolResult) => void = () => {};
  #steps = 0;
  readonly #farewells: Promise<unknown>[] = [];
  #prepared: Promise<unknown> = Promise.resolve();

  constructor(call: IncomingCall, client: AssentryClient, settings: RunSettings, former?: Run) {
    this.call = call;
    this.client = client;
    this.settings = settings;
    this.former = former;
    this.progress = former?.progress ?? new Progress(call, settings.progressIntervalMs);
    const isContinued = former?.isToBeContinued === true;
    this.callName = isContinued ? former.callName : undefined;
    this.answered = new Map(isContinued ? former.answered : []);
    this.signal = this.#scope.signal;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    const holdTimeoutMs = settings.holdTimeoutMs ?? (call.sendProgress ? progressHoldMs : defaultHoldMs);
    this.#deadline = former ? former.#deadline : Date.now() + holdTimeoutMs;
    call.signal.addEventListener('abort', this.#leave);
    if (call.signal.aborted) this.#leave();
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
    return this.how === 'pending' || this.how === 'asked' || this.next?.continues !== undefined;
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

  enter(toolCall: string): Execution {
    this.toolCall ??= toolCall;
    this.execution ??= enterExecution(toolCall, this);
    return this.execution;
  }

  /** Gives the caller this result and ends the run; code still inside it is thrown out. */
  end(how: 'pending' | 'asked' | 'replayed' | 'restarted', result: ToolResult): CallEndedError {
    this.how = how;
    this.#resolveEnded(result);
    return new CallEndedError('This call has its result already.');
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

  /** Ends this run, and has the tool's code run from its start for this call instead. */
  restart(next: IncomingCall): CallEndedError {
    this.next ??= next;
    return this.end('restarted', { content: [] });
  }

  /** Reports about a question that was given up; a failure does not matter to the caller. */
  addFarewell(farewell: Promise<unknown>): void {
    this.#farewells.push(farewell.catch(() => {}));
  }

  /** Also those that are added meanwhile. */
  async farewells(): Promise<void> {
    for (const farewell of this.#farewells) await farewell;
  }

  close(): void {
    this.call.signal.removeEventListener('abort', this.#leave);
    this.#scope.abort(new CallEndedError('The tool has ended; no one waits for this question any more.'));
  }

  readonly #leave = (): void => this.#scope.abort(new CallEndedError('The caller has gone.'));
}
