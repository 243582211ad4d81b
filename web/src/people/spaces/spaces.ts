import { spaceRoutes, type Space } from '#people/spaces/contract';
import { query } from '../../client/call.ts';
import { mayInSpace } from '#people/roles/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Permission as Deed } from '#people/directory/contract/permission';
import { may, type Permission } from '../roles/permission-table.ts';
import { useUser } from '../users/use-user.ts';

export const spacesQuery = queryOptions({
  ...query(spaceRoutes.listSpaces),
  select: ({ spaces }) => spaces,
});

/** Spaces in which this person's role allows the deed. */
export function useSpacesWith(deed: Deed): Space[] {
  const me = useUser();
  const spaces = useQuery(spacesQuery).data ?? [];
  return spaces.filter(({ members }) => members.some(({ user, role }) => user.id === me?.id && mayInSpace(role, deed)));
}

/** Permission for things of a space: by the person's role everywhere, or in the space. */
export function useMayIn(deed: Deed): (space: { id: string } | null | undefined) => Permission {
  const everywhere = may(useUser(), deed);
  const spaces = useSpacesWith(deed);
  return (space) => (spaces.some(({ id }) => id === space?.id) ? { allowed: true, reason: null } : everywhere);
}
