import type { RefusalCode } from './refusal.ts';
import type { Role } from './user.ts';

/** What people may do by their role. Policies, groups and ownership add what is about one request or one server. */
export const permissions = [
  /** Vote, and take part in the requests whose policy names them. */
  'decide',
  /** End and extend requests of other stages, and withdraw what no one can read. */
  'tend-requests',
  /** Find every request, read its content with a reason, and review overrides and what policies allowed. */
  'watch-requests',
  'read-log',
  /** People, groups, and who owns a server. */
  'change-directory',
  'read-tools',
  'change-keys',
  'change-webhooks',
  'stop-calls',
  'write-policies',
  'publish-policies',
  'hold-content',
] as const;
export type Permission = (typeof permissions)[number];

/** The one table of who may do what. */
export const rolePermissions: Record<Role, readonly Permission[]> = {
  admin: permissions,
  'policy-author': ['write-policies', 'read-tools'],
  operator: ['read-tools', 'change-keys', 'change-webhooks', 'stop-calls'],
  approver: ['decide'],
  reviewer: ['watch-requests', 'read-log'],
};

export const may = (role: Role, permission: Permission): boolean => rolePermissions[role].includes(permission);

/** Does the second role let someone do more than the first, apart from looking? */
export const givesMore = (before: Role, after: Role): boolean =>
  rolePermissions[after].some((permission) => !may(before, permission) && !may('reviewer', permission));

/** Why someone without it may not: each says who can. */
export const refusalWithout: Record<Permission, RefusalCode> = {
  decide: 'approvers-decide',
  'tend-requests': 'administrators-only',
  'watch-requests': 'reviewers-judge',
  'read-log': 'reviewers-read-log',
  'change-directory': 'administrators-only',
  'read-tools': 'authors-and-operators-only',
  'change-keys': 'operators-only',
  'change-webhooks': 'operators-only',
  'stop-calls': 'operators-only',
  'write-policies': 'authors-change-policies',
  'publish-policies': 'administrators-publish',
  'hold-content': 'administrators-only',
};
