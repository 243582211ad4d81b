import { Skeleton, Button } from '@mantine/core';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, useState, useLayoutEffect, Suspense, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useMatch, useNavigationType, Link, useNavigate } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { requestQuery } from './queries.ts';
import { sessionQuery, signOut } from '../access/sign-in/PasswordForm.tsx';
import { LiveInbox, WaitingProvider } from '../requests/inbox/use-live-inbox.tsx';
import { useChoice } from '../ui/kept-choice.ts';
import { SettledContext, useSettling, useIsSettled } from '../ui/use-is-settled.ts';
import { density } from '../ui/looks.ts';
import { Notice, ProblemNotice } from '../ui/Notice.tsx';
import { BrokenPart, Guarded, PlainPage, Wordmark } from './PlainPage.tsx';
import classes from './Shell.module.css';
import { problems, shell, nameRole, places } from '../ui/words/words.ts';
import { may, type Permission, type RoleHolder } from '#people/directory/contract/permission';
import { useUser } from '../people/users/use-user.ts';
import { useHotkeys } from './use-hotkeys.tsx';
import { useAnnounce } from './announcer.tsx';
import { Initials } from '../ui/Initials.tsx';
import { Revealed } from '../ui/Revealed.tsx';
import unseen from './Unseen.module.css';
import { Glass } from '../ui/icons.tsx';
import { useWaiting } from '../requests/inbox/use-waiting.ts';
import { LineNav } from '../ui/LineNav.tsx';
import { Count } from './Count.tsx';

// Loaded later, because no page waits for it.
const Banners = lazy(async () => ({ default: (await import('./Banners.tsx')).Banners }));

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

/** Link past the list and the arguments, once a request with a decision is shown. */
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

/** The last signed-in person, so that the end of a session leaves the page and its input unchanged. */
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

/** Scrolls a page opened by a link or a key to its top; going back, the browser restores the place itself. */
function usePageTop(): void {
  const { pathname, hash } = useLocation();
  const isBack = useNavigationType() === 'POP';
  useLayoutEffect(() => {
    if (!isBack && hash === '') window.scrollTo(0, 0);
  }, [pathname]); // filters change the search alone, and do not move the page
}

/** Leads each person to their work: reviewers vote on nothing, so they see decided requests. */
export const FirstPage = () => <Navigate to={workOf(useUser() ?? { role: 'approver' })} replace />;

const works: [Permission, string][] = [
  ['decide', '/inbox'],
  ['write-policies', '/policies'],
  ['watch-requests', '/history'],
  ['read-log', '/audit'],
];

const workOf = (user: RoleHolder): string =>
  works.find(([permission]) => may(user, permission))?.[1] ?? '/settings/servers';

const ShortcutHelp = lazy(async () => ({ default: (await import('./ShortcutHelp.tsx')).ShortcutHelp }));

function ShellHeader({ user }: { user: SignedIn['user'] }) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useHotkeys('everywhere', (key) => {
    if (key === '?') setIsHelpOpen(true);
    return key === '?';
  });
  return (
    <header className={classes.header} data-page-header="">
      <div className={classes.headerInner}>
        <Wordmark />
        <PlaceLinks user={user} />
        <Link to="/account" className={classes.user}>
          <span className={unseen.unseen}>{shell.account}</span>
          <Initials id={user.id} name={user.name} />
          <span className={classes.name}>
            <Revealed text={user.name} />
          </span>
          <span className={classes.role}>{nameRole(user.role)}</span>
        </Link>
        <PaletteButton user={user} />
        <Button variant="subtle" color="gray" className={classes.help} onClick={() => setIsHelpOpen(true)}>
          <span className={unseen.unseen}>{shell.shortcuts}</span>
          <kbd>?</kbd>
        </Button>
        <SignOutButton />
      </div>
      <Suspense>{isHelpOpen && <ShortcutHelp onClose={() => setIsHelpOpen(false)} />}</Suspense>
    </header>
  );
}

function SignOutButton() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async (provider) => {
      if (provider) return location.assign(provider.location);
      await navigate('/signin');
      queries.clear();
    },
    onError: () => announce(shell.signOutFailed),
  });
  return (
    <Button variant="subtle" color="gray" className={classes.signOut} data-sign-out="" onClick={() => leave.mutate()}>
      {shell.signOut}
    </Button>
  );
}

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));

/** Button that loads and opens the palette, also with Ctrl+K or ⌘K, even while typing. */
function PaletteButton({ user }: { user: SignedIn['user'] }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <Button variant="subtle" color="gray" className={classes.find} onClick={() => setIsOpen(true)}>
        <span className={unseen.unseen}>{shell.find}</span>
        <Glass />
      </Button>
      <Suspense>{isOpen && <Palette user={user} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}

// Loaded later, because no page waits for it.
const LaterCount = lazy(async () => ({ default: (await import('./LaterCounts.tsx')).LaterCount }));

type Place = Exclude<keyof typeof places, 'users'>;

/** Prefixes of the addresses of each place; the first is its start. */
const addresses: Record<Place, string[]> = {
  inbox: ['/inbox', '/requests'],
  history: ['/history'],
  insights: ['/insights'],
  policies: ['/policies', '/new-policy'],
  audit: ['/audit'],
  settings: ['/settings'],
};

/** Links to the console's places for this person. */
function PlaceLinks({ user: { reads } }: { user: SignedIn['user'] }) {
  const { pathname, search } = useLocation();
  const isSettled = useIsSettled();
  const isHere = (place: Place) =>
    addresses[place].some((address) => pathname === address || pathname.startsWith(`${address}/`));
  // A request keeps the list from which it was opened.
  const isFromHistory = isHere('inbox') && new URLSearchParams(search).get('view') === 'done';
  const current = isFromHistory ? 'history' : all.find(isHere);
  return (
    <LineNav label={shell.main} className={classes.nav ?? ''}>
      {all
        .filter((place) => (place !== 'insights' || reads.insights) && (place !== 'audit' || reads.log))
        .map((place) => (
          <Link
            key={place}
            to={addresses[place][0] ?? '/'}
            className={classes.navLink}
            aria-current={pathname === addresses[place][0] ? 'page' : place === current || undefined}
          >
            {places[place]}
            {place === 'inbox' && <WaitingCount />}
            {(place === 'policies' || place === 'settings') && isSettled && (
              <Guarded instead={null}>
                <LaterCount place={place} />
              </Guarded>
            )}
          </Link>
        ))}
    </LineNav>
  );
}

const all = Object.keys(addresses) as Place[];

function WaitingCount() {
  const waiting = useWaiting();
  return <Count count={waiting} words={shell.waiting(waiting)} />;
}
