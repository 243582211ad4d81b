import { lazy } from 'react';
import { Link, useLocation } from 'react-router';
import type { SignedIn } from '#requests/inbox/contract/inbox';
import { useIsSettled } from '../../ui/use-is-settled.ts';
import { useWaiting } from '../../requests/inbox/use-waiting.ts';
import { LineNav } from '../../ui/LineNav.tsx';
import { places, shell } from '../../ui/words/words.ts';
import { Count } from '../Count.tsx';
import { Guarded } from '../PlainPage/Guarded.tsx';
import classes from '../Shell.module.css';

// Nothing of a page waits for it.
const LaterCount = lazy(async () => ({ default: (await import('../LaterCounts.tsx')).LaterCount }));

type Place = Exclude<keyof typeof places, 'users'>;

/** The beginnings of the addresses that belong to each place; the first is where it begins. */
const addresses: Record<Place, string[]> = {
  inbox: ['/inbox', '/requests'],
  history: ['/history'],
  insights: ['/insights'],
  policies: ['/policies', '/new-policy'],
  audit: ['/audit'],
  settings: ['/settings'],
};

/** The places of the console that are for this person. */
export function PlaceLinks({ user: { reads } }: { user: SignedIn['user'] }) {
  const { pathname, search } = useLocation();
  const isSettled = useIsSettled();
  const isHere = (place: Place) =>
    addresses[place].some((address) => pathname === address || pathname.startsWith(`${address}/`));
  // A request keeps the list that it was opened from.
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
