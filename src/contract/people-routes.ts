import { z } from 'zod';
import {
  AddedPerson,
  AddPerson,
  ChangeMembers,
  ChangePerson,
  ChangeServer,
  ChangeTeam,
  NewTeam,
  PasswordLink,
  PersonEntry,
  PersonList,
  ServerEntry,
  ServerId,
  ServerList,
  Team,
  TeamId,
  TeamList,
  UserId,
} from './people.ts';
import type { RouteContract } from './route-contract.ts';

const person = z.object({ id: UserId });
const team = z.object({ id: TeamId });
const server = z.object({ id: ServerId });

/** Who there is. Everyone signed in may read; administrators change. */
export const peopleRoutes = {
  listPeople: {
    method: 'get',
    path: '/api/people',
    auth: 'session',
    summary: 'Everybody, with their teams and managers.',
    success: { 200: PersonList },
  },
  addPerson: {
    method: 'post',
    path: '/api/people',
    auth: 'session',
    summary: 'Add a person, with the link they set a password of their own with. Administrators only.',
    body: AddPerson,
    success: { 201: AddedPerson },
  },
  makePasswordLink: {
    method: 'post',
    path: '/api/people/{id}/password-link',
    auth: 'session',
    summary: 'Make a new link to set a password with; earlier ones are void, sessions end. Administrators only.',
    params: person,
    success: { 201: PasswordLink },
  },
  changePerson: {
    method: 'patch',
    path: '/api/people/{id}',
    auth: 'session',
    summary: 'Change what a person is called, may do and answers to. Administrators only.',
    params: person,
    body: ChangePerson,
    success: { 200: PersonEntry },
  },
  listTeams: {
    method: 'get',
    path: '/api/teams',
    auth: 'session',
    summary: 'The teams policies can name, with their members.',
    success: { 200: TeamList },
  },
  addTeam: {
    method: 'post',
    path: '/api/teams',
    auth: 'session',
    summary: 'Make a team. Administrators only.',
    body: NewTeam,
    success: { 201: Team },
  },
  changeTeam: {
    method: 'patch',
    path: '/api/teams/{id}',
    auth: 'session',
    summary: 'Call or describe a team otherwise. Administrators only.',
    params: team,
    body: ChangeTeam,
    success: { 200: Team },
  },
  changeMembers: {
    method: 'post',
    path: '/api/teams/{id}/members',
    auth: 'session',
    summary: 'Add and remove members. Administrators only.',
    params: team,
    body: ChangeMembers,
    success: { 200: Team },
  },
  deleteTeam: {
    method: 'delete',
    path: '/api/teams/{id}',
    auth: 'session',
    summary: 'Delete a team. Administrators only.',
    params: team,
    success: { 204: null },
  },
  listServers: {
    method: 'get',
    path: '/api/servers',
    auth: 'session',
    summary: 'The MCP servers that may ask, with who answers for them.',
    success: { 200: ServerList },
  },
  changeServer: {
    method: 'patch',
    path: '/api/servers/{id}',
    auth: 'session',
    summary: 'Say who answers for a server. Administrators only.',
    params: server,
    body: ChangeServer,
    success: { 200: ServerEntry },
  },
} as const satisfies Record<string, RouteContract>;
