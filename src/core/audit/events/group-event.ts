import type { GroupId, UserId } from '#protocol/model/id';

/** What happened to a group and to its members. */
export type GroupEvent =
  | { type: 'group.added' | 'group.deleted'; group: GroupId }
  | { type: 'group.changed'; group: GroupId; changed: ('name' | 'description')[] }
  /** The actor, an identity provider, has made this group, or calls it by another name. */
  | { type: 'group.provisioned'; group: GroupId }
  | { type: 'group.members-changed'; group: GroupId; added: UserId[]; removed: UserId[] }
  /** Its members are to be confirmed every so many days, by these people first; null: not any more. */
  | { type: 'group.confirmation-set'; group: GroupId; days: number | null; owners: UserId[] }
  /** The owners are warned: so many members leave at this time unless someone confirms them. */
  | { type: 'group.confirmation-due'; group: GroupId; members: number; lapsesAt: number }
  /** The actor has confirmed these members; `digest` is that of the list that was shown. */
  | { type: 'group.confirmed'; group: GroupId; members: UserId[]; digest: string }
  /** No one confirmed them in time; the entries of the members who left are before this one. */
  | { type: 'group.lapsed'; group: GroupId; members: number };
