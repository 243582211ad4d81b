import type { OpenElicitation } from '../../../client/client.ts';
import type { Question } from './question.ts';

/** One `elicit()` in progress. */
export interface Asking {
  question: Question;
  request: OpenElicitation;
  /** Names the question within the call. */
  step: string;
  /** Withdraws the question. */
  signal: AbortSignal;
  /** Reports that it no longer holds up the turn. */
  decided(): void;
}
