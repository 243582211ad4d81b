import type { AssentryClient } from '../../client/client.ts';
import type { ElicitationState } from '../../contract/servers/elicitation.ts';
import { stillDeclared, supportsElicitation, type ElicitationCapabilities } from '../question/capabilities.ts';
import type { WithoutElicitation } from '../question/channel.ts';
import { CallEndedError } from '../question/errors.ts';
import { enterExecution, type Execution } from './executions.ts';
import { Handover } from './handover.ts';
import type { Hook } from '../hooks/hooks.ts';
import type { IncomingCall, ToolResult } from '../question/incoming-call.ts';
import { Progress } from './progress.ts';
import type { RunEnd } from './settlement.ts';
import { Turn } from './turn.ts';

export interface RunSettings {
  /** Milliseconds a call is held for approvers; undefined goes by whether the caller hears progress. */
  patience: number | undefined;
  /** Milliseconds; undefined leaves it to the policy. */
  ttl: number | undefined;
  withoutElicitation: WithoutElicitation;
  /** Milliseconds between two progress notifications. */
  progressEvery: number;
  /** Milliseconds after which a run elsewhere that never reported its end is taken for dead. */
  deadAfter: number;
  hooks: readonly Hook[];
}

/** Milliseconds. Below the minute that many clients allow a call. */
const silentPatience = 50_000;
/** Milliseconds. A caller that hears progress may wait longer. */
const informedPatience = 600_000;

/** One run of the tool's code for one incoming call. */
export class Run {
  readonly call: IncomingCall;
  readonly client: AssentryClient;
  readonly settings: RunSettings;
  readonly progress: Progress;
  /** Aborts when the caller is gone or the run is over: nothing that was asked outlives its run. */
  readonly signal: AbortSignal;
  /** Resolves with the result the caller gets without the tool's own. */
  readonly ended: Promise<ToolResult>;
  callName: Promise<string> | undefined;
  toolCall: string | undefined;
  execution: Execution | undefined;
  how: RunEnd['how'] = 'finished';
  hasClaimed = false;
  /** The one attempt of this run to become the one that executes, shared by all its questions. */
  taking: Promise<void> | undefined;
  /** Resolves once the execution that this run held is given back, for the tool asks on. */
  givingBack: Promise<unknown> = Promise.resolve();
  readonly turn = new Turn();
  readonly handover = new Handover();
  /** Stored questions that are neither closed nor given up. */
  readonly undecided = new Set<ElicitationState>();
  /** Requester's questions that are answered on a page, whether this call is there or not. */
  readonly elsewhere = new Set<string>();
  readonly #deadline: number;
  readonly #scope = new AbortController();
  #resolveEnded: (result: ToolResult) => void = () => {};
  #steps = 0;
  readonly #farewells: Promise<unknown>[] = [];
  #prepared: Promise<unknown> = Promise.resolve();

  constructor(call: IncomingCall, client: AssentryClient, settings: RunSettings) {
    this.call = call;
    this.client = client;
    this.settings = settings;
    this.progress = new Progress(call, settings.progressEvery);
    this.signal = this.#scope.signal;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#deadline = Date.now() + (settings.patience ?? (call.sendProgress ? informedPatience : silentPatience));
    call.signal.addEventListener('abort', this.#leave);
    if (call.signal.aborted) this.#leave();
  }

  /** Milliseconds the caller may still be kept waiting. */
  get patience(): number {
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

  /** The caller's next call goes on where this run ends. */
  get isToBeContinued(): boolean {
    return this.how === 'pending' || this.how === 'asked';
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

  /** Gives the caller this result and ends the run; whoever is inside it is thrown out. */
  end(how: 'pending' | 'asked' | 'replayed', result: ToolResult): CallEndedError {
    this.how = how;
    this.#resolveEnded(result);
    return new CallEndedError('This call has its result already.');
  }

  /** What is still to be said about a question given up; its failure is of no interest to the caller. */
  addFarewell(said: Promise<unknown>): void {
    this.#farewells.push(said.catch(() => {}));
  }

  /** Also those that are added meanwhile. */
  async farewells(): Promise<void> {
    for (const said of this.#farewells) await said;
  }

  close(): void {
    this.call.signal.removeEventListener('abort', this.#leave);
    this.#scope.abort(new CallEndedError('The tool has ended; nobody waits for this question any more.'));
  }

  readonly #leave = (): void => this.#scope.abort(new CallEndedError('The caller has gone.'));
}
