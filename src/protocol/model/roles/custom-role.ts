import { isBuiltInRole, permissions, ruleOf } from '../permission.ts';

/** The permissions of which a role of an installation can have some. */
export const rolePermissions = permissions.filter((permission) => !ruleOf(permission).isForAdministrators);

/** The name of a role that an installation makes, as policies, files and the log write it. */
const roleNamePattern = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/;
export const roleNameRule =
  'Use 2 to 40 small letters, digits and single dashes, beginning with a letter, and no name that has a meaning already.';

/** Is it a role's name, and of none that means something else already? */
export const isRoleName = (name: string): boolean =>
  name.length >= 2 &&
  name.length <= 40 &&
  roleNamePattern.test(name) &&
  !reservedRoles.includes(name) &&
  !isBuiltInRole(name);

const reservedRoles = ['anyone', 'none', 'owner', 'requester', 'server', 'space-admin', 'user'];
