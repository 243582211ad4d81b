import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Team } from '../../../../src/contract/people.ts';
import { addTeam } from '../../api/directory.ts';
import { teamsQuery } from '../../lib/directory-queries.ts';
import { fieldFaults } from '../../lib/field-faults.ts';
import { may } from '../../lib/permission-table.ts';
import { usePerson } from '../../lib/use-person.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import classes from './People.module.css';
import { useSave } from './use-save.ts';
import { groups as words } from './words.ts';

export function GroupsPage() {
  return (
    <div className={page.stack}>
      <header>
        <PageHeading title={words.title} className={page.title}>
          {words.title}
        </PageHeading>
        <p className={page.lead}>{words.lead}</p>
      </header>
      <Loaded query={useQuery(teamsQuery)}>
        {(teams) =>
          teams.length === 0 ? (
            <div className={page.empty}>
              <h2 className={page.subtitle}>{words.empty}</h2>
              <p>{words.emptyNote}</p>
            </div>
          ) : (
            <DataTable caption={words.table} columns={columns} rows={teams} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <NewGroup />
    </div>
  );
}

const columns: Column<Team>[] = [
  { head: words.name, isName: true, cell: ({ id, name }) => <Link to={`/people/groups/${id}`}>{name}</Link> },
  { head: words.members, isNumber: true, cell: ({ members }) => members.length },
  { head: words.description, cell: ({ description }) => description },
];

function NewGroup() {
  const permission = may(usePerson(), 'change-groups');
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const id = useId();
  const save = useSave(async () =>
    navigate(`/people/groups/${(await addTeam({ name: name.trim(), description })).id}`),
  );
  const faults = fieldFaults(save.error);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) save.mutate();
  };
  return (
    <form onSubmit={submit} className={`${page.form} ${classes.danger}`} noValidate>
      <h2 className={page.subtitle}>{words.newTitle}</h2>
      {save.isError && faults['name'] === undefined && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <TextInput
          label={words.nameLabel}
          description={words.nameNote}
          value={name}
          error={faults['name']}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          label={words.descriptionLabel}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          autoComplete="off"
        />
      </fieldset>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={() => save.mutate()}>
          {words.create}
        </ReasonedButton>
      </div>
      {permission.reason !== null && (
        <p id={id} className={page.reason}>
          {permission.reason}
        </p>
      )}
    </form>
  );
}
