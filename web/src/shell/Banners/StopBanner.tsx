import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { stopsQuery } from '../../people/users/directory-queries.ts';
import { Revealed } from '../../ui/Revealed/Revealed.tsx';
import { Triangle } from '../../ui/icons.tsx';
import { stopped as words } from '../../ui/words/banner-words.ts';
import classes from '../BreakGlassBanner.module.css';

/** How often it asks: a stop also ends requests, which would leave the inbox without a word. Milliseconds. */
const askEvery = 30_000;

/** Says what is stopped, by whom and why, for as long as it lasts. */
export function StopBanner() {
  const { data = [] } = useQuery({ ...stopsQuery, refetchInterval: askEvery });
  const inForce = data.filter(({ lifted }) => lifted === null);
  return (
    <div role="status" className={classes.live}>
      {inForce.slice(0, 3).map(({ id, server, tool, by, reason }) => (
        <p key={id} className={classes.banner}>
          <Triangle />
          <Revealed text={words.banner({ server, tool, by: by?.name ?? null, reason })} />{' '}
          <Link to="/settings/stops">{words.look}</Link>
        </p>
      ))}
      {inForce.length > 3 && (
        <p className={classes.banner}>
          <Link to="/settings/stops">{words.more(inForce.length - 3)}</Link>
        </p>
      )}
    </div>
  );
}
