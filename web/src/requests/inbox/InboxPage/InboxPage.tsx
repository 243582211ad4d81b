import { may } from '../../../people/roles/permission-table.ts';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, type InboxFilters } from '../inbox-url.ts';
import { useHotkeys } from '../../../shell/use-hotkeys/use-hotkeys.tsx';
import { useIsLive } from '../use-live-inbox.tsx';
import { useIsSettled } from '../../../ui/use-is-settled.ts';
import { Disc, Ring } from '../../../ui/icons.tsx';
import { useUser } from '../../../people/users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { places } from '../../../ui/words/words.ts';
import { FilterBar } from './FilterBar.tsx';
import classes from '../InboxPage.module.css';
import { pressListKey } from './press-list-key.ts';
import { RequestList } from './RequestList.tsx';
import { showsText } from '../use-selection/shows-text.ts';
import { useFirstRow } from '../use-selection/use-first-row.ts';
import { useInbox } from '../use-selection/use-inbox.ts';
import { useOpenRow } from '../use-selection/use-open-row.ts';
import { useReturn } from '../use-selection/use-return.ts';
import { ViewTabs } from './ViewTabs.tsx';
import { words } from '../words/words.ts';

// Nothing of the list waits for it.
const SavedViews = lazy(async () => ({ default: (await import('../SavedViews/SavedViews.tsx')).SavedViews }));

interface InboxPageProps {
  /** Whether it is about what has ended. */
  isHistory?: boolean;
  /** The request that is open next to the list. */
  openId?: string | undefined;
  /** The request that was open before, where the list is a page of its own. */
  cameFrom?: string | undefined;
  /** Whether a request is shown next to the list. */
  isBeside?: boolean;
}

/** What is open, or what has ended. */
export function InboxPage({ isHistory = false, openId, cameFrom, isBeside = false }: InboxPageProps) {
  const [search] = useSearchParams();
  const isReviewer = useIsReviewer();
  const filters = useMemo(() => filtersIn(search, { isHistory, isReviewer }), [search, isHistory, isReviewer]);
  if (!isHistory && filters.view === 'done') return <Navigate to={listAddress(filters)} replace />;
  const parts = { filters, openId, cameFrom, isBeside };
  return <Requests {...parts} hasTabs={!isHistory && !isReviewer} />;
}

/** The list stays as it was when the session ends. */
function useIsReviewer(): boolean {
  const user = useUser();
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  return !may(user ?? last, 'decide').allowed;
}

/** Nothing waits for someone who never votes: a reviewer sees all that is open. */
function filtersIn(search: URLSearchParams, { isHistory, isReviewer }: { isHistory: boolean; isReviewer: boolean }) {
  const filters = readFilters(search);
  if (isHistory) return { ...filters, view: 'done' } as const;
  return isReviewer && filters.view !== 'done' ? ({ ...filters, view: 'all' } as const) : filters;
}

interface RequestsProps {
  filters: InboxFilters;
  hasTabs: boolean;
  openId: string | undefined;
  cameFrom: string | undefined;
  isBeside: boolean;
}

function Requests({ filters, hasTabs, openId, cameFrom, isBeside }: RequestsProps) {
  const { typed, setTyped } = useTyped(listAddress(filters));
  const list = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const inbox = useInbox(filters, list);
  const narrowed = typed === '' ? inbox : { ...inbox, rows: inbox.rows.filter((row) => showsText(row, typed)) };
  useFirstRow(inbox.query.isPending ? [] : inbox.rows, filters, isBeside && openId === undefined);
  useHotkeys('list', (key) => pressListKey(key, { list: list.current, bar: bar.current, openId }));
  useOpenRow(openId, list, inbox.rows.length > 0);
  const returnId = useReturn(cameFrom, list, { rows: inbox.fresh, isFetching: inbox.query.isFetching });
  return (
    <div className={classes.page}>
      <ListHead filters={filters} isBeside={openId !== undefined} />
      <div className={classes.controls}>
        {hasTabs && <ViewTabs filters={filters} counts={inbox.facets?.counts} />}
        <FilterBar key={listAddress(filters)} ref={bar} filters={filters} facets={inbox.facets} onType={setTyped} />
      </div>
      <RequestList
        key={listAddress(filters)}
        ref={list}
        filters={filters}
        inbox={narrowed}
        openId={openId}
        returnId={returnId}
      />
    </div>
  );
}

/** What is typed in the search of this list and not sent yet. It narrows the rows until the list that was asked for is shown. */
function useTyped(list: string) {
  const [state, setState] = useState({ list, text: '' });
  if (state.list !== list) setState({ list, text: '' });
  return { typed: state.list === list ? state.text : '', setTyped: (text: string) => setState({ list, text }) };
}

/** Next to a request, that request gives the page its heading. */
function ListHead({ filters, isBeside }: { filters: InboxFilters; isBeside: boolean }) {
  const title = filters.view === 'done' ? places.history : places.inbox;
  const action = (
    <div className={classes.action}>
      <Freshness />
      <Suspense>{useIsSettled() && <SavedViews filters={filters} />}</Suspense>
    </div>
  );
  if (!isBeside) return <PageHead title={title} action={action} />;
  return (
    <div className={page.top}>
      <h2 className={page.title}>{title}</h2>
      {action}
    </div>
  );
}

function Freshness() {
  const isLive = useIsLive();
  return (
    <p className={classes.freshness}>
      {isLive ? <Disc /> : <Ring />}
      {isLive ? words.live : words.polling}
    </p>
  );
}
