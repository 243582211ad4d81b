import type { InboxItem } from '#requests/inbox/contract/inbox';
import { hasWords } from '../../../shell/words/has-words.ts';

/** What a row shows, or is known by. */
type Shown = Pick<
  InboxItem,
  'id' | 'tool' | 'toolTitle' | 'server' | 'policy' | 'message' | 'requester' | 'reaches' | 'facts' | 'voters'
>;

/** Whether every word of a search stands in what this row shows. */
export function showsText(row: Shown, search: string): boolean {
  const { id, tool, toolTitle, server, policy, message, requester, reaches, facts, voters } = row;
  const values = facts.flatMap(({ label, value }) => [label, value ?? '']);
  const texts = [id, tool, toolTitle, server, policy, message, requester?.subject, reaches, ...values, ...voters];
  return hasWords(texts.join('\n'), search);
}
