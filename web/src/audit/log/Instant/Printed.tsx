import { useState } from 'react';
import { serverNow } from '../../../client/call-api/call-api.ts';
import { useUser } from '../../../people/users/use-user.ts';
import page from '../../../ui/Page.module.css';
import classes from '../Audit.module.css';
import { Instant } from './Instant.tsx';
import { record as words } from '../words/words.ts';

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
