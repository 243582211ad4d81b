import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState, type RefObject } from 'react';
import type { Inbox, InboxItem } from '#requests/inbox/contract/inbox';
import { useAnnounce } from '../../../shell/use-hotkeys/announcer.tsx';
import { withFilter, type InboxFilters } from '../inbox-url.ts';
import { inboxQuery } from '../../../shell/queries.ts';
import { showsText } from './shows-text.ts';
import { settleRows } from './settle-rows.ts';
import { useIsLive } from '../use-live-inbox.tsx';
import { words } from '../words/words.ts';

/** The list as it is shown: it follows the server, but never moves while someone is at it. */
export function useInbox(filters: InboxFilters, list: RefObject<HTMLElement | null>) {
  const isLive = useIsLive();
  const query = useInfiniteQuery(inboxQuery(filters, isLive));
  const { q } = filters;
  const all = useInfiniteQuery({
    ...inboxQuery(withFilter(filters, 'q', undefined), isLive),
    enabled: q !== undefined,
  });
  const fresh = withShown(itemsOf(query.data), q === undefined ? [] : itemsOf(all.data), q ?? '');
  const { rows, waiting, gone, showAll } = useSettledRows(JSON.stringify(filters), fresh, query.dataUpdatedAt, list);
  useNewsAnnounced(JSON.stringify(filters), fresh, query.dataUpdatedAt);
  return { query, fresh, rows, waiting, gone, showAll, facets: useLastFacets(query.data?.pages.at(-1)) };
}

const itemsOf = (data: { pages: Inbox[] } | undefined): InboxItem[] => data?.pages.flatMap(({ items }) => items) ?? [];

/** The server searches no sealed text, so a row of the list whose text is on the screen is added here. */
function withShown(matches: InboxItem[], rows: InboxItem[], search: string): InboxItem[] {
  const matched = new Set(matches.map(({ id }) => id));
  return [...matches, ...rows.filter((row) => !matched.has(row.id) && showsText(row, search))];
}

/** Counts and choices stay while another view loads; only the rows are new. */
function useLastFacets(current: Inbox | undefined): Inbox | undefined {
  const [last, setLast] = useState(current);
  if (current !== undefined && current !== last) setLast(current);
  return current ?? last;
}

export type InboxState = ReturnType<typeof useInbox>;

interface Shown {
  list: string;
  at: number;
  rows: InboxItem[];
  waiting: InboxItem[];
  gone: ReadonlySet<string>;
}

function useSettledRows(name: string, fresh: InboxItem[], at: number, list: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState<Shown>({ list: '', at: -1, rows: [], waiting: [], gone: new Set() });
  useEffect(() => {
    setShown((before) => {
      if (before.list === name && before.at === at) return before;
      // Before the first answer only what was loaded for another list is shown: no one is at work on it yet.
      const isBusy = before.list === name && before.at !== 0 && isAttended(list.current);
      return { list: name, at, ...settleRows(before.rows, fresh, isBusy) };
    });
  });
  const isCurrent = shown.list === name;
  const showAll = () => setShown({ list: name, at, ...settleRows([], fresh, false) });
  return { rows: isCurrent ? shown.rows : fresh, waiting: isCurrent ? shown.waiting : [], gone: shown.gone, showAll };
}

const isAttended = (list: HTMLElement | null): boolean =>
  list !== null &&
  (list.matches(':hover') || list.contains(document.activeElement) || list.getBoundingClientRect().top < 0);

interface Known {
  list: string;
  at: number;
  /** When each was last reminded of, by its id. */
  reminded: ReadonlyMap<string, number>;
}

/** Says how many requests and reminders came since the list was last read, once each. */
function useNewsAnnounced(name: string, fresh: InboxItem[], at: number): void {
  const announce = useAnnounce();
  const [previous, setKnown] = useState<Known>({ list: '', at: 0, reminded: new Map() });
  useEffect(() => {
    if (at === 0 || (previous.list === name && previous.at === at)) return;
    const isSame = previous.list === name;
    const news = isSame ? newsIn(fresh, previous) : '';
    if (news !== '') announce(news);
    const reminders = fresh.map(({ id, remindedAt }) => [id, remindedAt ?? 0] as const);
    setKnown({ list: name, at, reminded: new Map([...(isSame ? previous.reminded : []), ...reminders]) });
  }, [announce, at, fresh, previous, name]);
}

function newsIn(fresh: InboxItem[], previous: Known): string {
  const arrived = fresh.filter(({ id, openedAt }) => !previous.reminded.has(id) && openedAt > previous.at - clockSlack);
  const reminded = fresh.filter(
    ({ id, remindedAt, closedAt }) => closedAt === null && (remindedAt ?? 0) > (previous.reminded.get(id) ?? Infinity),
  );
  const sentences = [
    arrived.length > 0 && words.arrived(arrived.length),
    reminded.length > 0 && words.reminders(reminded.length),
  ];
  return sentences.filter((part) => part !== false).join(', ');
}

/** Browser and server may disagree about the time, and a page loaded by hand holds old requests. Milliseconds. */
const clockSlack = 60_000;
