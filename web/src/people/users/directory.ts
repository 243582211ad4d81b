import { z } from 'zod';
import { AccountPairList, type DecidePair } from '#people/accounts/contract';
import { Delegation, DelegationList, type NewDelegation } from '#people/delegations/contract';
import { GroupsDue, type ConfirmMembers, type SetConfirmation } from '#people/groups/contract';
import { ToolList } from '#access/keys/contract/key';
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
  type AdoptGroup,
  type ChangeMembers,
  type ChangeUser,
  type ChangeServer,
  type ChangeGroup,
  type NewGroup,
} from '#people/users/contract';
import { address, callApi } from '../../client/call-api.ts';
import { orWaiting } from '../changes/changes.ts';

export const readUsers = (signal: AbortSignal) => callApi('/api/users', { answer: UserList, signal });

export const addUser = (body: AddUser) => callApi('/api/users', { method: 'POST', body, answer: orWaiting(AddedUser) });

/** A link that sets a password and removes the person's second factors. */
export const resetFactors = (id: string) =>
  callApi(address`/api/users/${id}/factor-reset`, { method: 'POST', answer: MailedLink });

export const mailPasswordLink = (id: string) =>
  callApi(address`/api/users/${id}/password-link`, { method: 'POST', answer: MailedLink });

export const changeUser = (id: string, body: ChangeUser) =>
  callApi(address`/api/users/${id}`, { method: 'PATCH', body, answer: orWaiting(UserEntry) });

/** Which accounts are of one person. */
export const readPairs = (signal: AbortSignal) => callApi('/api/user-pairs', { answer: AccountPairList, signal });

export const decidePair = (body: DecidePair) =>
  callApi('/api/user-pairs', { method: 'POST', body, answer: orWaiting(AccountPairList) });

export const readGroups = (signal: AbortSignal) => callApi('/api/groups', { answer: GroupList, signal });

export const addGroup = (body: NewGroup) => callApi('/api/groups', { method: 'POST', body, answer: Group });

export const changeGroup = (id: string, body: ChangeGroup) =>
  callApi(address`/api/groups/${id}`, { method: 'PATCH', body, answer: Group });

export const changeMembers = (id: string, body: ChangeMembers) =>
  callApi(address`/api/groups/${id}/members`, { method: 'POST', body, answer: orWaiting(Group) });

export const setConfirmation = (id: string, body: SetConfirmation) =>
  callApi(address`/api/groups/${id}/confirmation`, { method: 'PUT', body, answer: orWaiting(Group) });

export const adoptGroup = (id: string, body: AdoptGroup) =>
  callApi(address`/api/groups/${id}/adoption`, { method: 'PUT', body, answer: orWaiting(Group) });

export const confirmMembers = (id: string, body: ConfirmMembers) =>
  callApi(address`/api/groups/${id}/confirmation`, { method: 'POST', body, answer: Group });

export const readGroupsDue = (signal: AbortSignal) => callApi('/api/confirmations', { answer: GroupsDue, signal });

export const deleteGroup = (id: string) => callApi(address`/api/groups/${id}`, { method: 'DELETE', answer: z.null() });

export const readServers = (signal: AbortSignal) => callApi('/api/servers', { answer: ServerList, signal });

export const readTools = (id: string, signal: AbortSignal) =>
  callApi(address`/api/servers/${id}/tools`, { answer: ToolList, signal });

export const changeServer = (id: string, body: ChangeServer) =>
  callApi(address`/api/servers/${id}`, { method: 'PATCH', body, answer: orWaiting(ServerEntry) });

export const readDelegations = (signal: AbortSignal) => callApi('/api/delegations', { answer: DelegationList, signal });

export const delegate = (body: NewDelegation) =>
  callApi('/api/delegations', { method: 'POST', body, answer: Delegation });

export const revokeDelegation = (id: string) =>
  callApi(address`/api/delegations/${id}/revoke`, { method: 'POST', answer: Delegation });
