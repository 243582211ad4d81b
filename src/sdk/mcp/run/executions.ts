import { randomHex } from '../../client/digest.ts';
import type { ToolResult } from '../question/call.ts';
import type { ElicitationState } from '#requests/asking/contract/open';
import type { Question } from '../question/question.ts';

/** Limit of remembered abandoned calls; the oldest are forgotten, and their retries then count as another attempt. */
const maxKept = 1000;

/** A run of the call for other runs in this process. */
interface CallRun {
  /** Questions whose answer it waits for. */
  readonly undecided: ReadonlySet<{ id: string }>;
}

/**
 * One tool call's execution in this process. All runs of the call here share one attempt name, so that the retry continues a
 * run that left after claiming (its hold over, its caller gone), instead of being blocked by it.
 */
export class Execution {
  #attempt = randomHex();
  readonly runs = new Set<CallRun>();
  /** The run that may execute now; at most one. */
  #owner: object | null = null;
  #result: ToolResult | undefined;
  #waiting = new Set<() => void>();

  get attempt(): string {
    return this.#attempt;
  }

  /** Renews the attempt after a failed claim, which may have used it up. */
  renewAttempt(): void {
    this.#attempt = randomHex();
  }

  get result(): ToolResult | undefined {
    return this.#result;
  }

  tryOwn(run: object): boolean {
    this.#owner ??= run;
    return this.#owner === run;
  }

  isOwnedBy(run: object): boolean {
    return this.#owner === run;
  }

  /** Does any run in this process wait for an answer, or for the answer to this question? */
  isAwaited(id?: string): boolean {
    const questions = [...this.runs].flatMap(({ undecided }) => [...undecided]);
    return questions.some((question) => id === undefined || question.id === id);
  }

  /** Ends the owner's run, with a result to share or without one. */
  release(run: object, result?: ToolResult): void {
    if (this.#owner !== run) return;
    this.#owner = null;
    this.#result = result;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when the owner's run is over; rejects with the signal's reason. */
  released(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const end = (settle: () => void) => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', abort);
        settle();
      };
      const wake = () => end(resolve);
      const abort = () => end(() => reject(signal.reason));
      this.#waiting.add(wake);
      signal.addEventListener('abort', abort);
    });
  }
}

const executions = new Map<string, Execution>();

/** Joins the call's execution in this process. */
export function enterExecution(toolCall: string, run: CallRun): Execution {
  const execution = executions.get(toolCall) ?? new Execution();
  executions.set(toolCall, execution);
  execution.runs.add(run);
  return execution;
}

/** Leaves it, and keeps it only if a claim made here must still be continued. */
export function leaveExecution(toolCall: string, run: CallRun, { isUnfinished }: { isUnfinished: boolean }): void {
  const execution = executions.get(toolCall);
  if (!execution) return;
  execution.runs.delete(run);
  if (execution.runs.size === 0 && !isUnfinished) executions.delete(toolCall);
  forgetOldest();
}

function forgetOldest(): void {
  for (const [toolCall, { runs }] of executions) {
    if (executions.size <= maxKept) return;
    if (runs.size === 0) executions.delete(toolCall);
  }
}

/** Count for tests that nothing is left. */
export const countExecutions = (): number => executions.size;

/** A question and its outcome. */
export interface Recorded {
  question: Pick<Question, 'mode' | 'schema'>;
  state: ElicitationState;
}

/** The questions of a run: open, awaited, and answered ones. */
export class Questions {
  /** Stored questions that are neither closed nor given up. */
  readonly #open = new Set<ElicitationState>();
  /** The requester's questions that are answered on a page, even without this call. */
  readonly #onPages = new Set<string>();
  readonly #decisions = new Set<Promise<unknown>>();
  readonly #answers: Map<string, Recorded>;

  /** Starts with the answers of the run that this one continues. */
  constructor(former?: Questions) {
    this.#answers = new Map(former ? former.#answers : []);
  }

  get open(): ReadonlySet<ElicitationState> {
    return this.#open;
  }

  add(question: ElicitationState): void {
    this.#open.add(question);
  }

  /** False if it was not open. */
  remove(question: ElicitationState): boolean {
    return this.#open.delete(question);
  }

  addPage({ id }: ElicitationState): void {
    this.#onPages.add(id);
  }

  hasPage({ id }: ElicitationState): boolean {
    return this.#onPages.has(id);
  }

  /** Counts as awaited until it settles. */
  async during<T>(decision: Promise<T>): Promise<T> {
    this.#decisions.add(decision);
    try {
      return await decision;
    } finally {
      this.#decisions.delete(decision);
    }
  }

  /** Resolves when all are decided, also those asked meanwhile. */
  async allDecided(): Promise<void> {
    while (this.#decisions.size > 0) await Promise.allSettled(this.#decisions);
  }

  answerAt(step: string): Recorded | undefined {
    return this.#answers.get(step);
  }

  /** False if this step had an answer already. */
  record(step: string, answer: Recorded): boolean {
    const isNew = !this.#answers.has(step);
    this.#answers.set(step, answer);
    return isNew;
  }
}
