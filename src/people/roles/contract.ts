import {
  builtInRoles,
  permissions as allPermissions,
  ruleOf,
  type Permission,
} from '../directory/contract/permission.ts';
import { z } from 'zod';
import { idText } from '#platform/http/contract/problem';
import type { RouteContract } from '#platform/http/contract/route';
import { changed, WaitingChange } from '../changes/contract.ts';

/** The permissions of which a role of an installation can have some. */
export const rolePermissions = allPermissions.filter((permission) => !ruleOf(permission).isForAdministrators);

/** The name of a role that an installation makes, as policies, files and the log write it. */
const roleNamePattern = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;
export const roleNameRule =
  'Use 2 to 40 small letters, digits and single dashes, beginning with a letter, and no name that means something already or looks like one that does.';

/** Is it a role's name, and of none that means something else already, or is taken for it at a glance? */
export const isRoleName = (name: string): boolean =>
  name.length >= 2 && name.length <= 40 && roleNamePattern.test(name) && !meanings.has(atAGlance(name));

const reservedRoles = ['administrator', 'anyone', 'none', 'owner', 'requester', 'server', 'space-admin', 'user'];

/** Without dashes and plural, and one letter for all that are drawn alike: `adm1ns` is read as `admin`. */
const atAGlance = (name: string): string =>
  name
    .replaceAll('-', '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll(/[013-5i]/g, (letter) => drawnAlike[letter] ?? letter)
    .replace(/s$/, '');

const drawnAlike: Record<string, string> = { 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', i: 'l' };

const meanings = new Set([...builtInRoles, ...reservedRoles].map(atAGlance));

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

/** Roles in a space: for its servers, groups and policies alone. */
export const spaceRoles = ['space-admin', 'policy-author', 'operator', 'reviewer'] as const;
export type SpaceRole = (typeof spaceRoles)[number];

/** By the one table of permissions: may someone with this role do it to what belongs to the space? */
export function mayInSpace(role: SpaceRole, permission: Permission): boolean {
  const { isInSpaces, roles } = ruleOf(permission);
  return isInSpaces === true && (role === 'space-admin' || roles.includes(role));
}

/** People of a space who can accept a change of it besides administrators. */
export const administratorsAmong = <Id extends string>(members: readonly { userId: Id; role: SpaceRole }[]): Id[] =>
  members.filter(({ role }) => mayInSpace(role, 'change-space')).map(({ userId }) => userId);

/** Does the second role let someone do more in the space than the first, apart from looking? Null is no role. */
export const givesMoreInSpace = (before: SpaceRole | null, after: SpaceRole | null): boolean =>
  after !== null &&
  allPermissions.some(
    (permission) =>
      mayInSpace(after, permission) &&
      !mayInSpace('reviewer', permission) &&
      (before === null || !mayInSpace(before, permission)),
  );
