import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { addSpace } from '../spaces/spaces.ts';
import { fieldFaults } from '../../../ui/field-faults.ts';
import { may } from '../../roles/permission-table.ts';
import { useUser } from '../../users/use-user.ts';
import page from '../../../ui/Page.module.css';
import { ReasonedButton } from '../../../ui/ReasonedButton/ReasonedButton.tsx';
import { SavingForm } from '../../../settings/SavingForm.tsx';
import { useSave } from '../../../settings/use-save.ts';
import { spaces as words } from '../words/words.ts';

/** For administrators: others are told who makes spaces where there is none. */
export function NewSpaceForm() {
  const permission = may(useUser(), 'change-directory');
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const create = useSave(() => addSpace({ name: name.trim() }), words.saved);
  const id = useId();
  const press = () => create.mutate(undefined, { onSuccess: (space) => void navigate(`/settings/spaces/${space.id}`) });
  if (!permission.allowed) return null;
  return (
    <SavingForm title={words.newTitle} error={create.error} onPress={press}>
      <TextInput
        label={words.name}
        value={name}
        error={fieldFaults(create.error)['name']}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="off"
      />
      <div className={page.actions}>
        <ReasonedButton permission={permission} reasonId={id} isSending={create.isPending} onPress={press}>
          {words.create}
        </ReasonedButton>
      </div>
    </SavingForm>
  );
}
