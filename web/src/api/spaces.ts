import { Space, SpaceList, type NewSpace, type SetSpaceRole } from '#protocol/contract/users/spaces';
import { Group, ServerEntry } from '#protocol/contract/users/users';
import { callApi } from './call-api.ts';
import { orWaiting, type Changed } from './changes.ts';

export const readSpaces = (signal: AbortSignal): Promise<SpaceList> =>
  callApi('/api/spaces', { answer: SpaceList, signal });

export const addSpace = (body: NewSpace): Promise<Space> =>
  callApi('/api/spaces', { method: 'POST', body, answer: Space });

export const setSpaceRole = (space: string, user: string, body: SetSpaceRole): Promise<Changed<Space>> =>
  callApi(`/api/spaces/${encodeURIComponent(space)}/members/${encodeURIComponent(user)}`, {
    method: 'PUT',
    body,
    answer: orWaiting(Space),
  });

/** Null: it is in no space from then on. */
export const moveServer = (id: string, spaceId: string | null): Promise<Changed<ServerEntry>> =>
  callApi(`/api/servers/${encodeURIComponent(id)}/space`, {
    method: 'PUT',
    body: { spaceId },
    answer: orWaiting(ServerEntry),
  });

export const moveGroup = (id: string, spaceId: string | null): Promise<Changed<Group>> =>
  callApi(`/api/groups/${encodeURIComponent(id)}/space`, {
    method: 'PUT',
    body: { spaceId },
    answer: orWaiting(Group),
  });
