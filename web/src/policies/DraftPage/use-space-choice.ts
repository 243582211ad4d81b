import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may, type Permission } from '../../people/roles/permission-table.ts';
import { spacesQuery, useSpacesWith } from '../../people/spaces/spaces.ts';
import { useUser } from '../../people/users/use-user.ts';
import { draft as words } from '../words/words.ts';

/** Where a new policy may belong for this person, and where it does; an empty value is no space. */
export function useSpaceChoice() {
  const everywhere = may(useUser(), 'write-policies');
  const own = useSpacesWith('write-policies');
  const spaces = useQuery(spacesQuery).data ?? [];
  const [chosen, choose] = useState<string | null>(null);
  const permission: Permission = own.length > 0 ? { allowed: true, reason: null } : everywhere;
  const offered = everywhere.allowed ? spaces : own;
  return {
    permission,
    space: chosen ?? (everywhere.allowed ? '' : (own[0]?.id ?? '')),
    choose,
    choices:
      offered.length === 0
        ? []
        : [
            ...(everywhere.allowed ? [{ value: '', label: words.everywhere }] : []),
            ...offered.map(({ id, name }) => ({ value: id as string, label: name })),
          ],
  };
}
