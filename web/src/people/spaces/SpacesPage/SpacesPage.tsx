import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Space } from '#people/spaces/contract';
import { spacesQuery } from '../spaces/space-permission.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { LoadedList } from '../../../ui/LoadedList.tsx';
import page from '../../../ui/Page.module.css';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Revealed } from '../../../ui/Revealed/Revealed.tsx';
import { NewSpaceForm } from './NewSpaceForm.tsx';
import { spaces as words } from '../words/words.ts';

/** The spaces someone sees. */
export function SpacesPage() {
  return (
    <div className={page.stack}>
      <PageHead title={words.title} lead={words.lead} />
      <LoadedList query={useQuery(spacesQuery)} words={words}>
        {(spaces) => <DataTable caption={words.title} columns={columns} rows={spaces} keyOf={({ id }) => id} />}
      </LoadedList>
      <NewSpaceForm />
    </div>
  );
}

const columns: Column<Space>[] = [
  {
    head: words.name,
    isName: true,
    cell: ({ id, name }) => (
      <Link to={`/settings/spaces/${id}`}>
        <Revealed text={name} />
      </Link>
    ),
  },
  { head: words.people, isNumber: true, cell: ({ members }) => members.length },
  { head: words.servers, isNumber: true, cell: ({ servers }) => servers.length },
  { head: words.groups, isNumber: true, cell: ({ groups }) => groups.length },
];
