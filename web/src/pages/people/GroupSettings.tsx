import { TextInput } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import type { Permission } from '../../../../src/contract/console.ts';
import type { Team } from '../../../../src/contract/people.ts';
import { changeTeam } from '../../api/directory.ts';
import { fieldFaults } from '../../lib/field-faults.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import classes from './People.module.css';
import { useSave } from './use-save.ts';
import { groups as words, words as shared } from './words.ts';

export function GroupSettings({ team, permission }: { team: Team; permission: Permission }) {
  const [name, setName] = useState(team.name);
  const [description, setDescription] = useState(team.description);
  const save = useSave(() => changeTeam(team.id, { name: name.trim(), description }));
  const faults = fieldFaults(save.error);
  const id = useId();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) save.mutate();
  };
  return (
    <form onSubmit={submit} className={`${page.form} ${classes.danger}`} noValidate>
      <h2 className={page.subtitle}>{words.settings}</h2>
      {save.isError && faults['name'] === undefined && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <TextInput
          label={words.nameLabel}
          description={words.renameNote}
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
          {shared.save}
        </ReasonedButton>
        {save.isSuccess && <span className={page.soft}>{shared.saved}</span>}
      </div>
      {permission.reason !== null && (
        <p id={id} className={page.reason}>
          {permission.reason}
        </p>
      )}
    </form>
  );
}
