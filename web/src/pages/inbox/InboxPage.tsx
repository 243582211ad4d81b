import { useRef } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { listAddress, readFilters, type InboxFilters } from '../../lib/inbox-url.ts';
import { useHotkeys } from '../../lib/use-hotkeys.tsx';
import { useIsLive } from '../../lib/use-live-inbox.tsx';
import { Disc, Ring } from '../../ui/icons.tsx';
import { useUser } from '../../lib/use-user.ts';
import { PageHead } from '../../ui/page/PageHead.tsx';
import { places } from '../../ui/words/words.ts';
import { FilterBar } from './FilterBar.tsx';
import classes from './InboxPage.module.css';
import { RequestList } from './RequestList.tsx';
import { useInbox } from './use-inbox.ts';
import { ViewTabs } from './ViewTabs.tsx';
import { words } from './words/words.ts';

interface InboxPageProps {
  /** Whether it is about what has ended. */
  isHistory?: boolean;
}

/** What is open, or what has ended. */
export function InboxPage({ isHistory = false }: InboxPageProps) {
  const [search] = useSearchParams();
  const isReviewer = useUser()?.role === 'reviewer';
  const filters = readFilters(search);
  if (isHistory) return <Requests filters={{ ...filters, view: 'done' }} />;
  if (filters.view === 'done') return <Navigate to={listAddress(filters)} replace />;
  // Nothing waits for someone who never votes.
  return <Requests filters={isReviewer ? { ...filters, view: 'all' } : filters} hasTabs={!isReviewer} />;
}

interface RequestsProps {
  filters: InboxFilters;
  hasTabs?: boolean;
}

function Requests({ filters, hasTabs = false }: RequestsProps) {
  const list = useRef<HTMLUListElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const inbox = useInbox(filters, list);
  useHotkeys((key) => pressListKey(key, list.current, bar.current));
  return (
    <>
      <PageHead title={filters.view === 'done' ? places.history : places.inbox} action={<Freshness />} />
      <div className={classes.controls}>
        {hasTabs && <ViewTabs filters={filters} counts={inbox.facets?.counts} />}
        <FilterBar ref={bar} filters={filters} facets={inbox.facets} />
      </div>
      <RequestList key={listAddress(filters)} ref={list} filters={filters} inbox={inbox} />
    </>
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

/** What has the focus is meant: `o` opens it as Enter would, `x` selects it, and `X` all from the last one to it. */
function pressListKey(key: string, list: HTMLElement | null, bar: HTMLElement | null): boolean {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  if (key === 'j' || key === 'n') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (key === 'k') links[Math.max(at - 1, 0)]?.focus();
  else if (key === 'o') links[at]?.click();
  else if (key === 'x' || key === 'X') pressCheckbox(links[at], key === 'X');
  else if (key === '/') bar?.querySelector('input')?.focus();
  else return false;
  return true;
}

/** As a click with or without Shift would; what cannot be selected stays as it is. */
function pressCheckbox(link: HTMLElement | undefined, shiftKey: boolean): void {
  const checkbox = link?.closest('li')?.querySelector('input[type=checkbox]:enabled');
  checkbox?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}
