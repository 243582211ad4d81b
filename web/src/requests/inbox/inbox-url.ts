import {
  endFilters,
  inboxFilters,
  inboxOrders,
  inboxViews,
  lastMoment,
  type InboxFilter,
} from '#requests/inbox/contract/filters';
import type { InboxQuery } from '#requests/inbox/contract/history';

/** What the address says about the list: its view, order and filters. */
export type InboxFilters = Pick<InboxQuery, 'view' | FilterName>;
export type FilterName = 'order' | InboxFilter;

const kinds: Record<FilterName, number | 'moment' | readonly string[]> = { ...inboxFilters, order: inboxOrders };
const filterNames = Object.keys(kinds) as FilterName[];
const pageSize = 50;
/** Someone who asks for more reads on. */
const nextPageSize = 100;

/** Anything the address says that is not a filter, or not a possible value of one, counts as not said. */
export function readFilters(search: URLSearchParams): InboxFilters {
  const set = filterNames.flatMap((name) => {
    const value = readFilter(name, search.get(name) ?? '');
    return value === undefined ? [] : [[name, value] as const];
  });
  const view = search.get('view');
  return { view: inboxViews.find((name) => name === view) ?? 'mine', ...Object.fromEntries(set) };
}

/** The schema of the request says the same; it is not loaded before the list is drawn. */
function readFilter(name: FilterName, text: string): string | number | undefined {
  const kind = kinds[name];
  if (kind === 'moment') return /^\d{1,16}$/.test(text) && Number(text) <= lastMoment ? Number(text) : undefined;
  if (typeof kind !== 'number') return kind.find((choice) => choice === text);
  const value = name === 'q' || name === 'requester' ? text.trim() : text;
  return value === '' || text.length > kind || text.includes('\0') ? undefined : value;
}

/** The shortest address that says the same; what is as usual is left out. */
export function writeFilters(filters: InboxFilters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.view !== 'mine') search.set('view', filters.view);
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== undefined) search.set(name, `${value}`);
  }
  return search;
}

/** The address of a request that keeps the queue it was opened from. */
export function requestAddress(id: string, filters: InboxFilters): string {
  const search = writeFilters(filters).toString();
  return `/requests/${id}${search === '' ? '' : `?${search}`}`;
}

/** The address of these requests, to be decided together; it keeps the queue they were selected in. */
export function togetherAddress(requests: { id: string }[], filters: InboxFilters): string {
  const search = writeFilters(filters);
  search.set('ids', requests.map(({ id }) => id).join(','));
  return `/inbox/together?${search}`;
}

/** Where everything that this list matches is declined. */
export const declineAllAddress = (filters: InboxFilters): string =>
  `/inbox/decline?${writeFilters({ ...filters, order: undefined }).toString()}`;

/** Where this list is: what has ended has a place of its own. */
export function listAddress(filters: InboxFilters): string {
  const isHistory = filters.view === 'done';
  const search = writeFilters(isHistory ? { ...filters, view: 'mine' } : filters).toString();
  return `${isHistory ? '/history' : '/inbox'}${search === '' ? '' : `?${search}`}`;
}

/** Sets one filter, or takes it away. */
export function withFilter(filters: InboxFilters, name: FilterName, value: string | undefined): InboxFilters {
  const search = writeFilters(filters);
  if (value === undefined || value === '') search.delete(name);
  else search.set(name, value);
  return readFilters(search);
}

/** Another view keeps what can apply there: only ended requests can be filtered by how and when they ended. */
export function withView(filters: InboxFilters, view: InboxFilters['view']): InboxFilters {
  const search = writeFilters({ ...filters, view });
  for (const name of ['order', ...endFilters]) search.delete(name);
  return readFilters(search);
}

export const isFiltered = ({ view: _view, order: _order, ...filters }: InboxFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** What narrows an export: the filters alone, for it is of the history and in its order. */
export const exportSearch = ({ view: _view, order: _order, ...filters }: InboxFilters): URLSearchParams =>
  writeFilters({ ...filters, view: 'mine' });

export function inboxSearch(filters: InboxFilters, cursor: string | null): URLSearchParams {
  const search = writeFilters(filters);
  search.set('view', filters.view);
  search.set('limit', `${cursor === null ? pageSize : nextPageSize}`);
  if (cursor !== null) search.set('cursor', cursor);
  return search;
}
