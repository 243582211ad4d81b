import { permissions, ruleOf, type Permission } from '../../directory/contract/permission.ts';

/** What someone is in a space: for its servers, groups and policies alone. */
export const spaceRoles = ['space-admin', 'policy-author', 'operator', 'reviewer'] as const;
export type SpaceRole = (typeof spaceRoles)[number];

/** By the one table of permissions: may someone with this role do it to what belongs to the space? */
export function mayInSpace(role: SpaceRole, permission: Permission): boolean {
  const { isInSpaces, roles } = ruleOf(permission);
  return isInSpaces === true && (role === 'space-admin' || roles.includes(role));
}

/** Of the people of a space, those who can accept a change of it next to administrators. */
export const administratorsAmong = <Id extends string>(members: readonly { userId: Id; role: SpaceRole }[]): Id[] =>
  members.filter(({ role }) => mayInSpace(role, 'change-space')).map(({ userId }) => userId);

/** Does the second role let someone do more in the space than the first, apart from looking? Null is no role. */
export const givesMoreInSpace = (before: SpaceRole | null, after: SpaceRole | null): boolean =>
  after !== null &&
  permissions.some(
    (permission) =>
      mayInSpace(after, permission) &&
      !mayInSpace('reviewer', permission) &&
      (before === null || !mayInSpace(before, permission)),
  );
