import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { builtInRoles, isBuiltInRole } from '#people/directory/contract/permission';
import { nameRole } from '../../ui/words/words.ts';
import { user as words } from '../../settings/words/words.ts';
import { rolesQuery } from '../users/directory-queries.ts';
import { roles } from './words/words.ts';

interface RoleSelectProps {
  value: string;
  error: string | undefined;
  disabled?: boolean;
  onChange: (role: string) => void;
}

/** Role of a person: a built-in one, or one of the installation. */
export function RoleSelect({ value, error, disabled = false, onChange }: RoleSelectProps) {
  const own = useQuery(rolesQuery).data ?? [];
  const permissions = own.find(({ name }) => name === value)?.permissions ?? [];
  const names = [...new Set([...builtInRoles, ...own.map(({ name }) => name), value])];
  return (
    <NativeSelect
      label={words.role}
      description={isBuiltInRole(value) ? words.roleNotes[value] : roles.permits(permissions)}
      name="role"
      value={value}
      error={error}
      disabled={disabled}
      data={names.map((name) => ({ value: name, label: nameRole(name) }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
