import { TextInput } from '@mantine/core';
import { useId, type SubmitEvent } from 'react';
import type { Permission } from '../roles/permission-table.ts';
import type { Group } from '#people/users/contract';
import { useDraft } from '../../ui/carried-text.ts';
import { fieldFaults } from '../../ui/field-faults.ts';
import { ProblemNotice } from '../../ui/Notice.tsx';
import page from '../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../ui/ReasonedButton.tsx';
import classes from '../../settings/Users.module.css';
import { useSave } from '../../settings/use-save.ts';
import { groups as words, words as shared } from '../../settings/words/words.ts';

type Draft = Pick<Group, 'name' | 'description'>;

interface GroupFormProps<Saved> {
  title: string;
  nameNote: string;
  submit: string;
  permission: Permission;
  /** Current values; without them a group is made. */
  group?: Draft & Pick<Group, 'id'>;
  send: (group: Draft) => Promise<Saved>;
  onSaved?: (saved: Saved) => void;
}

/** Name and purpose of a group. */
export function GroupForm<Saved>({ title, nameNote, submit, permission, group, send, onSaved }: GroupFormProps<Saved>) {
  const [typed, setTyped] = useDraft<Partial<Draft>>('group', {}, group?.id);
  const { name, description } = { name: '', description: '', ...group, ...typed };
  const save = useSave(send);
  const faults = fieldFaults(save.error);
  const id = useId();
  const onSuccess = (saved: Saved): void => {
    setTyped({});
    onSaved?.(saved);
  };
  const press = () => save.mutate({ name: name.trim(), description }, { onSuccess });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) press();
  };
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{title}</h2>
      <form onSubmit={onSubmit} className={page.form} noValidate>
        {save.isError && faults['name'] === undefined && <ProblemNotice error={save.error} />}
        <fieldset disabled={!permission.allowed} className={page.form}>
          <TextInput
            label={words.nameLabel}
            description={nameNote}
            value={name}
            error={faults['name']}
            onChange={(event) => setTyped({ ...typed, name: event.currentTarget.value })}
            autoComplete="off"
          />
          <TextInput
            label={words.descriptionLabel}
            value={description}
            onChange={(event) => setTyped({ ...typed, description: event.currentTarget.value })}
            autoComplete="off"
          />
        </fieldset>
        <div className={page.actions}>
          <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={press}>
            {submit}
          </ReasonedButton>
          {save.isSuccess && <span className={page.soft}>{shared.saved}</span>}
        </div>
        <Reason id={id} permission={permission} />
      </form>
    </section>
  );
}
