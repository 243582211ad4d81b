import type { CancelCause } from '../../model/elicitation.ts';

/**
 * `content` only where the answer is an accept. `arguments` only where approvers edited the call: they are what was
 * approved, and the tool runs with them instead of those it was called with.
 */
export type ElicitResult<T> =
  | { status: 'accept'; content: T; comment?: string; arguments?: Record<string, unknown> }
  | { status: 'decline'; content?: undefined; comment?: string }
  | { status: 'cancel'; content?: undefined; comment?: string; cause?: CancelCause };
