import {
  endFilters,
  inboxFilters,
  inboxOrders,
  inboxViews,
  lastMoment,
  type InboxFilter,
} from '#requests/inbox/contract/filters';
import type { InboxQuery } from '#requests/inbox/contract/history';

/** The list in the address: its view, order and filters. */
export type InboxFilters = Pick<InboxQuery, 'view' | FilterName>;
export type FilterName = 'order' | InboxFilter;

const kinds: Record<FilterName, number | 'moment' | readonly string[]> = { ...inboxFilters, order: inboxOrders };
const filterNames = Object.keys(kinds) as FilterName[];
const pageSize = 50;
/** Size of further pages, larger because the reader asked for more. */
const nextPageSize = 100;

/** Filters in the address; unknown names and values are ignored. */
export function readFilters(search: URLSearchParams): InboxFilters {
  const set = filterNames.flatMap((name) => {
    const value = readFilter(name, search.get(name) ?? '');
    return value === undefined ? [] : [[name, value] as const];
  });
  const view = search.get('view');
  return { view: inboxViews.find((name) => name === view) ?? 'mine', ...Object.fromEntries(set) };
}

/** A filter's value. The schema of the request has the same rules, but loads after the list. */
function readFilter(name: FilterName, text: string): string | number | undefined {
  const kind = kinds[name];
  if (kind === 'moment') return /^\d{1,16}$/.test(text) && Number(text) <= lastMoment ? Number(text) : undefined;
  if (typeof kind !== 'number') return kind.find((choice) => choice === text);
  const value = name === 'q' || name === 'requester' ? text.trim() : text;
  return value === '' || text.length > kind || text.includes('\0') ? undefined : value;
}

/** The shortest address of the filters; defaults are left out. */
export function writeFilters(filters: InboxFilters): URLSearchParams {
  const search = new URLSearchParams();
  if (filters.view !== 'mine') search.set('view', filters.view);
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== undefined) search.set(name, `${value}`);
  }
  return search;
}

/** The address of a request, with the queue it was opened from. */
export function requestAddress(id: string, filters: InboxFilters): string {
  const search = writeFilters(filters).toString();
  return `/requests/${id}${search === '' ? '' : `?${search}`}`;
}

/** The address of these requests, to be decided together, with the queue they were selected in. */
export function togetherAddress(requests: { id: string }[], filters: InboxFilters): string {
  const search = writeFilters(filters);
  search.set('ids', requests.map(({ id }) => id).join(','));
  return `/inbox/together?${search}`;
}

/** Address at which all requests of this list are declined. */
export const declineAllAddress = (filters: InboxFilters): string =>
  `/inbox/decline?${writeFilters({ ...filters, order: undefined }).toString()}`;

/** Address of this list: ended requests have a separate one. */
export function listAddress(filters: InboxFilters): string {
  const isHistory = filters.view === 'done';
  const search = writeFilters(isHistory ? { ...filters, view: 'mine' } : filters).toString();
  return `${isHistory ? '/history' : '/inbox'}${search === '' ? '' : `?${search}`}`;
}

/** Sets one filter, or removes it. */
export function withFilter(filters: InboxFilters, name: FilterName, value: string | undefined): InboxFilters {
  const search = writeFilters(filters);
  if (value === undefined || value === '') search.delete(name);
  else search.set(name, value);
  return readFilters(search);
}

/** Filters in another view, as far as they apply: only ended requests can be filtered by how and when they ended. */
export function withView(filters: InboxFilters, view: InboxFilters['view']): InboxFilters {
  const search = writeFilters({ ...filters, view });
  for (const name of ['order', ...endFilters]) search.delete(name);
  return readFilters(search);
}

export const isFiltered = ({ view: _view, order: _order, ...filters }: InboxFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** Parameters of an export: the filters alone, because it is of the history and in its order. */
export const exportSearch = ({ view: _view, order: _order, ...filters }: InboxFilters): URLSearchParams =>
  writeFilters({ ...filters, view: 'mine' });

export function inboxSearch(filters: InboxFilters, cursor: string | null): URLSearchParams {
  const search = writeFilters(filters);
  search.set('view', filters.view);
  search.set('limit', `${cursor === null ? pageSize : nextPageSize}`);
  if (cursor !== null) search.set('cursor', cursor);
  return search;
}
