import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation, useMatch, useNavigate, useSearchParams } from 'react-router';
import { listAddress, readFilters } from '../inbox-url.ts';
import { useSplit } from '../../../ui/looks.ts';
import page from '../../../ui/Page.module.css';
import { InboxPage } from './InboxPage.tsx';
import { wasOpenedByItself } from '../use-selection/use-first-row.ts';
import { splitView as words } from '../words/words.ts';
import classes from '../SplitFrame.module.css';

/**
 * Where there is room, the list stays and the request stands next to it, at the same addresses; elsewhere each is a page.
 * What someone types in a request, and the rows that they have chosen, stay if the window becomes wider or narrower.
 */
export function SplitFrame() {
  const isSplit = useSplit();
  const opened = useMatch('/requests/:id')?.params.id;
  const isLeft = useIsLeft(isSplit);
  const id = isLeft ? undefined : opened;
  const last = useLast(opened);
  const parts = isSplit ? { className: classes.request, role: 'region', 'aria-label': words.request } : {};
  return (
    <div {...(isSplit && { className: classes.split, 'data-split': '' })}>
      {(isSplit || id === undefined) && <List openId={id} cameFrom={last} isBeside={isSplit} />}
      {(isSplit || id !== undefined) && (
        <div {...parts} data-request="">
          <Suspense>{id === undefined ? <NothingOpen /> : <Outlet />}</Suspense>
        </div>
      )}
    </div>
  );
}

/** The request that is open, or was open before. */
function useLast(opened: string | undefined): string | undefined {
  const [last, setLast] = useState(opened);
  if (opened !== undefined && opened !== last) setLast(opened);
  return last;
}

/** A request that opened by itself gives way to its list when the window becomes too narrow for both. */
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
    <section {...(isBeside && { className: classes.list, 'aria-label': words.list })}>
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

/** A request belongs to the list that it was opened from. */
function useIsHistory(isRequest: boolean): boolean {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return isRequest ? readFilters(search).view === 'done' : pathname === '/history';
}

const NothingOpen = () => (
  <div className={page.empty}>
    <h2 className={page.subtitle}>{words.nothing}</h2>
    <p>{words.how}</p>
  </div>
);
