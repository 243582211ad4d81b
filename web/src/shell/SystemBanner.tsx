import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { warningCodes } from '#platform/nodes/contract/node-warning';
import { systemQuery } from '../people/users/directory-queries.ts';
import { describeShortMoment } from '../ui/relative-time.ts';
import { Revealed } from '../ui/Revealed.tsx';
import { Triangle } from '../ui/icons.tsx';
import { system as words } from '../ui/words/banner-words.ts';
import { formatWarning } from '../ui/words/warning-words.ts';
import classes from './BreakGlassBanner.module.css';

const systemPath = '/settings/system';

/** Interval in milliseconds. */
const askEvery = 30_000;

/** Warnings about false or blocked decisions; the rest stands at System. */
const urgent: readonly string[] = warningCodes.slice(0, warningCodes.indexOf('log-stands-still') + 1);

/** Shows faults to the people who look after Assentry, while they last. */
export function SystemBanner() {
  const { data } = useQuery({ ...systemQuery, refetchInterval: askEvery });
  const isThere = useLocation().pathname === systemPath; // the page itself says more
  const warnings = (!isThere && data?.warnings.filter(({ warning }) => urgent.includes(warning.code))) || [];
  return (
    <div role="status" className={classes.live}>
      {warnings.map(({ warning }) => (
        <p key={warning.code} className={classes.banner}>
          <Triangle />
          <Revealed text={`${formatWarning(warning, describeShortMoment).what}.`} />{' '}
          <Link to={systemPath}>{words.look}</Link>
        </p>
      ))}
    </div>
  );
}
