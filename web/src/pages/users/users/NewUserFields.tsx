import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { Group, UserEntry } from '#protocol/contract/users/users';
import { RoleSelect } from '../roles/RoleSelect.tsx';
import { userChoices } from '../user-choices.ts';
import { newUser as words, user as shared, words as common } from '../words/words.ts';

export interface NewUserDraft {
  email: string;
  name: string;
  role: string;
  managerId: string;
  groups: string[];
}

interface NewUserFieldsProps {
  draft: NewUserDraft;
  faults: Partial<Record<string, string>>;
  users: UserEntry[];
  groups: Group[];
  me: string | undefined;
  set: (part: Partial<NewUserDraft>) => void;
}

/** Who the new person is, and what they may do. */
export function NewUserFields({ draft, faults, users, groups, me, set }: NewUserFieldsProps) {
  return (
    <>
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
        label={shared.name}
        description={shared.nameNote}
        name="name"
        value={draft.name}
        error={faults['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
        autoComplete="off"
      />
      <RoleSelect value={draft.role} error={faults['role']} onChange={(role) => set({ role })} />
      <NativeSelect
        label={words.manager}
        description={shared.managerNote}
        name="managerId"
        value={draft.managerId}
        error={faults['managerId']}
        data={[{ value: '', label: common.none }, ...userChoices({ users, me })]}
        onChange={(event) => set({ managerId: event.currentTarget.value })}
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
