/** A refusal by the receiver, or a missing answer. No caller sees it: the notification waits and is sent again. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure';
  /** A code. Never the other side's text, which may repeat what was sent. */
  readonly code: string;
  /** Is it refused for good? */
  readonly isFinal: boolean;
  /** Milliseconds that the other side asks to wait. */
  readonly wait: number;

  constructor(code: string, { isFinal = false, wait = 0 } = {}) {
    super(`The delivery ended with ${code}`);
    this.code = code;
    this.isFinal = isFinal;
    this.wait = wait;
  }
}

/** Wait of a Retry-After header in seconds, as milliseconds; `defaultMs` if there is none, or another form. */
export const retryAfterMs = (header: string | null | undefined, defaultMs = 0): number =>
  /^\d{1,5}$/.test(header ?? '') ? Number(header) * 1000 : defaultMs;

/** The code of a `fetch` that got no answer: of its connection, or `TimeoutError`. */
export function connectionFault(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name;
}
