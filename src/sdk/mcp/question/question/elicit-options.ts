import type { Audience } from '#requests/asking/contract/elicitation';
import type { KeyFact } from '#requests/facts/contract/facts';
import type { ModeOptions } from './question.ts';

export interface ElicitOptions extends ModeOptions {
  /** Milliseconds until it expires; by default 300 000 for the requester, a day for approvers. */
  ttl?: number;
  /** Names this question within the call, if the order of questions may change between two runs. */
  key?: string;
  audience?: Audience;
  /** The same as audience 'approvers'. */
  approval?: boolean;
  /** What approvers see next to the buttons: stored arguments, by JSON Pointer. Without it, a rule chooses. */
  facts?: KeyFact[];
  /** The agent's own words, shown as unverified. */
  reason?: string;
  /**
   * Which open questions this one replaces. By default those of its session; none for approvers and with an outside
   * address. The session's next question never replaces one with an outside address.
   */
  supersede?: 'session' | 'call' | 'none';
  /** Withdraws the question. */
  signal?: AbortSignal;
}
