import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { usersRoutes, type Group } from '#people/users/contract';
import { call } from '../../client/call.ts';
import { groupsQuery } from '../users/directory-queries.ts';
import { may } from '../roles/permission-table.ts';
import { useUser } from '../users/use-user.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { GroupForm } from './GroupForm.tsx';
import { groups as words, spaces } from '../../settings/words/words.ts';

export function GroupsPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery(groupsQuery)} words={words}>
        {(groups) => (
          <DataTable
            caption={words.title}
            columns={groups.some(({ space }) => space !== null) ? [...columns, spaceColumn] : columns}
            rows={groups}
            keyOf={({ id }) => id}
          />
        )}
      </LoadedList>
      <NewGroup />
    </div>
  );
}

const columns: Column<Group>[] = [
  {
    head: words.name,
    isName: true,
    cell: ({ id, name, provisioned }) => (
      <>
        <Link to={`/settings/groups/${id}`}>
          <Revealed text={name} />
        </Link>
        {provisioned?.isAdopted === false && <div className={page.small}>{words.unadoptedMark}</div>}
      </>
    ),
  },
  { head: words.description, cell: ({ description }) => <Revealed text={description} /> },
  { head: words.members, isNumber: true, cell: ({ members }) => members.length },
];

const spaceColumn: Column<Group> = { head: spaces.space, cell: ({ space }) => <Revealed text={space?.name ?? ''} /> };

function NewGroup() {
  const permission = may(useUser(), 'change-directory');
  const navigate = useNavigate();
  return (
    <GroupForm
      title={words.newTitle}
      nameNote={words.nameNote}
      submit={words.create}
      permission={permission}
      send={(body) => call(usersRoutes.addGroup, { body })}
      onSaved={({ id }) => void navigate(`/settings/groups/${id}`)}
    />
  );
}
