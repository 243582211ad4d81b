import type { GroupId, ServerId, UserId } from '../../model/id.ts';
import type { Role } from '../../model/user.ts';

export interface UserRecord {
  id: UserId;
  email: string;
  name: string;
  role: Role;
  managerId: UserId | null;
  /** The names by which MCP clients know this person, in addition to the address. */
  subjects: string[];
  mayBreakGlass: boolean;
  /** The member of a chat they are. */
  chatMember: string | null;
  /** False until they set a password with their first link. */
  hasPassword: boolean;
  /** Can they sign in at an identity provider? */
  hasProvider: boolean;
  /** Is or was an administrator, unless the operator revoked that. */
  sharesPower: boolean;
  disabledAt: number | null;
  createdAt: number;
}

export interface GroupRecord {
  id: GroupId;
  name: string;
  description: string;
  members: UserId[];
}

export interface ServerRecord {
  id: ServerId;
  name: string;
  ownerId: UserId | null;
}

/** Everyone, in the order of names. It is shared, and never changes. */
export interface DirectoryRecord {
  readonly users: readonly Readonly<UserRecord>[];
  readonly groups: readonly Readonly<GroupRecord>[];
  readonly servers: readonly Readonly<ServerRecord>[];
}
