import { useState } from 'react';
import { serverNow } from '../../client/call-api.ts';
import { useUser } from '../../people/users/use-user.ts';
import page from '../../ui/Page.module.css';
import classes from './Audit.module.css';
import { record as words } from './words/words.ts';
import { describeMoment } from '../../ui/relative-time.ts';

/** On paper: where it is from, and who printed it when. */
export function Printed() {
  const user = useUser();
  const [now] = useState(serverNow);
  return (
    <p className={`${page.small} ${classes.paper}`}>
      {words.printed(location.origin, user?.name ?? '')} <Instant at={now} />
    </p>
  );
}

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
