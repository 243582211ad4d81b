import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { breakGlassQuery } from '../queries.ts';
import { useIsLive } from '../../requests/inbox/use-live-inbox.tsx';
import classes from '../BreakGlassBanner.module.css';
import { Triangle } from '../../ui/icons.tsx';
import { breakGlass as words } from '../../ui/words/banner-words.ts';

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
