import { Checkbox } from '@mantine/core';
import { rolePermissions } from '#people/roles/contract';
import { roles as words } from '../words/words.ts';

interface PermissionChoiceProps {
  chosen: string[];
  fault: string | undefined;
  isOff?: boolean;
  onChange: (chosen: string[]) => void;
}

/** What a role permits. */
export const PermissionChoice = ({ chosen, fault, isOff = false, onChange }: PermissionChoiceProps) => (
  <Checkbox.Group label={words.permissions} value={chosen} error={fault} onChange={onChange}>
    {rolePermissions.map((permission) => (
      <Checkbox key={permission} value={permission} label={words.permission(permission)} disabled={isOff} mt="xs" />
    ))}
  </Checkbox.Group>
);

/** In the order of the table, as they are sent. */
export const chosenAmong = (chosen: readonly string[]) =>
  rolePermissions.filter((permission) => chosen.includes(permission));
