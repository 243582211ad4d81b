import { z } from 'zod';
import { Delegation, DelegationList, type NewDelegation } from '../../../src/contract/console/delegation.ts';
import {
  AddedPerson,
  PasswordLink,
  PersonEntry,
  PersonList,
  ServerEntry,
  ServerList,
  Team,
  TeamList,
  type AddPerson,
  type ChangeMembers,
  type ChangePerson,
  type ChangeServer,
  type ChangeTeam,
  type NewTeam,
} from '../../../src/contract/people/people.ts';
import { callApi } from './call-api.ts';

export const readPeople = (signal: AbortSignal): Promise<PersonList> =>
  callApi('/api/people', { answer: PersonList, signal });

export const addPerson = (body: AddPerson): Promise<AddedPerson> =>
  callApi('/api/people', { method: 'POST', body, answer: AddedPerson });

export const makePasswordLink = (id: string): Promise<PasswordLink> =>
  callApi(`/api/people/${encodeURIComponent(id)}/password-link`, { method: 'POST', answer: PasswordLink });

export const changePerson = (id: string, body: ChangePerson): Promise<PersonEntry> =>
  callApi(`/api/people/${encodeURIComponent(id)}`, { method: 'PATCH', body, answer: PersonEntry });

export const readTeams = (signal: AbortSignal): Promise<TeamList> =>
  callApi('/api/teams', { answer: TeamList, signal });

export const addTeam = (body: NewTeam): Promise<Team> => callApi('/api/teams', { method: 'POST', body, answer: Team });

export const changeTeam = (id: string, body: ChangeTeam): Promise<Team> =>
  callApi(teamAddress(id), { method: 'PATCH', body, answer: Team });

export const changeMembers = (id: string, body: ChangeMembers): Promise<Team> =>
  callApi(`${teamAddress(id)}/members`, { method: 'POST', body, answer: Team });

export const deleteTeam = (id: string): Promise<null> =>
  callApi(teamAddress(id), { method: 'DELETE', answer: z.null() });

export const readServers = (signal: AbortSignal): Promise<ServerList> =>
  callApi('/api/servers', { answer: ServerList, signal });

export const changeServer = (id: string, body: ChangeServer): Promise<ServerEntry> =>
  callApi(`/api/servers/${encodeURIComponent(id)}`, { method: 'PATCH', body, answer: ServerEntry });

export const readDelegations = (signal: AbortSignal): Promise<DelegationList> =>
  callApi('/api/delegations', { answer: DelegationList, signal });

export const delegate = (body: NewDelegation): Promise<Delegation> =>
  callApi('/api/delegations', { method: 'POST', body, answer: Delegation });

export const revokeDelegation = (id: string): Promise<Delegation> =>
  callApi(`/api/delegations/${encodeURIComponent(id)}/revoke`, { method: 'POST', answer: Delegation });

const teamAddress = (id: string): string => `/api/teams/${encodeURIComponent(id)}`;
