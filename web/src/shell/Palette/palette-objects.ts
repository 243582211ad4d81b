import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import type { Inbox, InboxItem } from '#requests/inbox/contract/inbox';
import { listAddress } from '../../requests/inbox/inbox-url.ts';
import { policiesQuery, serversQuery, usersQuery } from '../../people/users/directory-queries.ts';
import { palette as words } from '../../ui/words/palette-words.ts';
import type { PaletteEntry } from './palette-entries.ts';

/** People, servers, policies and requests: too many to list before something is typed. */
export function useObjectEntries(text: string): PaletteEntry[] {
  const isTyped = text.trim().length > 1;
  const people = useQuery({ ...usersQuery, enabled: isTyped }).data ?? [];
  const servers = useQuery({ ...serversQuery, enabled: isTyped }).data ?? [];
  const policies = useQuery({ ...policiesQuery, enabled: isTyped }).data ?? [];
  const requests = useLoadedRequests();
  if (!isTyped) return [];
  return [
    ...requestOf(text.trim()),
    ...policies.map(({ name }) => go(`policy-${name}`, words.policy(name), `/policies/${encodeURIComponent(name)}`)),
    ...people.map(({ id, name, email }) => ({ ...go(id, words.person(name), `/settings/people/${id}`), also: email })),
    ...servers.map(({ id, name }) => go(id, words.server(name), `/settings/servers/${id}`)),
    ...requests.map(({ id, tool, toolTitle, server, message, requester, facts }) => ({
      ...go(id, words.request(toolTitle ?? tool, facts[0]?.value ?? requester?.subject ?? null), `/requests/${id}`),
      also: [id, tool, server, message, requester?.subject].join(' '),
    })),
  ];
}

/** Where to look for what is in no name: among all open requests. */
export const searchFor = (text: string): PaletteEntry[] => [
  go('search', words.search(text.trim()), listAddress({ view: 'all', q: text.trim() })),
];

const go = (id: string, text: string, to: string): PaletteEntry => ({ id: `object-${id}`, text, group: 'go', to });

/** A whole id leads to its request, also to one of which no list is loaded. */
const requestOf = (id: string): PaletteEntry[] =>
  /^eli_[\w-]{22}$/.test(id) ? [{ ...go(`id-${id}`, words.requestById(id), `/requests/${id}`), also: id }] : [];

/** The requests of the lists that this browser has loaded, each once. */
function useLoadedRequests(): InboxItem[] {
  const lists = useQueryClient().getQueriesData<InfiniteData<Inbox>>({ queryKey: ['inbox'] });
  const items = lists.flatMap(([, data]) =>
    Array.isArray(data?.pages) ? data.pages.flatMap((page) => page.items) : [],
  );
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
