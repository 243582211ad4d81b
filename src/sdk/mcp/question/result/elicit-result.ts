import type { CancelCause } from '#requests/asking/contract/elicitation';

/**
 * `content` only for an accept. If approvers edited the call's arguments, the tool's code runs again from its start
 * with the edited ones.
 */
export type ElicitResult<T> =
  | { status: 'accept'; content: T; comment?: string }
  | { status: 'decline'; content?: undefined; comment?: string }
  | { status: 'cancel'; content?: undefined; comment?: string; cause?: CancelCause };
