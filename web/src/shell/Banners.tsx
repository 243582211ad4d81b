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

/** Everyone is told of what was decided past its policy, until someone else has looked at it. */
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

/** How often it asks: a stop also ends requests, which would leave the inbox without a word. Milliseconds. */
const askEvery = 30_000;

/** Says what is stopped, by whom and why, for as long as it lasts. */
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

// Only for those who may see what it is about.
const SystemBanner = lazy(async () => ({ default: (await import('./SystemBanner.tsx')).SystemBanner }));

/** What everyone must notice, above every page. */
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
