import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { UserEntry } from '#people/users/contract';
import { usersQuery } from '../directory-queries.ts';
import { may } from '../../roles/permission-table.ts';
import { useUser } from '../use-user.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { MissingPage } from '../../../shell/MissingPage.tsx';
import { Age } from '../../../ui/Moment.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Initials } from '../../../ui/Initials/Initials.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import classes from '../../../settings/Users.module.css';
import { AccountPairs } from '../../accounts/AccountPairs.tsx';
import { UserPasskeys } from './UserPasskeys.tsx';
import { UserForm } from './UserForm.tsx';
import { SignInAccess } from '../SignInAccess.tsx';
import { users, user as words } from '../../../settings/words/words.ts';

const back = { to: '/settings/people', text: users.title };

export function UserPage() {
  const { id } = useParams();
  return (
    <Loaded query={useQuery(usersQuery)}>
      {(users) => {
        const user = users.find((user) => user.id === id);
        return user === undefined ? (
          <MissingPage words={words} back={back} />
        ) : (
          <Known key={user.id} user={user} users={users} />
        );
      }}
    </Loaded>
  );
}

function Known({ user, users }: { user: UserEntry; users: UserEntry[] }) {
  const mayChange = may(useUser(), 'change-directory').allowed;
  return (
    <div className={page.stack}>
      <PageHead
        title={user.name}
        heading={
          <>
            <Initials id={user.id} name={user.name} />
            <Revealed text={user.name} />
          </>
        }
        lead={<Revealed text={user.email} />}
        back={back}
      />
      <div className={classes.columns}>
        <UserForm user={user} users={users} />
        <div className={classes.aside}>
          <SignInAccess user={user} />
          {mayChange && <UserPasskeys id={user.id} />}
          {mayChange && <AccountPairs of={user.id} users={users} />}
          <section className={classes.side}>
            <h2 className={page.subtitle}>{words.groups}</h2>
            {user.groups.length === 0 ? (
              <p className={page.soft}>{words.noGroups}</p>
            ) : (
              <ul>
                {user.groups.map(({ id, name }) => (
                  <li key={id}>
                    <Link to={`/settings/groups/${id}`}>
                      <Revealed text={name} />
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <p className={page.small}>
              {words.since} <Age at={user.createdAt} />
            </p>
          </section>
        </div>
      </div>
    </div>
  );
}
