import type { IncomingCall } from '../../question/call/incoming-call.ts';

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
