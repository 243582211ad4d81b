import type { RoleId } from '#protocol/model/id';

/** What happened to a role that the installation has made. `permissions` are those from then on. */
export type RoleEvent =
  | { type: 'role.added'; role: RoleId; name: string; permissions: readonly string[] }
  | { type: 'role.changed'; role: RoleId; name: string; before: readonly string[]; permissions: readonly string[] }
  | { type: 'role.removed'; role: RoleId; name: string };
