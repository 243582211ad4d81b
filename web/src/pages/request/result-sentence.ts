import type { ElicitationDetail } from '../../../../src/contract/console.ts';
import type { Verb } from '../../lib/decision-table.ts';
import { result } from './words.ts';

/** What the person's own step did, by what the server answered. */
export function resultSentence(verb: Verb, detail: ElicitationDetail): string {
  if (verb === 'decline') return detail.status === 'open' ? result.declineCounted : result.declined;
  if (verb === 'cancel') return result.cancelled;
  return detail.status === 'accepted' ? result.approved : result.counted(detail.progress);
}
