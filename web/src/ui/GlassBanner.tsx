import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { overrulesQuery } from '../lib/queries.ts';
import { useIsLive } from '../lib/use-live-inbox.tsx';
import classes from './GlassBanner.module.css';
import { Triangle } from './icons.tsx';
import { glass as words } from './words.ts';

/** Everybody is told of what was decided past its policy, until somebody else has looked at it. */
export function GlassBanner() {
  const { data = [] } = useQuery(overrulesQuery(useIsLive()));
  const due = data.filter(({ reviewedAt }) => reviewedAt === null);
  return (
    <div role="status" className={classes.live}>
      {due.length > 0 && (
        <p className={classes.banner}>
          <Triangle />
          {words.broken(due.length)} <Link to="/people/emergencies">{words.look}</Link>
        </p>
      )}
    </div>
  );
}
