import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { Group, UserEntry } from '#people/users/contract';
import { textFields, type Faults } from '../../../ui/field-faults.ts';
import { RoleSelect } from '../../roles/RoleSelect.tsx';
import { userChoices } from '../user-choices.ts';
import { newUser as words, user as shared, words as common } from '../../../settings/words/words.ts';

export interface NewUserDraft {
  email: string;
  name: string;
  role: string;
  managerId: string;
  groups: string[];
}

interface NewUserFieldsProps {
  draft: NewUserDraft;
  faults: Faults;
  users: UserEntry[];
  groups: Group[];
  me: string | undefined;
  set: (part: Partial<NewUserDraft>) => void;
}

/** Who the new person is, and what they may do. */
export function NewUserFields({ draft, faults, users, groups, me, set }: NewUserFieldsProps) {
  const field = textFields(draft, set, faults);
  return (
    <>
      <TextInput
        label={words.email}
        description={words.emailNote}
        type="email"
        name="email"
        {...field('email')}
        autoComplete="off"
      />
      <TextInput label={shared.name} description={shared.nameNote} name="name" {...field('name')} autoComplete="off" />
      <RoleSelect value={draft.role} error={faults['role']} onChange={(role) => set({ role })} />
      <NativeSelect
        label={words.manager}
        description={shared.managerNote}
        name="managerId"
        {...field('managerId')}
        data={[{ value: '', label: common.none }, ...userChoices({ users, me })]}
      />
      {groups.length > 0 && <GroupChoice groups={groups} chosen={draft.groups} fault={faults['groups']} set={set} />}
    </>
  );
}

interface GroupChoiceProps extends Pick<NewUserFieldsProps, 'groups' | 'set'> {
  chosen: string[];
  fault: string | undefined;
}

const GroupChoice = ({ groups, chosen, fault, set }: GroupChoiceProps) => (
  <Checkbox.Group label={words.groups} value={chosen} error={fault} onChange={(choice) => set({ groups: choice })}>
    {groups.map(({ id, name }) => (
      <Checkbox key={id} value={id} label={name} mt="xs" />
    ))}
  </Checkbox.Group>
);
