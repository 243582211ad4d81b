import { may } from '../../../people/roles/permission-table.ts';
import { Link } from 'react-router';
import { useUser } from '../../../people/users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ConnectStep } from './ConnectStep.tsx';
import { PeopleStep } from './PeopleStep.tsx';
import { PolicyStep } from './PolicyStep.tsx';
import classes from '../Start.module.css';
import { TestStep } from './TestStep.tsx';
import { words } from '../words/words.ts';

/** What leads from an empty installation to the first own request. What is done follows from what there is. */
export function StartPage() {
  const isAdministrator = may(useUser(), 'change-directory').allowed;
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={isAdministrator ? words.lead : words.administratorsOnly} />
      {isAdministrator && (
        <ol className={classes.steps}>
          <ConnectStep place={1} />
          <TestStep place={2} />
          <PeopleStep place={3} />
          <PolicyStep place={4} />
        </ol>
      )}
      <p>
        <Link to="/inbox">{words.inbox}</Link>
      </p>
    </div>
  );
}
