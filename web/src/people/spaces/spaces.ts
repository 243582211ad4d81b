import { Space, SpaceList, type NewSpace, type SetSpaceRole } from '#people/spaces/contract';
import { Group, ServerEntry } from '#people/users/contract';
import { address, callApi } from '../../client/call-api.ts';
import { orWaiting } from '../changes/changes.ts';
import { mayInSpace } from '#people/roles/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Permission as Deed } from '#people/directory/contract/permission';
import { may, type Permission } from '../roles/permission-table.ts';
import { useUser } from '../users/use-user.ts';

const readSpaces = (signal: AbortSignal) => callApi('/api/spaces', { answer: SpaceList, signal });

export const addSpace = (body: NewSpace) => callApi('/api/spaces', { method: 'POST', body, answer: Space });

export const setSpaceRole = (space: string, user: string, body: SetSpaceRole) =>
  callApi(address`/api/spaces/${space}/members/${user}`, {
    method: 'PUT',
    body,
    answer: orWaiting(Space),
  });

/** Null: it is in no space from then on. */
export const moveServer = (id: string, spaceId: string | null) =>
  callApi(address`/api/servers/${id}/space`, {
    method: 'PUT',
    body: { spaceId },
    answer: orWaiting(ServerEntry),
  });

export const moveGroup = (id: string, spaceId: string | null) =>
  callApi(address`/api/groups/${id}/space`, {
    method: 'PUT',
    body: { spaceId },
    answer: orWaiting(Group),
  });

export const spacesQuery = queryOptions({
  queryKey: ['directory', 'spaces'],
  queryFn: ({ signal }) => readSpaces(signal),
  select: ({ spaces }) => spaces,
});

/** The spaces in which this person has a role that lets them do it. */
export function useSpacesWith(deed: Deed): Space[] {
  const me = useUser();
  const spaces = useQuery(spacesQuery).data ?? [];
  return spaces.filter(({ members }) => members.some(({ user, role }) => user.id === me?.id && mayInSpace(role, deed)));
}

/** What someone may do to what belongs to a space: by their role everywhere, or by theirs in the space. */
export function useMayIn(deed: Deed): (space: { id: string } | null | undefined) => Permission {
  const everywhere = may(useUser(), deed);
  const spaces = useSpacesWith(deed);
  return (space) => (spaces.some(({ id }) => id === space?.id) ? { allowed: true, reason: null } : everywhere);
}
