import { useId, useRef, type SubmitEvent } from 'react';
import type { AddedUser, AddUser, UserEntry, Group } from '#people/users/contract';
import type { Changed } from '../../changes/changes.ts';
import { addUser } from '../directory.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { may } from '../../roles/permission-table.ts';
import { useUser } from '../use-user.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { NewUserFields, type NewUserDraft } from './NewUserFields.tsx';
import { newUser as words } from '../../../settings/words/words.ts';

interface NewUserFormProps {
  users: UserEntry[];
  groups: Group[];
  /** Does the operator's terminal print the link, and no mail bring it? */
  isInTerminal: boolean;
  onAdded: (added: Changed<AddedUser>) => void;
}

const empty: NewUserDraft = { email: '', name: '', role: 'approver', managerId: '', groups: [] };

export function NewUserForm({ users, groups, isInTerminal, onAdded }: NewUserFormProps) {
  const me = useUser();
  const permission = may(me, 'change-directory');
  const [draft, setDraft] = useDraft('new-user', empty);
  const save = useSave((body: AddUser) => addUser(body), words.added);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const faults = fieldFaults(save.error);
  const set = (part: Partial<NewUserDraft>) => setDraft({ ...draft, ...part });
  const send = () => {
    const body = { ...draft, email: draft.email.trim(), managerId: draft.managerId === '' ? null : draft.managerId };
    const onError = (error: Error) => {
      const names = Object.keys(fieldFaults(error)).map((name) => `[name=${name}]`);
      form.current?.querySelector<HTMLElement>(names.join() || '[name=email]')?.focus();
    };
    const onSuccess = (added: Changed<AddedUser>) => {
      setDraft(empty);
      onAdded(added);
    };
    save.mutate(body, { onSuccess, onError });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed && !save.isPending) send();
  };
  return (
    <form ref={form} onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && Object.keys(faults).length === 0 && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <NewUserFields draft={draft} faults={faults} users={users} groups={groups} me={me?.id} set={set} />
      </fieldset>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={send}>
          {isInTerminal ? words.terminalSubmit : words.submit}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </form>
  );
}
