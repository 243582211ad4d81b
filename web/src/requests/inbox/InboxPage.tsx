import { Suspense, useEffect, useState, lazy, useMemo, useRef, type Ref, type SubmitEvent } from 'react';
import { Outlet, useLocation, useMatch, useNavigate, useSearchParams, Navigate, Link } from 'react-router';
import {
  listAddress,
  readFilters,
  type InboxFilters,
  exportSearch,
  isFiltered,
  withFilter,
  type FilterName,
  declineAllAddress,
  withView,
  togetherAddress,
} from './inbox-url.ts';
import { useSplit } from '../../ui/looks.ts';
import page from '../../ui/Page.module.css';
import {
  wasOpenedByItself,
  showsText,
  useFirstRow,
  useInbox,
  useOpenRow,
  useReturn,
  useSelection,
  type InboxState,
  type Selection,
} from './use-selection.ts';
import { splitView as splitFrameWords, words, emptyStates } from './words/words.ts';
import splitFrameClasses from './SplitFrame.module.css';
import { may } from '../../people/roles/permission-table.ts';
import { useHotkeys } from '../../shell/use-hotkeys.tsx';
import { useIsLive } from './use-live-inbox.tsx';
import { useIsSettled } from '../../ui/use-is-settled.ts';
import { Disc, Ring } from '../../ui/icons.tsx';
import { useUser } from '../../people/users/use-user.ts';
import { PageHead } from '../../ui/PageHead.tsx';
import { places, namePolicy, nameStatus, risks as riskNames, problems, shell } from '../../ui/words/words.ts';
import classes from './InboxPage.module.css';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Inbox } from '#requests/inbox/contract/inbox';
import { inboxOrders } from '#requests/inbox/contract/filters';
import { risks, statuses, isClosed } from '#requests/asking/contract/elicitation';
import filterBarClasses from './FilterBar.module.css';
import { Revealed } from '../../ui/Revealed.tsx';
import { filterTexts } from './filter-texts.ts';
import { Notice, ProblemNotice } from '../../ui/Notice.tsx';
import requestListClasses from './RequestList.module.css';
import { MoreRows, RowBlocks, RowSkeletons } from './RowBlocks.tsx';
import { RequestRow } from './RequestRow.tsx';
import tabs from '../../shell/Tabs.module.css';
import viewTabsClasses from './ViewTabs.module.css';

/**
 * Frame with the list and the request next to it, at the same addresses; on a narrow window each is a page. Input in a request
 * and selected rows survive a change of the width.
 */
export function SplitFrame() {
  const isSplit = useSplit();
  const opened = useMatch('/requests/:id')?.params.id;
  const isLeft = useIsLeft(isSplit);
  const id = isLeft ? undefined : opened;
  const last = useLast(opened);
  const parts = isSplit
    ? { className: splitFrameClasses.request, role: 'region', 'aria-label': splitFrameWords.request }
    : {};
  return (
    <div {...(isSplit && { className: splitFrameClasses.split, 'data-split': '' })}>
      {(isSplit || id === undefined) && <List openId={id} cameFrom={last} isBeside={isSplit} />}
      {(isSplit || id !== undefined) && (
        <div {...parts} data-request="">
          <Suspense>{id === undefined ? <NothingOpen /> : <Outlet />}</Suspense>
        </div>
      )}
    </div>
  );
}

/** The open request, or the last open one. */
function useLast(opened: string | undefined): string | undefined {
  const [last, setLast] = useState(opened);
  if (opened !== undefined && opened !== last) setLast(opened);
  return last;
}

/** Must a request that opened by itself give way to its list, because the window is too narrow for both? */
function useIsLeft(isSplit: boolean): boolean {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const isLeft = !isSplit && pathname.startsWith('/requests/') && wasOpenedByItself(state);
  useEffect(() => {
    if (isLeft) void navigate(listAddress(readFilters(new URLSearchParams(search))), { replace: true });
  }, [isLeft, navigate, search]);
  return isLeft;
}

function List({
  openId,
  cameFrom,
  isBeside,
}: Record<'openId' | 'cameFrom', string | undefined> & { isBeside: boolean }) {
  const isHistory = useIsHistory(openId !== undefined);
  return (
    <section {...(isBeside && { className: splitFrameClasses.list, 'aria-label': splitFrameWords.list })}>
      <InboxPage
        key={isHistory ? 'history' : 'inbox'}
        isHistory={isHistory}
        openId={openId}
        cameFrom={isBeside ? undefined : cameFrom}
        isBeside={isBeside}
      />
    </section>
  );
}

/** Is it the history? A request belongs to the list from which it was opened. */
function useIsHistory(isRequest: boolean): boolean {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return isRequest ? readFilters(search).view === 'done' : pathname === '/history';
}

const NothingOpen = () => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{splitFrameWords.nothing}</h2>
    <p>{splitFrameWords.how}</p>
  </div>
);

// Loaded later, because the list does not wait for it.
const SavedViews = lazy(async () => ({ default: (await import('./SavedViews.tsx')).SavedViews }));

interface InboxPageProps {
  /** Is it the list of ended requests? */
  isHistory?: boolean;
  /** Request open next to the list. */
  openId?: string | undefined;
  /** Request that was open before, where the list is a page of its own. */
  cameFrom?: string | undefined;
  /** Is a request shown next to the list? */
  isBeside?: boolean;
}

/** Open requests, or ended ones. */
export function InboxPage({ isHistory = false, openId, cameFrom, isBeside = false }: InboxPageProps) {
  const [search] = useSearchParams();
  const isReviewer = useIsReviewer();
  const filters = useMemo(() => filtersIn(search, { isHistory, isReviewer }), [search, isHistory, isReviewer]);
  if (!isHistory && filters.view === 'done') return <Navigate to={listAddress(filters)} replace />;
  const parts = { filters, openId, cameFrom, isBeside };
  return <Requests {...parts} hasTabs={!isHistory && !isReviewer} />;
}

/** Is the person a reviewer? Kept when the session ends, so that the list stays. */
function useIsReviewer(): boolean {
  const user = useUser();
  const [last, setLast] = useState(user);
  if (user !== null && user !== last) setLast(user);
  return !may(user ?? last, 'decide').allowed;
}

/** Filters in the address. Reviewers never vote, so by default they see all open requests. */
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

/** Unsent text in the search of this list. It filters the rows until the requested list is shown. */
function useTyped(list: string) {
  const [state, setState] = useState({ list, text: '' });
  if (state.list !== list) setState({ list, text: '' });
  return { typed: state.list === list ? state.text : '', setTyped: (text: string) => setState({ list, text }) };
}

/** Head of the list; next to a request, that request gives the page its heading. */
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

// Only the history has it, and it is loaded there.
const PeriodFilter = lazy(async () => ({ default: (await import('./PeriodFilter.tsx')).PeriodFilter }));

interface FilterBarProps {
  filters: InboxFilters;
  facets: Inbox | undefined;
  /** Takes unsent text of the search: loaded rows are filtered at once. */
  onType: (text: string) => void;
  ref: Ref<HTMLDivElement>;
}

interface Choice {
  value: string;
  label: string;
}

function FilterBar({ filters, facets, onType, ref }: FilterBarProps) {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const isDone = filters.view === 'done';
  const servers = choicesOf(facets?.servers, filters.server);
  const tools = choicesOf(facets?.tools, filters.tool);
  const policies = choicesOf(facets?.policies, filters.policy, namePolicy);
  const groups = choicesOf(facets?.groups, filters.group);
  const filter = (name: FilterName, label: string, choices: Choice[]) => (
    <NativeSelect
      aria-label={label}
      value={filters[name] ?? choices[0]?.value ?? ''}
      data={choices}
      onChange={({ currentTarget: { value } }) => {
        const isUsual = value === choices[0]?.value;
        const next = withFilter(filters, name, isUsual ? undefined : value);
        void navigate(listAddress(next), { replace: true });
      }}
    />
  );
  return (
    <div role="group" aria-label={words.filtersLabel} className={filterBarClasses.bar} ref={ref}>
      <SearchField key={`q ${filters.q}`} name="q" filters={filters} onType={onType} />
      <Button
        variant="default"
        className={filterBarClasses.toggle}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {words.moreFilters(inForce(filters))}
      </Button>
      <div className={filterBarClasses.more} data-open={isOpen}>
        <SearchField key={`requester ${filters.requester}`} name="requester" filters={filters} />
        {servers.length > 1 && filter('server', words.server, [{ value: '', label: words.anyServer }, ...servers])}
        {tools.length > 1 && filter('tool', words.tool, [{ value: '', label: words.anyTool }, ...tools])}
        {policies.length > 0 && filter('policy', words.policy, [{ value: '', label: words.anyPolicy }, ...policies])}
        {groups.length > 0 && filter('group', words.group, [{ value: '', label: words.anyGroup }, ...groups])}
        {filter('risk', words.risk, [{ value: '', label: words.anyRisk }, ...riskChoices])}
        <Suspense>{isDone && <PeriodFilter filters={filters} />}</Suspense>
        {isDone && filter('status', words.status, [{ value: '', label: words.anyStatus }, ...endings])}
        {!isDone && filter('order', words.order, orderChoices())}
      </div>
      <Chips filters={filters} />
      {isDone && <Downloads filters={filters} />}
    </div>
  );
}

/** Filters of the list, each with a way to remove it. */
function Chips({ filters }: { filters: InboxFilters }) {
  if (!isFiltered(filters)) return null;
  const texts = filterTexts(filters);
  return (
    <ul className={filterBarClasses.chips} aria-label={words.inForce}>
      {texts.map(({ name, text, without }) => (
        <li key={name}>
          <Link to={without} replace className={filterBarClasses.chip} aria-label={words.takeBack(text)}>
            <Revealed text={text} /> <span aria-hidden>×</span>
          </Link>
        </li>
      ))}
      {texts.length > 1 && (
        <li>
          <Link to={listAddress({ view: filters.view })} className={filterBarClasses.clear}>
            {words.clear}
          </Link>
        </li>
      )}
    </ul>
  );
}

/** Number of filters behind the button of a phone. */
const inForce = ({ view: _view, order: _order, q: _q, ...filters }: InboxFilters): number =>
  Object.values(filters).filter((value) => value !== undefined).length;

/** The list as a file: all of it, not only the page that is shown. */
function Downloads({ filters }: { filters: InboxFilters }) {
  const search = exportSearch(filters);
  return (
    <>
      <a className={filterBarClasses.clear} href={`/api/history/csv?${search}`} download="history.csv">
        {words.asCsv}
      </a>
      <a className={filterBarClasses.clear} href={`/api/history?${search}`} download="history.json">
        {words.asJson}
      </a>
    </>
  );
}

const riskChoices: Choice[] = [...risks].reverse().map((value) => ({ value, label: riskNames[value] }));

const endings: Choice[] = statuses.filter(isClosed).map((value) => ({ value, label: nameStatus(value, null) }));

/** Choices; the current one stays even if no row has it. */
const choicesOf = (values: string[] = [], current: string | undefined, nameOf = (value: string) => value): Choice[] =>
  [...new Set([...values, ...(current === undefined ? [] : [current])])].map((value) => ({
    value,
    label: nameOf(value),
  }));

/** Orders to choose; the default comes first, and is not in the address. */
const orderChoices = (): Choice[] => inboxOrders.map((value) => ({ value, label: words.orders[value] }));

const SelectionBar = lazy(async () => ({ default: (await import('./SelectionBar.tsx')).SelectionBar }));

interface RequestListProps {
  filters: InboxFilters;
  inbox: InboxState;
  /** Request open next to the list. */
  openId: string | undefined;
  /** Row at which the reader continues. */
  returnId: string | undefined;
  ref: Ref<HTMLDivElement>;
}

function RequestList({ filters, inbox, openId, returnId, ref }: RequestListProps) {
  const { query, rows, waiting, gone, showAll } = inbox;
  const selection = useSelection(rows, gone);
  useSelectionKeys(selection, filters);
  const retry = () => void query.refetch();
  if (query.isPending && rows.length === 0) return <RowSkeletons />;
  if (query.isError && query.data === undefined) return <ProblemNotice error={query.error} onRetry={retry} />;
  return (
    <>
      {query.isPending && (
        <p role="status" className={requestListClasses.searching}>
          {words.searching}
        </p>
      )}
      {query.isRefetchError && (
        <Notice tone="warn" title={problems.stale}>
          <Button variant="default" onClick={retry}>
            {problems.retry}
          </Button>
        </Notice>
      )}
      {waiting.length > 0 && (
        <Button variant="light" fullWidth className={requestListClasses.news} onClick={showAll}>
          {words.show(waiting.length)}
        </Button>
      )}
      {rows.length === 0 ? (
        <EmptyList filters={filters} />
      ) : (
        <div ref={ref}>
          <RowBlocks rows={rows} keptId={openId ?? returnId}>
            {(item) => (
              <RequestRow
                key={item.id}
                item={item}
                filters={filters}
                isGone={gone.has(item.id)}
                isOpened={item.id === openId}
                isChosen={selection.isChosen(item)}
                mayChoose={selection.mayChoose(item)}
                select={selection.select}
              />
            )}
          </RowBlocks>
        </div>
      )}
      {selection.chosen.length > 0 && (
        <Suspense>
          <SelectionBar selection={selection} filters={filters} />
        </Suspense>
      )}
      {filters.view === 'mine' && rows.length > 1 && (
        <p className={requestListClasses.declineAll}>
          <Link to={declineAllAddress(filters)}>{words.declineAll}</Link>
        </p>
      )}
      <MoreRows query={query} />
    </>
  );
}

function EmptyList({ filters }: { filters: InboxFilters }) {
  const isAdministrator = may(useUser(), 'change-directory').allowed;
  const state = emptyStates[isFiltered(filters) ? 'filtered' : filters.view];
  return (
    <div className={requestListClasses.empty}>
      <h2>{state.title}</h2>
      <p>{state.note}</p>
      {filters.q !== undefined && <p>{words.sealedNote}</p>}
      {filters.requester !== undefined && <p>{words.requesterNote}</p>}
      {isFiltered(filters) && <Link to={listAddress({ view: filters.view })}>{words.clear}</Link>}
      {isAdministrator && !isFiltered(filters) && <Link to="/start">{words.start}</Link>}
    </div>
  );
}

const openViews = ['mine', 'all'] as const;

/** Links, not a tab widget: each view is an address of its own. */
function ViewTabs({ filters, counts }: { filters: InboxFilters; counts: Inbox['counts'] | undefined }) {
  return (
    <nav aria-label={words.viewsLabel} className={`${tabs.tabs} ${viewTabsClasses.bar}`}>
      {openViews.map((view) => (
        <Link
          key={view}
          to={listAddress(withView(filters, view))}
          aria-current={view === filters.view ? 'page' : undefined}
          className={tabs.tab}
        >
          {words.views[view]}
          {counts !== undefined && <span className={viewTabsClasses.count}>{shell.counted(counts[view])}</span>}
        </Link>
      ))}
    </nav>
  );
}

interface ListParts {
  list: HTMLElement | null;
  bar: HTMLElement | null;
  /** Request open next to the list. */
  openId: string | undefined;
}

/**
 * Handles a key for the focused row, or the open one: `o` opens it like Enter, or goes to it, `x` selects it, and `X` all from
 * the last selected one to it. The open request moves through its queue by itself.
 */
function pressListKey(key: string, { list, bar, openId }: ListParts): boolean {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
  const isMeant = (link: HTMLElement): boolean =>
    openId === undefined ? link === document.activeElement : link.dataset['row'] === openId;
  const at = links.findIndex(isMeant);
  if (openId === undefined && (key === 'j' || key === 'n')) links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (openId === undefined && key === 'k') links[Math.max(at - 1, 0)]?.focus();
  else if (key === 'o' && openId === undefined) links[at]?.click();
  else if (key === 'o') goToRequest();
  else if (key === 'x' || key === 'X') pressCheckbox(links[at], key === 'X');
  else if (key === '/') bar?.querySelector('input')?.focus();
  else return false;
  return true;
}

const goToRequest = (): void => document.querySelector<HTMLElement>('[data-request] h1')?.focus();

/** Presses the checkbox like a click with or without Shift; a disabled one stays unchanged. */
function pressCheckbox(link: HTMLElement | undefined, shiftKey: boolean): void {
  const checkbox = link?.closest('li')?.querySelector('input[type=checkbox]:enabled');
  checkbox?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

interface SearchFieldProps {
  name: 'q' | 'requester';
  filters: InboxFilters;
  onType?: (text: string) => void;
}

/** Search field that searches on Enter, so that each search is one address. */
function SearchField({ name, filters, onType }: SearchFieldProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(filters[name] ?? '');
  const isSearch = name === 'q';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void navigate(listAddress(withFilter(filters, name, text.trim())));
  };
  return (
    <form
      role={isSearch ? 'search' : undefined}
      onSubmit={submit}
      className={isSearch ? filterBarClasses.search : undefined}
    >
      <TextInput
        type={isSearch ? 'search' : 'text'}
        aria-label={isSearch ? words.search : words.requesterLabel}
        placeholder={isSearch ? words.searchNote : words.requesterLabel}
        title={isSearch ? words.sealedNote : words.requesterNote}
        value={text}
        maxLength={isSearch ? 200 : 800}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onType?.(value.trim() === filters[name] ? '' : value.trim());
        }}
        enterKeyHint="search"
        autoComplete="off"
      />
    </form>
  );
}

/** Keys of the selection: `*` selects all that can be decided together, and `t` opens the selected ones. */
function useSelectionKeys({ chosen, chooseAll }: Selection, filters: InboxFilters): void {
  const navigate = useNavigate();
  useHotkeys('list', (key) => {
    if (key === '*' && filters.view === 'mine') chooseAll();
    else if (key === 't' && chosen.length > 0) void navigate(togetherAddress(chosen, filters));
    else return false;
    return true;
  });
}
