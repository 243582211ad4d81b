import type { InboxFilter } from '#requests/inbox/contract/filters';
import { withFilter, listAddress, type InboxFilters } from './inbox-url.ts';
import { dayOf, namePolicy, nameStatus, risks } from '../../ui/words/words.ts';
import { words } from './words/words.ts';

interface FilterText {
  name: InboxFilter;
  /** Such as "Server: bank". */
  text: string;
  /** The list without it. */
  without: string;
}

const day = 86_400_000;

/** Every filter that narrows the list, in words. Its order is no filter. */
export const filterTexts = (filters: InboxFilters): FilterText[] =>
  (Object.keys(shown) as InboxFilter[]).flatMap((name) => {
    const [label, valueOf] = shown[name] as [string, (value: unknown) => string];
    if (filters[name] === undefined) return [];
    const without = listAddress(withFilter(filters, name, undefined));
    return [{ name, text: words.filter(label, valueOf(filters[name])), without }];
  });

const unchanged = (value: string): string => value;

/** The label of each filter, and how its value is shown. */
const shown: { [Name in InboxFilter]: [string, (value: NonNullable<InboxFilters[Name]>) => string] } = {
  q: [words.search, unchanged],
  server: [words.server, unchanged],
  tool: [words.tool, unchanged],
  policy: [words.policy, namePolicy],
  group: [words.group, unchanged],
  requester: [words.requesterLabel, unchanged],
  status: [words.status, (status) => nameStatus(status, null)],
  risk: [words.risk, (risk) => risks[risk]],
  from: [words.from, dayOf],
  until: [words.until, (until) => dayOf(until - day)],
};
