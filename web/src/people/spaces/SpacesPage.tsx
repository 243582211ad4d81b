import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { spaceRoutes, type Space } from '#people/spaces/contract';
import { call } from '../../client/call.ts';
import { spacesQuery } from './spaces.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { LoadedList } from '../../ui/LoadedList.tsx';
import page from '../../ui/Page.module.css';
import { PageHead } from '../../ui/PageHead.tsx';
import { Revealed } from '../../ui/Revealed.tsx';
import { spaces as words } from './words/words.ts';
import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { fieldFaults } from '../../ui/field-faults.ts';
import { may } from '../roles/permission-table.ts';
import { useUser } from '../users/use-user.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { SavingForm } from '../../settings/SavingForm.tsx';
import { useSave } from '../../settings/use-save.ts';

/** The spaces that a person sees. */
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

/** Form for a new space, for administrators: others see who makes spaces where there is none. */
function NewSpaceForm() {
  const permission = may(useUser(), 'change-directory');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useSave(() => call(spaceRoutes.addSpace, { body: { name: name.trim() } }), words.saved);
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: (space) => void navigate(`/settings/spaces/${space.id}`) });
  if (!permission.allowed) return null;
  return (
    <SavingForm title={words.newTitle} error={create.error} onPress={press}>
      <TextInput
        label={words.name}
        value={name}
        error={fieldFaults(create.error)['name']}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}
