import { z } from 'zod';
import { Delegation, DelegationList, type NewDelegation } from '#protocol/contract/console/delegation';
import { GroupsDue, type ConfirmMembers, type SetConfirmation } from '#protocol/contract/users/group-confirmation';
import { ToolList } from '#protocol/contract/users/tool';
import {
  AddedUser,
  MailedLink,
  UserEntry,
  UserList,
  ServerEntry,
  ServerList,
  Group,
  GroupList,
  type AddUser,
  type ChangeMembers,
  type ChangeUser,
  type ChangeServer,
  type ChangeGroup,
  type NewGroup,
} from '#protocol/contract/users/users';
import { callApi } from './call-api.ts';
import { orWaiting, type Changed } from './changes.ts';

export const readUsers = (signal: AbortSignal): Promise<UserList> =>
  callApi('/api/users', { answer: UserList, signal });

export const addUser = (body: AddUser): Promise<Changed<AddedUser>> =>
  callApi('/api/users', { method: 'POST', body, answer: orWaiting(AddedUser) });

/** A link that sets a password and removes the person's second factors. */
export const resetFactors = (id: string): Promise<MailedLink> =>
  callApi(`/api/users/${encodeURIComponent(id)}/factor-reset`, { method: 'POST', answer: MailedLink });

export const mailPasswordLink = (id: string): Promise<MailedLink> =>
  callApi(`/api/users/${encodeURIComponent(id)}/password-link`, { method: 'POST', answer: MailedLink });

export const changeUser = (id: string, body: ChangeUser): Promise<Changed<UserEntry>> =>
  callApi(`/api/users/${encodeURIComponent(id)}`, { method: 'PATCH', body, answer: orWaiting(UserEntry) });

export const readGroups = (signal: AbortSignal): Promise<GroupList> =>
  callApi('/api/groups', { answer: GroupList, signal });

export const addGroup = (body: NewGroup): Promise<Group> =>
  callApi('/api/groups', { method: 'POST', body, answer: Group });

export const changeGroup = (id: string, body: ChangeGroup): Promise<Group> =>
  callApi(groupAddress(id), { method: 'PATCH', body, answer: Group });

export const changeMembers = (id: string, body: ChangeMembers): Promise<Changed<Group>> =>
  callApi(`${groupAddress(id)}/members`, { method: 'POST', body, answer: orWaiting(Group) });

export const setConfirmation = (id: string, body: SetConfirmation): Promise<Changed<Group>> =>
  callApi(`${groupAddress(id)}/confirmation`, { method: 'PUT', body, answer: orWaiting(Group) });

export const confirmMembers = (id: string, body: ConfirmMembers): Promise<Group> =>
  callApi(`${groupAddress(id)}/confirmation`, { method: 'POST', body, answer: Group });

export const readGroupsDue = (signal: AbortSignal): Promise<GroupsDue> =>
  callApi('/api/confirmations', { answer: GroupsDue, signal });

export const deleteGroup = (id: string): Promise<null> =>
  callApi(groupAddress(id), { method: 'DELETE', answer: z.null() });

export const readServers = (signal: AbortSignal): Promise<ServerList> =>
  callApi('/api/servers', { answer: ServerList, signal });

export const readTools = (id: string, signal: AbortSignal): Promise<ToolList> =>
  callApi(`/api/servers/${encodeURIComponent(id)}/tools`, { answer: ToolList, signal });

export const changeServer = (id: string, body: ChangeServer): Promise<Changed<ServerEntry>> =>
  callApi(`/api/servers/${encodeURIComponent(id)}`, { method: 'PATCH', body, answer: orWaiting(ServerEntry) });

export const readDelegations = (signal: AbortSignal): Promise<DelegationList> =>
  callApi('/api/delegations', { answer: DelegationList, signal });

export const delegate = (body: NewDelegation): Promise<Delegation> =>
  callApi('/api/delegations', { method: 'POST', body, answer: Delegation });

export const revokeDelegation = (id: string): Promise<Delegation> =>
  callApi(`/api/delegations/${encodeURIComponent(id)}/revoke`, { method: 'POST', answer: Delegation });

const groupAddress = (id: string): string => `/api/groups/${encodeURIComponent(id)}`;
