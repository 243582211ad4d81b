import { withFilter, listAddress, type FilterName, type InboxFilters } from './inbox-url.ts';
import { dayOf, namePolicy, nameStatus, risks } from '../../ui/words/words.ts';
import { words } from './words/words.ts';

interface FilterText {
  name: FilterName;
  /** Such as "Server: bank". */
  text: string;
  /** The list without it. */
  without: string;
}

const day = 86_400_000;

/** Every filter that narrows the list, in words. Its order is no filter. */
export function filterTexts(filters: InboxFilters): FilterText[] {
  const labels: Record<Exclude<FilterName, 'order'>, string> = {
    q: words.search,
    server: words.server,
    tool: words.tool,
    policy: words.policy,
    group: words.group,
    requester: words.requesterLabel,
    status: words.status,
    risk: words.risk,
    from: words.from,
    until: words.until,
  };
  return (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name) => {
    if (filters[name] === undefined) return [];
    const text = words.filter(labels[name], valueOf(filters, name));
    return [{ name, text, without: listAddress(withFilter(filters, name, undefined)) }];
  });
}

function valueOf(filters: InboxFilters, name: keyof InboxFilters): string {
  if (name === 'status' && filters.status) return nameStatus(filters.status, null);
  if (name === 'risk' && filters.risk) return risks[filters.risk];
  if (name === 'from' && filters.from !== undefined) return dayOf(filters.from);
  if (name === 'until' && filters.until !== undefined) return dayOf(filters.until - day);
  if (name === 'policy' && filters.policy) return namePolicy(filters.policy);
  return String(filters[name] ?? '');
}
