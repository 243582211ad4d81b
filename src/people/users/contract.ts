import { z } from 'zod';
import { storable, faultless, Moment, visibleLine } from '#requests/asking/contract/open';
import { digest, idText } from '#platform/http/contract/problem';
import { chatMemberForm, wrongChatMember } from '#notify/chat/contract';
import { linkWays } from '../directory/contract/user.ts';
import { faultOfIdentity } from '#platform/model/identity';
import { groupNamePattern, groupNameRule } from '#platform/model/names';
import { changed, WaitingChange } from '../changes/contract.ts';
import type { RouteContract } from '#platform/http/contract/route';

/** Without a limit, a list has as many items as a console can hold; what is left out is behind `next`. */
const maxListed = 5_000;

/** A part of a list. */
export const ListQuery = z.strictObject({
  q: storable(200)
    .trim()
    .min(1)
    .optional()
    .meta({ description: 'Part of a name, address or description, in any case.' }),
  cursor: z.string().max(1024).optional().meta({ description: '`next` of the page before.' }),
  limit: z.coerce.number().int().min(1).max(maxListed).default(maxListed),
});
export type ListQuery = z.output<typeof ListQuery>;

/** Beginning of the next page. */
export const Next = z
  .string()
  .nullable()
  .meta({ description: 'The cursor of the next page; null after the last item.' });

/** The API of people, groups and servers. */
export const UserId = idText('user').meta({ id: 'UserId' });
export const GroupId = idText('group').meta({ id: 'GroupId' });
export const ServerId = idText('server').meta({ id: 'ServerId' });
export const SpaceId = idText('space').meta({ id: 'SpaceId' });

/** A space by name. */
export const NamedSpace = z.object({ id: SpaceId, name: z.string() }).meta({ id: 'NamedSpace' });
const inSpace = NamedSpace.nullable().meta({ description: 'The space it belongs to; null if it is global.' });

/** A built-in role, or one of the installation by its name. */
export const Role = z.string().max(40).meta({ id: 'Role' });

/** A person by name. */
export const NamedUser = z.object({ id: UserId, name: z.string() }).meta({ id: 'NamedUser' });

/** The signed-in person. */
export const SignedInPerson = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
  permissions: z.array(z.string()).meta({ description: 'What they may do everywhere.' }),
  reads: z
    .object({ log: z.boolean(), insights: z.boolean() })
    .meta({ description: 'Of all servers, or of some: those of their spaces, and for Insights also those they own.' }),
});

const userName = visibleLine(200).min(1, 'Give a name.');
const chatMember = z.string().regex(chatMemberForm, wrongChatMember);

export const UserEntry = z
  .object({
    id: UserId,
    email: z.string(),
    name: z.string(),
    role: Role,
    /** Permissions of a custom role. */
    permissions: z.array(z.string()).readonly().optional(),
    managerId: UserId.nullable(),
    manager: NamedUser.nullable(),
    /**
     * The names MCP clients know this person by, next to the address: they never approve a request made under one of
     * these names.
     */
    subjects: z.array(z.string()),
    mayBreakGlass: z.boolean(),
    chatMember: z.string().nullable(),
    /** False until they have set one with their first link. */
    hasPassword: z.boolean(),
    disabledAt: Moment.nullable(),
    createdAt: Moment,
    groups: z.array(z.object({ id: GroupId, name: z.string() })),
  })
  .meta({ id: 'UserEntry' });
export type UserEntry = z.infer<typeof UserEntry>;

export const UserList = z
  .object({
    users: z.array(UserEntry),
    next: Next,
    isFull: z.boolean().meta({
      description:
        'False: only administrators read of others who is disabled (readers of the log, too), `subjects`, `chatMember`, `mayBreakGlass` and `hasPassword`. Disabled people are left out, and the others have these as if there were nothing to say: empty, null, false, true.',
    }),
    linksBy: z.enum(linkWays),
  })
  .meta({ id: 'UserList' });
export type UserList = z.infer<typeof UserList>;

export const email = z.email('Give an email address such as ada@example.com.').max(254);

export const AddUser = z
  .strictObject({
    email,
    name: userName,
    role: Role,
    managerId: UserId.nullable().optional(),
    groups: z.array(GroupId).max(100).optional(),
  })
  .meta({ id: 'AddUser' });
export type AddUser = z.input<typeof AddUser>;

/** A one-time link that sets a password is on its way to its person. No one else is shown it. */
export const MailedLink = z.object({ linkUntil: Moment }).meta({ id: 'MailedLink' });

/** `linkUntil` is null if this installation sends no mails: then the operator's terminal makes the link. */
export const AddedUser = z.object({ user: UserEntry, linkUntil: Moment.nullable() }).meta({ id: 'AddedUser' });
export type AddedUser = z.infer<typeof AddedUser>;

export const ChangeUser = z
  .strictObject({
    name: userName,
    role: Role,
    managerId: UserId.nullable(),
    subjects: z
      .array(faultless(z.string().min(1).max(800), faultOfIdentity))
      .max(20)
      .meta({
        description: 'Their names at MCP clients: `SUBJECT` of any issuer, or `ISSUER#SUBJECT`.',
      }),
    mayBreakGlass: z.boolean(),
    chatMember: chatMember.nullable().meta({ description: 'The member of a chat whose votes count as theirs.' }),
    disabled: z.boolean(),
  })
  .partial()
  .meta({ id: 'ChangeUser' });
export type ChangeUser = z.input<typeof ChangeUser>;

/** The name of the group in policies. */
const groupName = z.string().trim().regex(groupNamePattern, groupNameRule);

const GroupConfirmation = z
  .object({
    days: z.int().meta({ description: 'Its members are confirmed every so many days.' }),
    confirmedAt: Moment.meta({ description: 'When they were last confirmed, or when it was first asked for.' }),
    dueAt: Moment,
    lapsesAt: Moment.nullable().meta({
      description: 'Set once the owners were warned: members whom no one has confirmed by then leave.',
    }),
    members: z.array(UserId).meta({
      description: 'The list to confirm: members whom people put there, and not an identity provider.',
    }),
    digest: digest.meta({ description: 'Of this list.' }),
  })
  .meta({ id: 'GroupConfirmation' });

export const Group = z
  .object({
    id: GroupId,
    name: z.string(),
    description: z.string(),
    members: z.array(NamedUser),
    space: inSpace,
    owners: z.array(NamedUser).meta({ description: 'They confirm its members; without any, administrators do.' }),
    confirmation: GroupConfirmation.nullable().meta({ description: 'Null if no one needs to confirm its members.' }),
    provisioned: z.object({ issuer: z.string(), isAdopted: z.boolean() }).nullable().meta({
      description:
        'The identity provider that made it by SCIM; null for none. Until an administrator has adopted it, it counts for nothing in policies.',
    }),
  })
  .meta({ id: 'Group' });
export type Group = z.infer<typeof Group>;

export const GroupList = z.object({ groups: z.array(Group), next: Next }).meta({ id: 'GroupList' });
export type GroupList = z.infer<typeof GroupList>;

const groupDescription = visibleLine(500);

export const NewGroup = z
  .strictObject({ name: groupName, description: groupDescription.optional() })
  .meta({ id: 'NewGroup' });
export type NewGroup = z.infer<typeof NewGroup>;

const AdoptGroup = z
  .strictObject({ adopted: z.boolean().meta({ description: 'False: it counts for nothing again.' }) })
  .meta({ id: 'AdoptGroup' });

const ChangeGroup = z
  .strictObject({ name: groupName, description: groupDescription })
  .partial()
  .meta({ id: 'ChangeGroup' });

const ChangeMembers = z
  .strictObject({ add: z.array(UserId).max(1000), remove: z.array(UserId).max(1000) })
  .partial()
  .meta({ id: 'ChangeMembers' });
export type ChangeMembers = z.input<typeof ChangeMembers>;

export const ServerEntry = z
  .object({
    id: ServerId,
    name: z.string(),
    ownerId: UserId.nullable(),
    owner: NamedUser.nullable(),
    space: inSpace,
  })
  .meta({ id: 'ServerEntry' });
export type ServerEntry = z.infer<typeof ServerEntry>;

export const ServerList = z.object({ servers: z.array(ServerEntry), next: Next }).meta({ id: 'ServerList' });
export type ServerList = z.infer<typeof ServerList>;

const ChangeServer = z.strictObject({ ownerId: UserId.nullable() }).meta({ id: 'ChangeServer' });

const user = z.object({ id: UserId });
const group = z.object({ id: GroupId });
const server = z.object({ id: ServerId });

/** The directory. Everyone who is signed in may read; administrators may change. */
export const usersRoutes = {
  listUsers: {
    method: 'get',
    path: '/api/users',
    auth: 'session-or-token',
    permission: null,
    summary: 'Everyone, with their groups and managers, by name.',
    query: ListQuery,
    success: { 200: UserList },
  },
  addUser: {
    method: 'post',
    path: '/api/users',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Add a person, and mail them a link that sets their password.',
    body: AddUser,
    success: { 201: changed(AddedUser), 202: WaitingChange },
  },
  mailPasswordLink: {
    method: 'post',
    path: '/api/users/{id}/password-link',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Mail someone a new link that sets their password; earlier links become invalid and sessions end.',
    params: user,
    success: { 202: MailedLink },
  },
  resetFactors: {
    method: 'post',
    path: '/api/users/{id}/factor-reset',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary:
      'Mail someone who lost their second factors a link that sets a password; using it removes their passkeys and their authenticator app.',
    params: user,
    success: { 202: MailedLink },
  },
  changeUser: {
    method: 'patch',
    path: '/api/users/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: "Change a person's name, rights, manager and identities.",
    params: user,
    body: ChangeUser,
    success: { 200: changed(UserEntry), 202: WaitingChange },
  },
  listGroups: {
    method: 'get',
    path: '/api/groups',
    auth: 'session-or-token',
    permission: null,
    summary: 'The groups policies can name, with their members.',
    query: ListQuery,
    success: { 200: GroupList },
  },
  addGroup: {
    method: 'post',
    path: '/api/groups',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Make a group.',
    body: NewGroup,
    success: { 201: Group },
  },
  changeGroup: {
    method: 'patch',
    path: '/api/groups/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Rename or describe a group.',
    params: group,
    body: ChangeGroup,
    success: { 200: Group },
  },
  changeMembers: {
    method: 'post',
    path: '/api/groups/{id}/members',
    auth: 'session-or-token',
    permission: 'change-space',
    proof: 'every-factor',
    scope: 'space',
    summary: 'Add and remove members.',
    params: group,
    body: ChangeMembers,
    success: { 200: changed(Group), 202: WaitingChange },
  },
  adoptGroup: {
    method: 'put',
    path: '/api/groups/{id}/adoption',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Let a group that an identity provider made by SCIM count in policies, or no longer.',
    params: group,
    body: AdoptGroup,
    success: { 200: changed(Group), 202: WaitingChange },
  },
  deleteGroup: {
    method: 'delete',
    path: '/api/groups/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Delete a group. One with many members waits for a second administrator.',
    params: group,
    success: { 204: null, 202: WaitingChange },
  },
  listServers: {
    method: 'get',
    path: '/api/servers',
    auth: 'session-or-token',
    permission: null,
    summary: 'The MCP servers, with their owners.',
    query: ListQuery,
    success: { 200: ServerList },
  },
  changeServer: {
    method: 'patch',
    path: '/api/servers/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Set the owner of a server.',
    params: server,
    body: ChangeServer,
    success: { 200: changed(ServerEntry), 202: WaitingChange },
  },
} as const satisfies Record<string, RouteContract>;
