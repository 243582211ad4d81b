import { useState } from 'react';
import { serverNow } from '../../client/call-api.ts';
import { useUser } from '../../people/users/use-user.ts';
import page from '../../ui/Page.module.css';
import classes from './Audit.module.css';
import { record as words } from './words/words.ts';
import { describeMoment } from '../../ui/relative-time.ts';

/** Origin of a printed page, with its reader and time. */
export function Printed() {
  const user = useUser();
  const [now] = useState(serverNow);
  return (
    <p className={`${page.small} ${classes.paper}`}>
      {words.printed(location.origin, user?.name ?? '')} <Instant at={now} />
    </p>
  );
}

/** A time to the millisecond in UTC, as in the log, and in the reader's zone. */
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
