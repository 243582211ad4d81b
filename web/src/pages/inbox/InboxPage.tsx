import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { readFilters } from '../../lib/inbox-url.ts';
import { useHotkeys } from '../../lib/use-hotkeys.tsx';
import { useIsLive } from '../../lib/use-live-inbox.tsx';
import { Disc, Ring } from '../../ui/icons.tsx';
import { PageHead } from '../../ui/page/PageHead.tsx';
import { FilterBar } from './FilterBar.tsx';
import classes from './InboxPage.module.css';
import { RequestList } from './RequestList.tsx';
import { useInbox } from './use-inbox.ts';
import { ViewTabs } from './ViewTabs.tsx';
import { words } from './words/words.ts';

export function InboxPage() {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const list = useRef<HTMLUListElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const inbox = useInbox(filters, list);
  useHotkeys((key) => pressListKey(key, list.current, bar.current));
  return (
    <>
      <PageHead title={words.title} action={<Freshness />} />
      <div className={classes.controls}>
        <ViewTabs filters={filters} counts={inbox.facets?.counts} />
        <FilterBar ref={bar} filters={filters} facets={inbox.facets} />
      </div>
      <RequestList key={`${search}`} ref={list} filters={filters} inbox={inbox} />
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

/** What has the focus is meant: `o` opens it as Enter would, and `x` selects it. */
function pressListKey(key: string, list: HTMLElement | null, bar: HTMLElement | null): boolean {
  const links = [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  if (key === 'j') links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (key === 'k') links[Math.max(at - 1, 0)]?.focus();
  else if (key === 'o') links[at]?.click();
  else if (key === 'x') links[at]?.closest('li')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
  else if (key === '/') bar?.querySelector('input')?.focus();
  else return false;
  return true;
}
