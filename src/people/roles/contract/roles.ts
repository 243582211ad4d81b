import { z } from 'zod';
import { idText } from '#platform/http/contract/problem/formats';
import { isRoleName, roleNameRule, rolePermissions } from './custom-role.ts';
import type { RouteContract } from '#platform/http/contract/route/route-contract';
import { changed, WaitingChange } from '../../changes/contract.ts';

const RoleId = idText('role').meta({ id: 'RoleId' });

export const CustomRole = z
  .object({
    id: RoleId,
    name: z.string(),
    permissions: z.array(z.string()),
    people: z.int().meta({ description: 'How many have it, with those who are disabled.' }),
  })
  .meta({ id: 'CustomRole' });
export type CustomRole = z.infer<typeof CustomRole>;

export const CustomRoleList = z.object({ roles: z.array(CustomRole) }).meta({ id: 'CustomRoleList' });
export type CustomRoleList = z.infer<typeof CustomRoleList>;

const permissions = z
  .array(z.enum(rolePermissions, `Choose from ${rolePermissions.join(', ')}.`))
  .min(1, `Choose from ${rolePermissions.join(', ')}.`)
  .max(rolePermissions.length);

export const NewRole = z
  .strictObject({
    name: z
      .string()
      .refine((name) => isRoleName(name), roleNameRule)
      .meta({ description: 'By it people, policies and the log name it; it never changes.' }),
    permissions,
  })
  .meta({ id: 'NewRole' });
export type NewRole = z.input<typeof NewRole>;

const ChangeRole = z.strictObject({ permissions }).meta({ id: 'ChangeRole' });
export type ChangeRole = z.input<typeof ChangeRole>;

const role = z.object({ id: RoleId });

/** Roles that the installation makes, next to those that are built in. */
export const roleRoutes = {
  listRoles: {
    method: 'get',
    path: '/api/roles',
    auth: 'session-or-token',
    permission: null,
    summary: 'The roles that the installation has made, by name.',
    success: { 200: CustomRoleList },
  },
  addRole: {
    method: 'post',
    path: '/api/roles',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Make a role, which no one has yet.',
    body: NewRole,
    success: { 201: CustomRole },
  },
  changeRole: {
    method: 'put',
    path: '/api/roles/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary:
      'Change what a role permits, for everyone who has it. What gives someone more needs a second administrator.',
    params: role,
    body: ChangeRole,
    success: { 200: changed(CustomRole), 202: WaitingChange },
  },
  removeRole: {
    method: 'delete',
    path: '/api/roles/{id}',
    auth: 'session-or-token',
    permission: 'change-directory',
    proof: 'every-factor',
    summary: 'Remove a role that no one has and no policy in force names.',
    params: role,
    success: { 204: null },
  },
} as const satisfies Record<string, RouteContract>;
