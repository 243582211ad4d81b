import { maxTimerMs } from '#sdk/client/transport/backoff';
import { randomHex } from '#sdk/client/digest/hex';
import { Problem } from '#platform/model/problem/problem';
import { RpcFault, type Frame } from '../../frames/frame/frame.ts';
import { readError } from '../../frames/reading/read-result.ts';

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface AskOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** One that no one can guess; a new one if absent. */
  id?: string | undefined;
}

/** The id of each request of the gateway begins so. */
export const ownIdPrefix = 'assentry-';

/** Is it the id of a request of the gateway, though it may no longer wait? */
export const isOwnId = (id: unknown): boolean => typeof id === 'string' && /^assentry-[0-9a-f]{32}$/.test(id);

/** The gateway's own requests to one side, under ids that no one can guess; the other side never gets them. */
export class OwnRequests {
  readonly #send: (frame: Frame) => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(send: (frame: Frame) => void) {
    this.#send = send;
  }

  /** Resolves with the result; rejects with the error that was answered, the signal's reason, or when time is over. */
  async ask(method: string, params: Record<string, unknown>, options: AskOptions): Promise<unknown> {
    const { signal, timeout, id = ownIdPrefix + randomHex() } = options;
    signal?.throwIfAborted();
    const { promise, ...waiting } = pending();
    this.#waiting.set(id, waiting);
    const giveUp = (reason: unknown): void => {
      this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      waiting.reject(reason);
    };
    const abort = (): void => giveUp(signal?.reason);
    const timer = setTimeout(() => giveUp(tooSlow()), Math.min(timeout, maxTimerMs));
    signal?.addEventListener('abort', abort);
    this.#send({ jsonrpc: '2.0', id, method, params });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(id);
    }
  }

  /** True if this answers a request that waits. */
  settle({ id, result, error }: Frame): boolean {
    const waiting = typeof id === 'string' ? this.#waiting.get(id) : undefined;
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new RpcFault(readError(error)));
    return waiting !== undefined;
  }

  /** The other side has gone. */
  close(): void {
    for (const { reject } of this.#waiting.values()) reject(new Problem('unavailable', { detail: 'It has ended.' }));
  }
}

function pending() {
  let settle: Waiting = { resolve: () => {}, reject: () => {} };
  const promise = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: settle.resolve, reject: settle.reject };
}

const tooSlow = (): Problem => new Problem('unavailable', { detail: 'Try again later: there was no answer in time.' });
