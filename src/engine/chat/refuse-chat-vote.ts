import type { ResultSchema } from '../../form/schema.ts';
import type { ElicitationRow } from '../../store/elicitation/row.ts';
import { defaultAnswer } from '../elicitation/facts.ts';
import type { PolicyTerms } from '../elicitation/policy-terms.ts';

export interface AskedInChat {
  row: Pick<ElicitationRow, 'risk' | 'mode'>;
  terms: Pick<PolicyTerms, 'chat' | 'freshSignIn' | 'justification'>;
  schema: ResultSchema | null;
  /** Characters of all that must be shown with the vote. */
  length: number;
}

/** Characters: what is longer would not stand in one message whole. */
export const mostShown = 2_900;

/** Why no one votes on this in chat, in a sentence; null where they may. */
export function refuseChatVote({ row, terms, schema, length }: AskedInChat): string | null {
  if (terms.chat?.vote !== true) return 'The policy takes votes in the console only.';
  if (row.risk === 'high') return 'High risk is decided in the console.';
  if (terms.freshSignIn !== null) return 'The policy asks for a password with the vote: decide in the console.';
  if (terms.justification.approver.length > 0) return 'The policy asks for a reason: decide in the console.';
  if (row.mode === 'url') return 'This request leads to an address: decide in the console.';
  if (defaultAnswer({ mode: row.mode, schema }) === null) return 'Its form must be filled in: decide in the console.';
  if (length > mostShown) return 'It is too long to be shown here whole: decide in the console.';
  return null;
}
