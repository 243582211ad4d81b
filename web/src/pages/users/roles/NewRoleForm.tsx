import { TextInput } from '@mantine/core';
import { useId } from 'react';
import { addRole } from '../../../api/roles.ts';
import { useDraft } from '../../../lib/carried-text.ts';
import { faultIn, fieldFaults } from '../../../lib/field-faults.ts';
import { may } from '../../../lib/permission-table.ts';
import { useUser } from '../../../lib/use-user.ts';
import page from '../../../ui/page/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { SavingForm } from '../SavingForm.tsx';
import { useSave } from '../use-save.ts';
import { chosenAmong, PermissionChoice } from './PermissionChoice.tsx';
import { roles as words } from './words.ts';

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
