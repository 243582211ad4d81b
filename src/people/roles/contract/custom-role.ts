import { builtInRoles, permissions, ruleOf } from '../../directory/contract/permission.ts';

/** The permissions of which a role of an installation can have some. */
export const rolePermissions = permissions.filter((permission) => !ruleOf(permission).isForAdministrators);

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
