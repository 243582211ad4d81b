import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { UserEntry } from '#people/users/contract';
import { usersQuery } from './directory-queries.ts';
import { hasWords } from '../../shell/words/has-words.ts';
import { may } from '../roles/permission-table.ts';
import { useUser } from './use-user.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Initials } from '../../ui/Initials.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { nameRole } from '../../ui/words/words.ts';
import classes from '../../settings/Users.module.css';
import { AccountPairs } from '../accounts/AccountPairs.tsx';
import { users as words } from '../../settings/words/words.ts';

export function UsersPage() {
  const permission = may(useUser(), 'change-directory');
  const query = useQuery(usersQuery);
  const [search, setSearch] = useSearchParams();
  const text = search.get('find') ?? '';
  return (
    <div className={page.stack}>
      <PageHead
        title={words.title}
        lead={words.lead}
        action={
          permission.allowed && (
            <Link to="/settings/people/new" className={page.action}>
              {words.add}
            </Link>
          )
        }
      />
      <TextInput
        label={words.filter}
        description={words.filterNote}
        type="search"
        className={classes.narrow}
        value={text}
        onChange={({ currentTarget: { value } }) => setSearch(value === '' ? {} : { find: value }, { replace: true })}
      />
      <Loaded query={query}>
        {(users) => {
          const rows = users.filter((user) => fits(user, text));
          if (rows.length === 0) return <p>{words.noMatch}</p>;
          return <DataTable caption={words.table} columns={columns} rows={rows} keyOf={({ id }) => id} />;
        }}
      </Loaded>
      {permission.allowed && <AccountPairs />}
      {permission.reason !== null && <p className={page.small}>{permission.reason}</p>}
    </div>
  );
}

const columns: Column<UserEntry>[] = [
  {
    head: words.name,
    isName: true,
    cell: ({ id, name, email }) => (
      <>
        <Initials id={id} name={name} />
        <Link to={`/settings/people/${id}`}>
          <Revealed text={name} />
        </Link>
        <span className={classes.second}>
          <Revealed text={email} />
        </span>
      </>
    ),
  },
  {
    head: words.role,
    cell: ({ role, disabledAt, hasPassword, mayBreakGlass }) => (
      <div>
        {nameRole(role)}
        {disabledAt !== null && <span className={classes.off}>{words.disabled}</span>}
        {disabledAt === null && !hasPassword && <span className={classes.second}>{words.invited}</span>}
        {mayBreakGlass && <span className={classes.second}>{words.mayBreakGlass}</span>}
      </div>
    ),
  },
  { head: words.manager, cell: ({ manager }) => manager && <Revealed text={manager.name} /> },
  { head: words.groups, cell: ({ groups }) => groups.map(({ name }) => name).join(', ') },
];

function fits({ name, email, role, groups }: UserEntry, query: string): boolean {
  return hasWords([name, email, nameRole(role), ...groups.map((group) => group.name)].join('\n'), query);
}
