import type { FieldError } from '#platform/model/problem';

/** Why no approver's answer went back to the server. */
export type RefusalReason =
  | 'rate-limited'
  | 'question-not-askable'
  | 'url-not-allowed'
  | 'url-not-opened'
  | 'answer-not-fitting'
  | 'unanswered'
  | 'unavailable'
  | 'withdrawn';

/** What the server gets instead of an answer, and why. */
export interface Refused {
  reason: RefusalReason;
  action: 'decline' | 'cancel';
  /** What happened, for the host's log. */
  detail: string;
  /** What is wrong with the question or the answer, field by field. */
  errors?: readonly FieldError[];
  /** The elicitation's id if one was opened. */
  elicitation?: string;
}

export interface Refusal extends Refused {
  /** The host's own name for the server. */
  server: string;
  mode: string;
}

export const isRefused = (outcome: object): outcome is Refused => 'reason' in outcome;

/** The question or its answer was lost: the server gets the same answer as if no one had answered. */
export const unavailable = (action: Refused['action'], error?: unknown): Refused => ({
  reason: 'unavailable',
  action,
  detail: error instanceof Error ? error.message : 'Assentry did not answer in time.',
});

/** The server no longer waits. */
export const withdrawn = (): Refused => ({
  reason: 'withdrawn',
  action: 'cancel',
  detail: 'The question was withdrawn before its answer was passed on.',
});
