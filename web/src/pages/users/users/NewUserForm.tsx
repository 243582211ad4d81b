import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import type { AddedUser, AddUser, UserEntry, Group } from '../../../../../src/contract/users/users.ts';
import { roles, type Role } from '../../../../../src/model/user.ts';
import { addUser } from '../../../api/directory.ts';
import { fieldFaults } from '../../../lib/field-faults.ts';
import { may } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import { ProblemNotice } from '../../../ui/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { roleNames } from '../../../ui/words/words.ts';
import { userChoices } from '../user-choices.ts';
import { useSave } from '../use-save.ts';
import { newUser as words, user as known, words as shared } from '../words/words.ts';

interface NewUserFormProps {
  users: UserEntry[];
  groups: Group[];
  onAdded: (added: AddedUser) => void;
}

const empty = { email: '', name: '', role: 'approver' as Role, managerId: '', groups: [] as string[] };

export function NewUserForm({ users, groups, onAdded }: NewUserFormProps) {
  const me = useUser();
  const permission = may(me, 'change-users');
  const [draft, setDraft] = useState(empty);
  const save = useSave((body: AddUser) => addUser(body), words.added);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const faults = fieldFaults(save.error);
  const set = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const send = () => {
    const body = { ...draft, email: draft.email.trim(), managerId: draft.managerId === '' ? null : draft.managerId };
    const onError = (error: Error) => {
      const names = Object.keys(fieldFaults(error)).map((name) => `[name=${name}]`);
      form.current?.querySelector<HTMLElement>(names.join() || '[name=email]')?.focus();
    };
    save.mutate(body, { onSuccess: onAdded, onError });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed && !save.isPending) send();
  };
  return (
    <form ref={form} onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && Object.keys(faults).length === 0 && <ProblemNotice error={save.error} />}
      <fieldset disabled={!permission.allowed} className={page.form}>
        <TextInput
          label={words.email}
          description={words.emailNote}
          type="email"
          name="email"
          value={draft.email}
          error={faults['email']}
          onChange={(event) => set({ email: event.currentTarget.value })}
          autoComplete="off"
        />
        <TextInput
          label={known.name}
          description={known.nameNote}
          name="name"
          value={draft.name}
          error={faults['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
          autoComplete="off"
        />
        <NativeSelect
          label={known.role}
          description={known.roleNotes[draft.role]}
          value={draft.role}
          data={roles.map((value) => ({ value, label: roleNames[value] }))}
          onChange={(event) => set({ role: event.currentTarget.value as Role })}
        />
        <NativeSelect
          label={words.manager}
          description={known.managerNote}
          name="managerId"
          value={draft.managerId}
          error={faults['managerId']}
          data={[{ value: '', label: shared.none }, ...userChoices({ users, me: me?.id })]}
          onChange={(event) => set({ managerId: event.currentTarget.value })}
        />
        {groups.length > 0 && (
          <Checkbox.Group
            label={words.groups}
            value={draft.groups}
            error={faults['groups']}
            onChange={(chosen) => set({ groups: chosen })}
          >
            {groups.map((group) => (
              <Checkbox key={group.id} value={group.id} label={group.name} mt="xs" />
            ))}
          </Checkbox.Group>
        )}
      </fieldset>
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={send}>
          {words.submit}
        </ReasonedButton>
      </div>
      <Reason id={id} permission={permission} />
    </form>
  );
}
