import { describeMoment } from '../../../ui/relative-time.ts';
import classes from '../Audit.module.css';

/** A time to the millisecond in UTC, as the log has it, and in the zone of the person who reads. */
export const Instant = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} className={classes.instant}>
    <span>{new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC')}</span>
    {!isUtc && (
      <>
        {' '}
        <span className={classes.local}>{describeMoment(at)}</span>
      </>
    )}
  </time>
);

const isUtc = Intl.DateTimeFormat().resolvedOptions().timeZone === 'UTC';
