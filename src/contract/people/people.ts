import { z } from 'zod';
import { idPattern } from '../../model/id.ts';
import { roles, slackMember } from '../../model/person.ts';
import { Moment, storable } from '../servers/elicitation.ts';
import type { RouteContract } from '../http/route-contract.ts';

/** What crosses the wire about people, their teams, and who answers for which server. */
export const UserId = z.string().regex(idPattern('user')).meta({ id: 'UserId' });
export const TeamId = z.string().regex(idPattern('team')).meta({ id: 'TeamId' });
export const ServerId = z.string().regex(idPattern('server')).meta({ id: 'ServerId' });

/** Somebody by the name others see. */
export const NamedPerson = z.object({ id: UserId, name: z.string() }).meta({ id: 'NamedPerson' });
export type NamedPerson = z.infer<typeof NamedPerson>;

const personName = storable(200).trim().min(1, 'Give a name.');
const slackId = z.string().regex(slackMember, 'Give a member ID of Slack such as U0123ABCD.');

export const PersonEntry = z
  .object({
    id: UserId,
    email: z.string(),
    name: z.string(),
    role: z.enum(roles),
    managerId: UserId.nullable(),
    manager: NamedPerson.nullable(),
    /** The names MCP clients know this person by, beside the address: who asks by one of them never approves it. */
    subjects: z.array(z.string()),
    mayBreakGlass: z.boolean(),
    slackId: z.string().nullable(),
    /** False until they have set one with their first link. */
    hasPassword: z.boolean(),
    disabledAt: Moment.nullable(),
    createdAt: Moment,
    teams: z.array(z.object({ id: TeamId, name: z.string() })),
  })
  .meta({ id: 'PersonEntry' });
export type PersonEntry = z.infer<typeof PersonEntry>;

export const PersonList = z.object({ people: z.array(PersonEntry) }).meta({ id: 'PersonList' });
export type PersonList = z.infer<typeof PersonList>;

export const email = z.email('Give an e-mail address such as ada@example.com.').max(254);

export const AddPerson = z
  .strictObject({
    email,
    name: personName,
    role: z.enum(roles),
    managerId: UserId.nullable().optional(),
    teams: z.array(TeamId).max(100).optional(),
  })
  .meta({ id: 'AddPerson' });
export type AddPerson = z.infer<typeof AddPerson>;

/** What somebody sets a password of their own with, once: shown to whoever made it, and never again. */
export const PasswordLink = z.object({ address: z.string(), expiresAt: Moment }).meta({ id: 'PasswordLink' });
export type PasswordLink = z.infer<typeof PasswordLink>;

export const AddedPerson = z.object({ person: PersonEntry, link: PasswordLink }).meta({ id: 'AddedPerson' });
export type AddedPerson = z.infer<typeof AddedPerson>;

export const ChangePerson = z
  .strictObject({
    name: personName,
    role: z.enum(roles),
    managerId: UserId.nullable(),
    subjects: z.array(storable(256).min(1)).max(20),
    mayBreakGlass: z.boolean(),
    slackId: slackId.nullable().meta({ description: 'The member of Slack whose clicks are theirs.' }),
    disabled: z.boolean(),
  })
  .partial()
  .meta({ id: 'ChangePerson' });
export type ChangePerson = z.infer<typeof ChangePerson>;

/** What a policy calls the team by. */
const teamName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, 'Use 1 to 64 letters, digits, spaces, dots, dashes and underscores.');

export const Team = z
  .object({ id: TeamId, name: z.string(), description: z.string(), members: z.array(NamedPerson) })
  .meta({ id: 'Team' });
export type Team = z.infer<typeof Team>;

export const TeamList = z.object({ teams: z.array(Team) }).meta({ id: 'TeamList' });
export type TeamList = z.infer<typeof TeamList>;

const teamDescription = storable(500).trim();

export const NewTeam = z
  .strictObject({ name: teamName, description: teamDescription.optional() })
  .meta({ id: 'NewTeam' });
export type NewTeam = z.infer<typeof NewTeam>;

export const ChangeTeam = z
  .strictObject({ name: teamName, description: teamDescription })
  .partial()
  .meta({ id: 'ChangeTeam' });
export type ChangeTeam = z.infer<typeof ChangeTeam>;

export const ChangeMembers = z
  .strictObject({ add: z.array(UserId).max(1000), remove: z.array(UserId).max(1000) })
  .partial()
  .meta({ id: 'ChangeMembers' });
export type ChangeMembers = z.infer<typeof ChangeMembers>;

export const ServerEntry = z
  .object({ id: ServerId, name: z.string(), ownerId: UserId.nullable(), owner: NamedPerson.nullable() })
  .meta({ id: 'ServerEntry' });
export type ServerEntry = z.infer<typeof ServerEntry>;

export const ServerList = z.object({ servers: z.array(ServerEntry) }).meta({ id: 'ServerList' });
export type ServerList = z.infer<typeof ServerList>;

export const ChangeServer = z.strictObject({ ownerId: UserId.nullable() }).meta({ id: 'ChangeServer' });
export type ChangeServer = z.infer<typeof ChangeServer>;

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
