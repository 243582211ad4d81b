import { spaceRoles } from '../roles/contract.ts';
import { z } from 'zod';
import { spaceNamePattern, spaceNameRule } from '#platform/model/names';
import type { RouteContract } from '#platform/http/contract/route';
import { changed, WaitingChange } from '../changes/contract.ts';
import {
  ListQuery,
  Next,
  Group,
  GroupId,
  NamedUser,
  ServerEntry,
  ServerId,
  SpaceId,
  UserId,
} from '../users/contract.ts';

const role = z.enum(spaceRoles);

export const Space = z
  .object({
    id: SpaceId,
    name: z.string(),
    members: z.array(z.object({ user: NamedUser, role })),
    servers: z.array(z.object({ id: ServerId, name: z.string() })),
    groups: z.array(z.object({ id: GroupId, name: z.string() })),
  })
  .meta({ id: 'Space' });
export type Space = z.infer<typeof Space>;

export const SpaceList = z.object({ spaces: z.array(Space), next: Next }).meta({ id: 'SpaceList' });
export type SpaceList = z.infer<typeof SpaceList>;

const NewSpace = z
  .strictObject({ name: z.string().trim().regex(spaceNamePattern, spaceNameRule) })
  .meta({ id: 'NewSpace' });

const SetSpaceRole = z
  .strictObject({ role: role.nullable().meta({ description: 'Null: they have no role there from then on.' }) })
  .meta({ id: 'SetSpaceRole' });

const SetSpace = z
  .strictObject({ spaceId: SpaceId.nullable().meta({ description: 'Null makes it global.' }) })
  .meta({ id: 'SetSpace' });

/** Spaces, with their people, servers and groups. */
export const spaceRoutes = {
  listSpaces: {
    method: 'get',
    path: '/api/spaces',
    auth: 'session',
    permission: null,
    summary: 'The spaces that you see, by name: those in which you have a role, or all if your role is about all.',
    query: ListQuery,
    success: { 200: SpaceList },
  },
  addSpace: {
    method: 'post',
    path: '/api/spaces',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Make a space.',
    body: NewSpace,
    success: { 201: Space },
  },
  setSpaceRole: {
    method: 'put',
    path: '/api/spaces/{id}/members/{user}',
    auth: 'session',
    permission: 'change-space',
    proof: 'every-factor',
    scope: 'space',
    summary:
      'Say which role someone has in a space. What gives power needs a second administrator, global or of the space.',
    params: z.object({ id: SpaceId, user: UserId }),
    body: SetSpaceRole,
    success: { 200: changed(Space), 202: WaitingChange },
  },
  moveServer: {
    method: 'put',
    path: '/api/servers/{id}/space',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Move a server into a space, or out of it. Open requests keep the policy that they were opened with.',
    params: z.object({ id: ServerId }),
    body: SetSpace,
    success: { 200: changed(ServerEntry), 202: WaitingChange },
  },
  moveGroup: {
    method: 'put',
    path: '/api/groups/{id}/space',
    auth: 'session',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Move a group into a space, or out of it; not while a policy in force outside of the space names it.',
    params: z.object({ id: GroupId }),
    body: SetSpace,
    success: { 200: changed(Group), 202: WaitingChange },
  },
} as const satisfies Record<string, RouteContract>;
