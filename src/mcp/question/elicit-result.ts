import type { CancelCause } from '../../model/elicitation.ts';

/**
 * `content` only where the answer is an accept. Where approvers edited the call's arguments, the tool's code is run again
 * from its start, with those.
 */
export type ElicitResult<T> =
  | { status: 'accept'; content: T; comment?: string }
  | { status: 'decline'; content?: undefined; comment?: string }
  | { status: 'cancel'; content?: undefined; comment?: string; cause?: CancelCause };
