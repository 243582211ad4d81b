import { TextInput } from '@mantine/core';
import { useId, type SubmitEvent } from 'react';
import type { ChangeUser, UserEntry } from '#people/users/contract';
import { changeUser } from '../directory.ts';
import { isWaiting } from '../../changes/changes.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { fieldFaults, textFields } from '../../../ui/field-faults.ts';
import { may, mayOfOthers } from '../../roles/permission-table.ts';
import { useUser } from '../use-user.ts';
import { ProblemNotice } from '../../../ui/Notice/Notice.tsx';
import page from '../../../ui/Page.module.css';
import { Reason, ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { readDraft, startDraft, type UserDraft } from './user-draft.ts';
import { PowerFields } from './PowerFields.tsx';
import { ChangeNotice } from '../../changes/ChangeNotice.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { user as words, words as shared } from '../../../settings/words/words.ts';

export function UserForm({ user, users }: { user: UserEntry; users: UserEntry[] }) {
  const me = useUser();
  const permission = may(me, 'change-directory');
  const ofPower = permission.allowed ? mayOfOthers(me, 'change-directory', user.id) : { allowed: false, reason: null };
  // Only what was typed: the rest is as it is now, also if someone else has changed it meanwhile.
  const [typed, setTyped] = useDraft<Partial<UserDraft>>('user', {}, user.id);
  const draft = { ...startDraft(user), ...typed };
  const save = useSave((body: ChangeUser) => changeUser(user.id, body));
  const faults = fieldFaults(save.error);
  const id = useId();
  const set = (part: Partial<UserDraft>) => setTyped({ ...typed, ...part });
  const press = () => save.mutate(readDraft(draft), { onSuccess: (change) => isWaiting(change) || setTyped({}) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (permission.allowed) press();
  };
  return (
    <form onSubmit={submit} className={page.form} noValidate aria-label={words.title}>
      {save.isError && <ProblemNotice error={save.error} />}
      <TextInput
        label={words.name}
        description={words.nameNote}
        {...textFields(draft, set, faults)('name')}
        disabled={!permission.allowed}
        autoComplete="off"
      />
      <PowerFields {...{ user, users, draft, set, faults, permission: ofPower }} />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={save.isPending} onPress={press}>
          {shared.save}
        </ReasonedButton>
      </div>
      <ChangeNotice change={save.data} saved={shared.saved} />
      <Reason id={id} permission={permission} />
    </form>
  );
}
