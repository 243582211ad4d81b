import type { RefusalCode } from '#requests/inbox/contract/refusal';
import { formatUnknown, nearestName } from '#platform/text/nearest-name';

/** The table of permissions says what each may do. */
export const builtInRoles = ['admin', 'policy-author', 'operator', 'approver', 'reviewer'] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

/** A built-in role, or the name of one that the installation has made. */
export type Role = BuiltInRole | (string & {});

export const isBuiltInRole = (role: string): role is BuiltInRole => builtInRoles.some((name) => name === role);

/** Advice on an unknown role. Roles of the installation's own are not listed: the reader may not see them. */
export const formatUnknownRole = (role: string, names: readonly string[]): string =>
  nearestName(role, names) === null
    ? `Use ${builtInRoles.join(', ')}, or a role under Settings → Roles: there is no role ${role}.`
    : formatUnknown('role', role, names);

/** The source of someone's permissions: their role, and its permissions if the installation has made it. */
export interface RoleHolder {
  role: Role;
  /** Absent for a built-in role. A role of the installation without them permits nothing. */
  permissions?: readonly string[] | undefined;
}

interface Rule {
  /** Roles with this permission besides administrators, who have all. */
  roles: readonly BuiltInRole[];
  /**
   * Set if people can have it in a space alone, for its servers, groups and policies: the space's administrators, and those
   * who have the role there of the name that has it everywhere.
   */
  isInSpaces?: true;
  /** Why someone without it may not: it says who can. */
  refusal: RefusalCode;
  /** May a program have it by a token? A program never decides, and reads no request. */
  isForTokens?: true;
  /** A token that has this one has it as well. */
  partOf?: 'change-directory';
  /** Set if no role of an installation can have it: who decides about everyone's role is an administrator. */
  isForAdministrators?: true;
}

/**
 * The one table of what people may do by their role, everywhere or in a space. Policies, groups and ownership add what is
 * about one request or one server.
 */
const table = {
  /** Vote, and take part in the requests whose policy names them. */
  decide: { roles: ['approver'], refusal: 'approvers-decide' },
  /** End and extend requests of other stages, take back approvals of others, end their delegations, and withdraw what no one can read. */
  'tend-requests': { roles: [], refusal: 'administrators-only' },
  /** Find every request, read its content with a reason, and review overrides and what policies allowed. */
  'watch-requests': { roles: ['reviewer'], isInSpaces: true, refusal: 'reviewers-judge' },
  'read-log': { roles: ['reviewer'], isInSpaces: true, refusal: 'reviewers-read-log' },
  /** People, groups, and who owns a server. */
  'change-directory': { roles: [], refusal: 'administrators-only', isForTokens: true, isForAdministrators: true },
  /** Members of a space's own groups, and who has which role in it. */
  'change-space': {
    roles: [],
    isInSpaces: true,
    refusal: 'administrators-only',
    partOf: 'change-directory',
    isForAdministrators: true,
  },
  'read-tools': { roles: ['policy-author', 'operator'], isInSpaces: true, refusal: 'authors-and-operators-only' },
  'change-keys': { roles: ['operator'], isInSpaces: true, refusal: 'operators-only', isForTokens: true },
  'change-webhooks': { roles: ['operator'], refusal: 'operators-only', isForTokens: true },
  'stop-calls': { roles: ['operator'], isInSpaces: true, refusal: 'operators-only' },
  'write-policies': {
    roles: ['policy-author'],
    isInSpaces: true,
    refusal: 'authors-change-policies',
    isForTokens: true,
  },
  'publish-policies': { roles: [], isInSpaces: true, refusal: 'administrators-publish', isForTokens: true },
  'hold-content': { roles: [], refusal: 'administrators-only' },
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof table;

export const permissions = Object.keys(table) as Permission[];

/** The permissions that a token can have. */
export type TokenPermission = {
  [P in Permission]: (typeof table)[P] extends { isForTokens: true } ? P : never;
}[Permission];

export const isForTokens = (permission: Permission): permission is TokenPermission =>
  (table[permission] as Rule).isForTokens ?? false;

/** Has a token with these permissions this one? */
export const isGranted = (granted: readonly Permission[], permission: Permission): boolean => {
  const { partOf }: Rule = table[permission];
  return granted.includes(permission) || (partOf !== undefined && granted.includes(partOf));
};

export const tokenPermissions = permissions.filter(isForTokens);

/** May someone with this role do it? */
export const may = (holder: RoleHolder | BuiltInRole, permission: Permission): boolean => {
  const { role, permissions: own = [] } = typeof holder === 'string' ? { role: holder } : holder;
  if (isBuiltInRole(role)) return isAdministrator({ role }) || (table[permission] as Rule).roles.includes(role);
  return !(table[permission] as Rule).isForAdministrators && own.includes(permission);
};

/** Only administrators accept what gives power; of a space, its own do so as well. No other role has this. */
export const isAdministrator = ({ role }: RoleHolder): boolean => role === 'admin';

/** The role of this name, with what it permits if the installation has made it. */
export const holderOf = (
  role: Role,
  custom: readonly { name: string; permissions: readonly string[] }[],
): RoleHolder => {
  const own = isBuiltInRole(role) ? undefined : custom.find(({ name }) => name === role)?.permissions;
  return { role, ...(own && { permissions: own }) };
};

/** All permissions of this role. */
export const permissionsOf = (holder: RoleHolder | BuiltInRole): Permission[] =>
  permissions.filter((permission) => may(holder, permission));

/** The row of the table, for roles that people have in a space. */
export const ruleOf = (permission: Permission): Rule => table[permission];

/** The built-in roles that have it. */
export const rolesWith = (permission: Permission): BuiltInRole[] =>
  builtInRoles.filter((role) => may(role, permission));

/** Does the second role let someone do more than the first, apart from looking, as reviewers may? */
export const givesMore = (before: RoleHolder | BuiltInRole, after: RoleHolder | BuiltInRole): boolean =>
  permissions.some((permission) => may(after, permission) && !may(before, permission) && !may('reviewer', permission));

export const refusalWithout = (permission: Permission): RefusalCode => table[permission].refusal;
