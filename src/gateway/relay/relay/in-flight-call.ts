import { Problem } from '#platform/model/problem/problem';
import { cancelTimeoutMs } from '../../calls/serve-call/cancel-timeout.ts';
import { lineOf, type Frame, type FrameId } from '../../frames/frame/frame.ts';
import type { JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import { resultIn } from '../../frames/reading/read-result.ts';

/** One call between its arrival and its answer. */
export class InFlightCall {
  readonly frame: JudgedFrame;
  /** True when the transport has taken the answer; false if it never does. */
  readonly isTaken: Promise<boolean>;
  readonly #controller = new AbortController();
  readonly #send: (line: string) => void;
  #hasRun = false;
  #settle: ((frame: Frame) => void) | null = null;
  #lose: ((error: unknown) => void) | null = null;
  #tellTaken: (isTaken: boolean) => void = () => {};

  constructor(frame: JudgedFrame, send: (line: string) => void) {
    this.frame = frame;
    this.#send = send;
    this.isTaken = new Promise((resolve) => (this.#tellTaken = resolve));
  }

  get id(): FrameId {
    return this.frame.id;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The upstream was given it. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** The upstream has it, and has not answered yet. */
  get isRunning(): boolean {
    return this.#settle !== null;
  }

  /** Sends the call to the upstream. */
  async forward(frame: JudgedFrame): Promise<unknown> {
    this.signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<Frame>((resolve, reject) => {
      this.#settle = resolve;
      this.#lose = reject;
      const give = (): void => void (timer = setTimeout(() => reject(new Problem('outcome-unknown')), cancelTimeoutMs));
      this.signal.addEventListener('abort', give, { once: true });
    });
    this.#hasRun = true;
    this.#send(lineOf(frame));
    try {
      return resultIn(await answered);
    } finally {
      clearTimeout(timer);
      this.#settle = null;
      this.#lose = null;
    }
  }

  /** The upstream's answer. */
  answer(frame: Frame): void {
    this.#settle?.(frame);
  }

  /** The upstream has gone while it had the call. */
  lose(): void {
    this.#lose?.(new Problem('outcome-unknown'));
  }

  /** The client no longer waits. */
  abort(): void {
    this.#controller.abort(new Problem('not-now', { detail: 'The client cancelled this call.' }));
    this.#tellTaken(false);
  }

  /** The answer is on its way to the client. */
  deliver(sent: Promise<boolean>): void {
    void sent.then(this.#tellTaken);
  }
}
