import { Space, SpaceList, type NewSpace, type SetSpaceRole } from '#people/spaces/contract';
import { Group, ServerEntry } from '#people/users/contract';
import { address, callApi } from '../../../client/call-api.ts';
import { orWaiting } from '../../changes/changes.ts';

export const readSpaces = (signal: AbortSignal) => callApi('/api/spaces', { answer: SpaceList, signal });

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
