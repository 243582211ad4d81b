import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState, useLayoutEffect } from 'react';
import { Navigate, Outlet, useLocation, useMatch, useNavigationType } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { requestQuery } from '../queries.ts';
import { sessionQuery } from '../../access/sign-in/PasswordForm.tsx';
import { LiveInbox, WaitingProvider } from '../../requests/inbox/use-live-inbox.tsx';
import { useChoice } from '../../ui/theme/kept-choice.ts';
import { SettledContext, useSettling } from '../../ui/use-is-settled.ts';
import { density } from '../../ui/looks.ts';
import { Notice, ProblemNotice } from '../../ui/Notice/Notice.tsx';
import { BrokenPart } from '../PlainPage/BrokenPage.tsx';
import { Guarded } from '../PlainPage/Guarded.tsx';
import { PlainPage } from '../PlainPage/PlainPage.tsx';
import classes from '../Shell.module.css';
import { ShellHeader } from './ShellHeader.tsx';
import { problems, shell } from '../../ui/words/words.ts';

// Nothing of a page waits for it.
const Banners = lazy(async () => ({ default: (await import('../Banners/Banners.tsx')).Banners }));

/** The frame of every page behind the sign-in. */
export function SignedInShell() {
  const session = useQuery(sessionQuery);
  const signedIn = useLastSignedIn(session.data);
  const rows = useChoice(density);
  const isSettled = useSettling();
  const { pathname, search } = useLocation();
  usePageTop();
  if (signedIn === null) {
    if (session.isPending) return <Skeleton m="xl" height={52} aria-label={shell.loading} />;
    if (session.data === null) return <Navigate to={signInAddress(pathname + search)} replace />;
    return (
      <PlainPage>
        <h1>{problems.broken}</h1>
        <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />
      </PlainPage>
    );
  }
  if (session.data?.unfinished) return <Navigate to={secondFactorAddress(pathname + search)} replace />;
  return (
    <SettledContext value={isSettled}>
      <LiveInbox key={signedIn.user.id}>
        <WaitingProvider>
          <a href="#content" className={classes.skip}>
            {shell.skip}
          </a>
          <SkipToDecision />
          <ShellHeader user={signedIn.user} />
          <Guarded instead={null}>{isSettled && <Banners />}</Guarded>
          <main id="content" className={classes.main} tabIndex={-1} data-density={rows}>
            {session.data === null && <SignedOutNotice />}
            <Guarded instead={<BrokenPart />} place={pathname}>
              <Outlet />
            </Guarded>
          </main>
        </WaitingProvider>
      </LiveInbox>
    </SettledContext>
  );
}

/** Past the list and the arguments, once a request with a decision is shown. */
function SkipToDecision() {
  const id = useMatch('/requests/:id')?.params.id ?? '';
  const { data, isError } = useQuery({ ...requestQuery(id, true), enabled: false });
  if (data === undefined || isError) return null;
  return (
    <a href="#decision" className={classes.skip}>
      {shell.skipToDecision}
    </a>
  );
}

/** A session that ends must not take along what someone is typing, so the page stays as it is. */
function useLastSignedIn(current: SignedIn | null | undefined): SignedIn | null {
  const [last, setLast] = useState<SignedIn | null>(current ?? null);
  if (current && current !== last) setLast(current);
  return current ?? last;
}

function SignedOutNotice() {
  return (
    <div role="alert" className={classes.signedOut}>
      <Notice tone="warn" title={shell.signedOut}>
        <a href="/signin" target="_blank" rel="noopener">
          {shell.signInAgain}
        </a>
      </Notice>
    </div>
  );
}

const secondFactorAddress = (here: string): string =>
  here === '/' ? '/second-factor' : `/second-factor?next=${encodeURIComponent(here)}`;
const signInAddress = (here: string): string => (here === '/' ? '/signin' : `/signin?next=${encodeURIComponent(here)}`);

/** A page that a link or a key opens begins at its top; going back, the browser restores the place itself. */
function usePageTop(): void {
  const { pathname, hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  useLayoutEffect(() => {
    if (!isBack && hash === '') window.scrollTo(0, 0);
  }, [pathname]); // filters change the search alone, and do not move the page
}
