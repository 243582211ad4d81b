import type { InboxItem } from '#protocol/contract/console/console';

/** What a row shows, or is known by. */
type Shown = Pick<
  InboxItem,
  'id' | 'tool' | 'toolTitle' | 'server' | 'policy' | 'message' | 'requester' | 'facts' | 'voters'
>;

/** Whether every word of a search stands in what this row shows. */
export function showsText(row: Shown, search: string): boolean {
  const { id, tool, toolTitle, server, policy, message, requester, facts, voters } = row;
  const values = facts.flatMap(({ label, value }) => [label, value ?? '']);
  const text = fold(
    [id, tool, toolTitle, server, policy, message, requester?.subject, ...values, ...voters].join('\n'),
  );
  return fold(search)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const fold = (text: string): string => text.toLowerCase().normalize('NFC');
