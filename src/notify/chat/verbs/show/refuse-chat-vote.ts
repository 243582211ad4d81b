import type { ResultSchema } from '#platform/form/schema/schema';
import type { ChatWords } from '#messages/chat-words';
import type { ElicitationRow } from '#requests/state/store/row/row';
import { defaultAnswer } from '#requests/state/verbs/change/facts';
import type { PolicyTerms } from '#requests/state/verbs/permissions/policy-terms';

export interface AskedInChat {
  row: Pick<ElicitationRow, 'risk' | 'mode'>;
  terms: Pick<PolicyTerms, 'chat' | 'confirmation' | 'freshSignIn' | 'justification' | 'presence' | 'readingTime'>;
  schema: ResultSchema | null;
  /** Characters of everything that must be shown with the vote. */
  length: number;
}

/** Why people vote in the console, as a key of its sentences. */
type ConsoleReason = keyof ChatWords['inConsole'];

/** Characters: a longer request would not fit into one message. */
export const maxShown = 2_900;

/** Why people cannot vote on this in chat; null if they can. */
export function refuseChatVote({ row, terms, schema, length }: AskedInChat): ConsoleReason | null {
  if (terms.chat?.vote !== true) return 'not-allowed';
  if (row.risk === 'high') return 'risk';
  if (terms.freshSignIn !== null) return 'fresh-sign-in';
  if (terms.presence.needed !== 'none') return 'presence';
  if (terms.readingTime) return 'reading-time';
  if (terms.justification.approver.length > 0) return 'reason';
  if (terms.confirmation.length > 0) return 'typed';
  if (row.mode === 'url') return 'address';
  if (defaultAnswer({ mode: row.mode, schema }) === null) return 'form';
  if (length > maxShown) return 'length';
  return null;
}
