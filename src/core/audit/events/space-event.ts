import type { SpaceRole } from '#protocol/model/roles/space-role';
import type { GroupId, SpaceId, UserId } from '#protocol/model/id';

/** What happened to a space: its people and its groups. */
export type SpaceEvent =
  | { type: 'space.added'; space: SpaceId; name: string }
  /** Null: they have no role there any more. */
  | { type: 'space.member-changed'; space: SpaceId; user: UserId; role: SpaceRole | null }
  /** Null is global. */
  | { type: 'group.moved'; group: GroupId; space: SpaceId | null };
