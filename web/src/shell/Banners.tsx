import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { breakGlassQuery } from './queries.ts';
import { useIsLive } from '../requests/inbox/use-live-inbox.tsx';
import classes from './BreakGlassBanner.module.css';
import { Triangle } from '../ui/icons.tsx';
import { breakGlass as words, stopped as stopBannerWords } from '../ui/words/banner-words.ts';
import { stopsQuery } from '../people/users/directory-queries.ts';
import { Revealed } from '../ui/Revealed.tsx';
import { lazy, Suspense } from 'react';
import { may } from '../people/roles/permission-table.ts';
import { useUser } from '../people/users/use-user.ts';

/** Tells everyone about emergency overrides, until a second person has reviewed them. */
export function BreakGlassBanner() {
  const { data = [] } = useQuery(breakGlassQuery(useIsLive()));
  const due = data.filter(({ reviewedAt }) => reviewedAt === null);
  return (
    <div role="status" className={classes.live}>
      {due.length > 0 && (
        <p className={classes.banner}>
          <Triangle />
          {words.used(due.length)} <Link to="/settings/overrides">{words.look}</Link>
        </p>
      )}
    </div>
  );
}

/** Interval in milliseconds: a stop also ends requests, which would silently leave the inbox. */
const askEvery = 30_000;

/** Shows current stops, with author and reason. */
function StopBanner() {
  const { data = [] } = useQuery({ ...stopsQuery, refetchInterval: askEvery });
  const inForce = data.filter(({ lifted }) => lifted === null);
  return (
    <div role="status" className={classes.live}>
      {inForce.slice(0, 3).map(({ id, server, tool, by, reason }) => (
        <p key={id} className={classes.banner}>
          <Triangle />
          <Revealed text={stopBannerWords.banner({ server, tool, by: by?.name ?? null, reason })} />{' '}
          <Link to="/settings/stops">{stopBannerWords.look}</Link>
        </p>
      ))}
      {inForce.length > 3 && (
        <p className={classes.banner}>
          <Link to="/settings/stops">{stopBannerWords.more(inForce.length - 3)}</Link>
        </p>
      )}
    </div>
  );
}

// Loaded only for people who may see it.
const SystemBanner = lazy(async () => ({ default: (await import('./SystemBanner.tsx')).SystemBanner }));

/** Notices above every page. */
export const Banners = () => (
  <>
    {may(useUser(), 'change-webhooks').allowed && (
      <Suspense>
        <SystemBanner />
      </Suspense>
    )}
    <BreakGlassBanner />
    <StopBanner />
  </>
);
