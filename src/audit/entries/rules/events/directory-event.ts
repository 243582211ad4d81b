import type { SpaceRole } from '#people/roles/contract/space-role';
import type { GroupId, RoleId, SpaceId, UserId } from '#platform/model/id';

/** What happened to groups and their members, to spaces, and to the roles that the installation has made. */
export type DirectoryEvent =
  | { type: 'group.added' | 'group.deleted'; group: GroupId }
  | { type: 'group.changed'; group: GroupId; changed: ('name' | 'description')[] }
  /** The actor, an identity provider, has made this group, or calls it by another name. */
  | { type: 'group.provisioned'; group: GroupId }
  /** An administrator has adopted the group that a provider made, so that it counts in policies; or it counts for nothing again. */
  | { type: 'group.adopted' | 'group.adoption-ended'; group: GroupId }
  | { type: 'group.members-changed'; group: GroupId; added: UserId[]; removed: UserId[] }
  /** Its members are to be confirmed every so many days, by these people first; null: not any more. */
  | { type: 'group.confirmation-set'; group: GroupId; days: number | null; owners: UserId[] }
  /** The owners are warned: so many members leave at this time unless someone confirms them. */
  | { type: 'group.confirmation-due'; group: GroupId; members: number; lapsesAt: number }
  /** The actor has confirmed these members; `digest` is that of the list that was shown. */
  | { type: 'group.confirmed'; group: GroupId; members: UserId[]; digest: string }
  /** No one confirmed them in time; the entries of the members who left are before this one. */
  | { type: 'group.lapsed'; group: GroupId; members: number }
  | { type: 'space.added'; space: SpaceId; name: string }
  /** Null: they have no role there any more. */
  | { type: 'space.member-changed'; space: SpaceId; user: UserId; role: SpaceRole | null }
  /** Null is global. */
  | { type: 'group.moved'; group: GroupId; space: SpaceId | null }
  /** `permissions` are those from then on. */
  | { type: 'role.added'; role: RoleId; name: string; permissions: readonly string[] }
  | { type: 'role.changed'; role: RoleId; name: string; before: readonly string[]; permissions: readonly string[] }
  | { type: 'role.removed'; role: RoleId; name: string };
