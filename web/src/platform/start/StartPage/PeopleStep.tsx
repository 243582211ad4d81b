import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { usersQuery } from '../../../people/users/directory-queries.ts';
import { useIsOnlyAdministrator } from '../../../people/users/directory-queries.ts';
import { Notice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Step } from './Step.tsx';
import { people as words } from '../words/words.ts';

/** A second person; and what one administrator alone can do meanwhile. */
export function PeopleStep({ place }: { place: number }) {
  const isOnly = useIsOnlyAdministrator();
  return (
    <Step place={place} words={words} query={useQuery(usersQuery)} isDone={(users) => users.length > 1}>
      {() => (
        <>
          {isOnly && (
            <Notice title={words.alone}>
              <p>{words.aloneNote}</p>
            </Notice>
          )}
          <div className={page.actions}>
            <Link to="/settings/people/new" className={page.action}>
              {words.add}
            </Link>
          </div>
        </>
      )}
    </Step>
  );
}
