import { TextInput } from '@mantine/core';
import { useId, useState, type SubmitEvent } from 'react';
import { addSpace } from '../../../api/spaces.ts';
import { fieldFaults } from '../../../lib/field-faults.ts';
import { may } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import classes from '../Users.module.css';
import { useSave } from '../use-save.ts';
import { spaces as words } from './words.ts';

/** For administrators: others are told who makes spaces where there is none. */
export function NewSpaceForm() {
  const permission = may(useUser(), 'change-directory');
  const [name, setName] = useState('');
  const create = useSave(() => addSpace({ name: name.trim() }), words.saved);
  const faults = fieldFaults(create.error);
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setName('') });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    press();
  };
  if (!permission.allowed) return null;
  return (
    <section className={classes.part}>
      <h2 className={page.subtitle}>{words.newTitle}</h2>
      <form onSubmit={onSubmit} className={page.form} noValidate>
        {create.isError && faults['name'] === undefined && <ProblemNotice error={create.error} />}
        <TextInput
          label={words.name}
          value={name}
          error={faults['name']}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
        <div className={page.actions}>
          <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
            {words.create}
          </ReasonedButton>
        </div>
      </form>
    </section>
  );
}
