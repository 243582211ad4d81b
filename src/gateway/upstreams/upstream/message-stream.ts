import { Readable } from 'node:stream';
import { Problem, type ProblemCode } from '#platform/model/problem/problem';
import { errorFrame, textOfFrame, rpcError, rpcCodes, type FrameId } from '../../frames/frame/frame.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import type { AnswerReservation } from './answer-budget.ts';
import type { StreamAnswer, TextAnswer, UpstreamEvent } from './upstream.ts';

/** Messages of a process on their way to one client, in order. */
export class MessageStream implements StreamAnswer {
  readonly status = 200;
  readonly isStream = true;
  readonly headers: Headers;
  readonly #messages = new Readable({ objectMode: true, read() {} });
  readonly #limit: number;
  readonly #reservation: AnswerReservation | null;
  #waiting = 0;

  /** `limit`: characters that wait at most for a client that does not read. They count for `reservation`. */
  constructor(limit: number, reservation: AnswerReservation | null, headers: Record<string, string> = {}) {
    this.#limit = limit;
    this.#reservation = reservation;
    this.headers = new Headers(headers);
    this.#messages.on('error', () => {}); // its reader learns it
  }

  /** Characters that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  push(message: UpstreamLine): void {
    this.#waiting += lengthOf(message);
    this.#reservation?.add(lengthOf(message));
    if (this.#waiting <= this.#limit) this.#messages.push(message);
    else this.fail(new Problem('unavailable', { detail: 'Read faster: more messages wait than the gateway keeps.' }));
  }

  /** Nothing comes after this. */
  end(): void {
    this.#messages.push(null);
  }

  /** What waits is lost, and the reader gets this error. */
  fail(error: Error): void {
    this.#messages.destroy(error);
  }

  async *events(): AsyncGenerator<UpstreamEvent> {
    for await (const message of this.#messages as AsyncIterable<UpstreamLine>) {
      this.#waiting -= lengthOf(message);
      yield { message };
      this.#reservation?.shrink(lengthOf(message)); // the client has taken it
    }
  }
}

const lengthOf = (message: UpstreamLine): number => ('text' in message ? message.text.length : 0);

/** An answer without a message. */
export const emptyAnswer = (status: number): TextAnswer => ({
  status,
  headers: new Headers(),
  isStream: false,
  text: async () => '',
});

/** An answer that says what to do instead. */
export function refusal(
  status: number,
  id: FrameId | null,
  sentence: string,
  headers: Record<string, string> = {},
): TextAnswer {
  const [code, problem] = faultOf(status);
  return {
    status,
    headers: new Headers({ 'content-type': 'application/json', ...headers }),
    isStream: false,
    text: async () => textOfFrame(errorFrame(id, rpcError(code, problem, sentence))),
  };
}

function faultOf(status: number): [code: number, problem: ProblemCode] {
  if (status === 429) return [rpcCodes.internal, 'rate-limited'];
  return status >= 500 ? [rpcCodes.internal, 'unavailable'] : [rpcCodes.invalidRequest, 'INVALID_INPUT'];
}
