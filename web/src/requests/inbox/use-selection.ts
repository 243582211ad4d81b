import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { InboxItem, Inbox } from '#requests/inbox/contract/inbox';
import { addRows, fits, rowsBetween } from './choose-rows.ts';
import { useNavigate } from 'react-router';
import { requestAddress, type InboxFilters, withFilter } from './inbox-url.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useAnnounce } from '../../shell/announcer.tsx';
import { inboxQuery } from '../../shell/queries.ts';
import { useIsLive } from './use-live-inbox.tsx';
import { words } from './words/words.ts';
import { hasWords } from '../../shell/words/has-words.ts';

interface Choice {
  ids: ReadonlySet<string>;
  /** The row toggled last: a range begins there. */
  anchor: string | null;
}

const noChoice: Choice = { ids: new Set(), anchor: null };

/** Rows selected to be decided together; rows that left the list are not selected with a range or with all. */
export function useSelection(rows: InboxItem[], gone: ReadonlySet<string>) {
  const [{ ids, anchor }, setChoice] = useState(noChoice);
  const chosen = rows.filter(({ id }) => ids.has(id));
  const present = rows.filter(({ id }) => !gone.has(id));
  const all = addRows(chosen, present);
  const choose = (items: InboxItem[], from: string | null) =>
    setChoice({ ids: new Set(items.map(({ id }) => id)), anchor: from });
  const turned = (item: InboxItem) =>
    ids.has(item.id) ? chosen.filter(({ id }) => id !== item.id) : [...chosen, item];
  return {
    chosen,
    isChosen: ({ id }: InboxItem) => ids.has(id),
    mayChoose: (item: InboxItem) => ids.has(item.id) || fits(chosen, item),
    /** Toggles one row, or extends the selection to it from the row toggled before. */
    select: useSteady((item: InboxItem, isRange: boolean) =>
      choose(isRange ? addRows(chosen, rowsBetween(present, anchor, item.id)) : turned(item), item.id),
    ),
    mayChooseMore: all.length > chosen.length,
    chooseAll: () => choose(all, anchor),
    clear: () => setChoice(noChoice),
  };
}

export type Selection = ReturnType<typeof useSelection>;

/** A constant function that calls the latest one: rows are not drawn again because of it. */
function useSteady<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

/**
 * Returns the reader from a request to its row, or to the next one still there, unless something else has the focus by then.
 * Returns the id of that row, which must be drawn.
 */
export function useReturn(
  cameFrom: string | undefined,
  list: RefObject<HTMLElement | null>,
  { rows, isFetching }: { rows: InboxItem[]; isFetching: boolean },
): string | undefined {
  const [before] = useState(() => idsFrom(rows, cameFrom));
  const [id, setId] = useState<string>();
  const isDue = before.length > 0 && id === undefined && !isFetching;
  useEffect(() => {
    const present = new Set<string>(rows.map((row) => row.id));
    if (isDue) setId(before.find((other) => present.has(other)) ?? rows.at(-1)?.id);
  }, [isDue, before, rows]);
  useEffect(() => {
    if (id !== undefined && isIdle(document.activeElement)) goTo(list.current, id);
  }, [id, list]);
  return id;
}

/** Ids from the request's row on, as of when it was left. */
function idsFrom(rows: InboxItem[], id: string | undefined): string[] {
  const at = rows.findIndex((row) => row.id === id);
  return at < 0 ? [] : rows.slice(at).map((row) => row.id);
}

/** Is the focus idle: nowhere, or on the heading, which takes it by default? */
const isIdle = (element: Element | null): boolean => element === document.body || element?.tagName === 'H1';

function goTo(list: HTMLElement | null, id: string): void {
  const link = linkOfRow(list, id);
  const { top, bottom } = link?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  if (top < 0 || bottom > innerHeight) link?.scrollIntoView({ block: 'center' });
  link?.focus({ preventScroll: true });
}

const byItself = { isOpenedByItself: true };

/** Did the request open by itself, without a choice? */
export const wasOpenedByItself = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isOpenedByItself' in state;

/** Opens the first readable request by itself where requests stand next to the list. */
export function useFirstRow(rows: InboxItem[], filters: InboxFilters, isEmpty: boolean): void {
  const navigate = useNavigate();
  const first = isEmpty ? rows.find(({ message }) => message !== null)?.id : undefined;
  useEffect(() => {
    if (first !== undefined) void navigate(requestAddress(first, filters), { replace: true, state: byItself });
  }, [first, filters, navigate]);
}

/** The shown list: it follows the server, but never moves while someone uses it. */
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

/** Adds rows whose text is on the screen, because the server searches no sealed text. */
function withShown(matches: InboxItem[], rows: InboxItem[], search: string): InboxItem[] {
  const matched = new Set(matches.map(({ id }) => id));
  return [...matches, ...rows.filter((row) => !matched.has(row.id) && showsText(row, search))];
}

/** Keeps counts and choices while another view loads; only the rows are new. */
function useLastFacets(current: Inbox | undefined): Inbox | undefined {
  const [last, setLast] = useState(current);
  if (current !== undefined && current !== last) setLast(current);
  return current ?? last;
}

export type InboxState = ReturnType<typeof useInbox>;

interface UseInboxShown {
  list: string;
  at: number;
  rows: InboxItem[];
  waiting: InboxItem[];
  gone: ReadonlySet<string>;
}

function useSettledRows(name: string, fresh: InboxItem[], at: number, list: RefObject<HTMLElement | null>) {
  const [shown, setShown] = useState<UseInboxShown>({ list: '', at: -1, rows: [], waiting: [], gone: new Set() });
  useEffect(() => {
    setShown((before) => {
      if (before.list === name && before.at === at) return before;
      // Before the first answer only another list's rows are shown: no one uses this one yet.
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
  /** Times of the last reminders, by id. */
  reminded: ReadonlyMap<string, number>;
}

/** Announces the number of requests and reminders since the list was last read, once each. */
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

/** Milliseconds of tolerance: browser and server may disagree about the time, and a page loaded by hand holds old requests. */
const clockSlack = 60_000;

/** Members by which a row is searched. */
type Shown = Pick<
  InboxItem,
  'id' | 'tool' | 'toolTitle' | 'server' | 'policy' | 'message' | 'requester' | 'reaches' | 'facts' | 'voters'
>;

/** Does this row show every word of a search? */
export function showsText(row: Shown, search: string): boolean {
  const { id, tool, toolTitle, server, policy, message, requester, reaches, facts, voters } = row;
  const values = facts.flatMap(({ label, value }) => [label, value ?? '']);
  const texts = [id, tool, toolTitle, server, policy, message, requester?.subject, reaches, ...values, ...voters];
  return hasWords(texts.join('\n'), search);
}

/** Keeps the row of the open request in sight, and moves a focus in the list to it. */
export function useOpenRow(id: string | undefined, list: RefObject<HTMLElement | null>, isLoaded: boolean): void {
  useEffect(() => {
    const link = id === undefined ? null : linkOfRow(list.current, id);
    link?.closest('li')?.scrollIntoView({ block: 'nearest' });
    if (list.current?.contains(document.activeElement)) link?.focus({ preventScroll: true });
  }, [id, list, isLoaded]);
}

/** The link in the row of this request, if drawn. */
const linkOfRow = (list: HTMLElement | null, id: string): HTMLElement | null | undefined =>
  list?.querySelector<HTMLElement>(`a[data-row="${CSS.escape(id)}"]`);

/** A list that must not move under the pointer: shown rows, waiting rows, and rows that have gone. */
interface SettledRows<T> {
  rows: T[];
  waiting: T[];
  gone: ReadonlySet<string>;
}

/**
 * Merges the fresh list. While someone uses it, rows keep their places and only their content is refreshed: new ones wait and
 * vanished ones stay, marked. Otherwise the fresh list is taken unchanged.
 */
export function settleRows<T extends { id: string }>(shown: T[], fresh: T[], isBusy: boolean): SettledRows<T> {
  if (!isBusy || shown.length === 0) return { rows: fresh, waiting: [], gone: new Set() };
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const shownIds = new Set(shown.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => shownIds.has(row.id));
  return {
    // Rows after the last known one were loaded by hand, or came at the end, where they move nothing.
    rows: [...shown.map((row) => freshById.get(row.id) ?? row), ...fresh.slice(lastKnown + 1)],
    waiting: fresh.slice(0, lastKnown + 1).filter((row) => !shownIds.has(row.id)),
    gone: new Set(shown.filter((row) => !freshById.has(row.id)).map((row) => row.id)),
  };
}
