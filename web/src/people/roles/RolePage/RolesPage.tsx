import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { CustomRole } from '#people/roles/contract';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { NewRoleForm } from './NewRoleForm.tsx';
import { rolesQuery } from '../roles/roles-query.ts';
import { roles as words } from '../words/words.ts';

/** The roles that the installation has made. */
export const RolesPage = () => (
  <div className={page.stack}>
    <PageHead title={words.title} lead={words.lead} />
    <LoadedList query={useQuery(rolesQuery)} words={words}>
      {(roles) => <DataTable caption={words.title} columns={columns} rows={roles} keyOf={({ id }) => id} />}
    </LoadedList>
    <NewRoleForm />
  </div>
);

const columns: Column<CustomRole>[] = [
  { head: words.name, isName: true, cell: ({ id, name }) => <Link to={`/settings/roles/${id}`}>{name}</Link> },
  { head: words.permissions, cell: ({ permissions }) => permissions.map(words.permission).join('; ') },
  { head: words.people, isNumber: true, cell: ({ people }) => people },
];
