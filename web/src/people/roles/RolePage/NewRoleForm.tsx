import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { addRole } from '../roles/roles.ts';
import { useDraft } from '../../../ui/carried-text.ts';
import { faultIn, fieldFaults } from '../../../ui/field-faults.ts';
import { may } from '../permission-table.ts';
import { useUser } from '../../users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { chosenAmong, PermissionChoice } from './PermissionChoice.tsx';
import { roles as words } from '../words/words.ts';

interface Draft {
  name: string;
  permissions: string[];
}

const empty: Draft = { name: '', permissions: [] };

/** For administrators alone. */
export function NewRoleForm() {
  const permission = may(useUser(), 'change-directory');
  const [{ name, permissions }, setDraft] = useDraft('new-role', empty);
  const create = useSave(() => addRole({ name: name.trim(), permissions: chosenAmong(permissions) }), words.saved);
  const faults = fieldFaults(create.error);
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: () => setDraft(empty) });
  if (!permission.allowed) return null;
  return (
    <SavingForm title={words.newTitle} error={create.error} onPress={press}>
      <TextInput
        label={words.name}
        description={words.nameNote}
        value={name}
        error={faults['name']}
        onChange={(event) => setDraft({ name: event.currentTarget.value, permissions })}
        autoComplete="off"
        spellCheck={false}
      />
      <PermissionChoice
        chosen={permissions}
        fault={faultIn(faults, 'permissions')}
        onChange={(chosen) => setDraft({ name, permissions: chosen })}
      />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}
