import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState, type SubmitEvent } from 'react';
import { createKey } from '../../../api/keys.ts';
import { serversQuery } from '../../../lib/directory-queries.ts';
import { fieldFaults } from '../../../lib/field-faults.ts';
import { may } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/page/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import classes from '../Users.module.css';
import { ShownOnce } from '../ShownOnce.tsx';
import { ChangeNotice } from '../../../ui/ChangeNotice.tsx';
import { useSave } from '../use-save.ts';
import { keys as words } from '../words/words.ts';

/** Makes a key for a server that is there, or for a new one. */
export function NewKeyForm() {
  const permission = may(useUser(), 'change-keys');
  const servers = useQuery(serversQuery).data ?? [];
  const [server, setServer] = useState('');
  const create = useSave(() => createKey({ server: server.trim() }), words.madeOne);
  const fault = fieldFaults(create.error)['server'];
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setServer('') });
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    press();
  };
  return (
    <form onSubmit={onSubmit} className={`${page.form} ${classes.below}`} noValidate>
      {create.isError && fault === undefined && <ProblemNotice error={create.error} />}
      {create.data && (
        <ShownOnce
          title={words.give(create.data.server)}
          note={words.giveNote}
          label={words.shown}
          value={create.data.key}
        />
      )}
      <ChangeNotice change={create.data} />
      <TextInput
        label={words.forServer}
        description={words.forServerNote}
        value={server}
        error={fault}
        list={id}
        onChange={(event) => setServer(event.currentTarget.value)}
        autoComplete="off"
      />
      <datalist id={id}>
        {servers.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </form>
  );
}
