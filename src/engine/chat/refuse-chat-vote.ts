import type { ResultSchema } from '../../form/schema.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { defaultAnswer } from '../elicitation/facts.ts';
import type { PolicyTerms } from '../elicitation/policy-terms.ts';

export interface AskedInChat {
  row: Pick<ElicitationRow, 'risk' | 'mode'>;
  terms: Pick<PolicyTerms, 'chat' | 'confirmation' | 'freshSignIn' | 'justification' | 'readingTime'>;
  schema: ResultSchema | null;
  /** Characters of everything that must be shown with the vote. */
  length: number;
}

/** Characters: a longer request would not fit into one message. */
export const mostShown = 2_900;

/** Why people cannot vote on this in chat, in a sentence; null if they can. */
export function refuseChatVote({ row, terms, schema, length }: AskedInChat): string | null {
  if (terms.chat?.vote !== true) return 'Vote in the console: the policy does not allow votes in chat.';
  if (row.risk === 'high') return 'Vote in the console: this request is high risk.';
  if (terms.freshSignIn !== null) return 'Vote in the console: the policy requires a password with each vote.';
  if (terms.readingTime) return 'Vote in the console: the policy sets a time to read.';
  if (terms.justification.approver.length > 0) return 'Vote in the console: the policy requires a reason.';
  if (terms.confirmation.length > 0) return 'Vote in the console: the policy requires a text to be typed.';
  if (row.mode === 'url') return 'Vote in the console: this request opens an address.';
  if (defaultAnswer({ mode: row.mode, schema }) === null)
    return 'Vote in the console: this request has a form to fill in.';
  if (length > mostShown) return 'Vote in the console: this request is too long to show here in full.';
  return null;
}
