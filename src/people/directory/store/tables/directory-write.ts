import type { PairAnswer } from '../../../accounts/contract/account-pair.ts';
import type { SpaceRole } from '../../../roles/contract/space-role.ts';
import type { RowDigests } from '#audit/entries/rules/evidence';
import { noRow } from '#audit/verify/rules';
import type { GroupId, RoleId, ServerId, SpaceId, UserId } from '#platform/model/id';
import type { GroupConfirmation } from '../../../groups/contract/model-group-confirmation.ts';
import type { Role } from '../../contract/permission.ts';
import type { StoredLink } from '../../../users/store/access.ts';
import type {
  GroupRecord,
  ProvisionedGroup,
  ProvisionedUser,
  RoleRecord,
  UserRecord,
} from '../directory-record/directory-record.ts';
import { provisionedId } from './row-digests.ts';

export interface NewUser {
  id: UserId;
  email: string;
  name: string;
  role: Role;
  passwordHash: string | null;
  managerId?: UserId | null;
  groups?: GroupId[];
  /** The link with which they set their password. */
  link?: StoredLink;
  subjects?: string[];
  /** Who they are at the identity provider that added them. */
  identity?: NewIdentity;
  /** What the provider that provisions them calls them. */
  provisioned?: ProvisionedUser;
}

export interface NewIdentity {
  issuer: string;
  subject: string;
  /** The administrator for whom sign-ins with it count as well; null if none had a part in it. */
  linkedById: UserId | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}

export type UserSettings = Partial<
  Pick<
    UserRecord,
    'email' | 'name' | 'role' | 'managerId' | 'subjects' | 'mayBreakGlass' | 'chatMember' | 'sharesPower'
  >
> & {
  /** What is said from then on of this account and others with a lesser id. */
  decidedPairs?: Record<UserId, PairAnswer>;
  verifiedAddresses?: readonly string[];
  vouchedAddresses?: readonly string[];
  /** Null enables again. Disabling ends the person's sessions, links, devices and credentials for servers. */
  disabledAt?: number | null;
  /** The administrator who said which member of a chat they are; null for the operator. */
  chatIssuerId?: UserId | null;
};

export type DirectoryWrite =
  | { type: 'new-user'; user: NewUser }
  | { type: 'user'; id: UserId; set: UserSettings }
  /** Ends the person's sessions and every earlier link. */
  | { type: 'password-link'; id: UserId; at: number; link: StoredLink }
  /** What the provider that provisions this person calls them from then on. */
  | { type: 'provisioned-user'; id: UserId; provisioned: ProvisionedUser }
  | { type: 'new-group'; group: Pick<GroupRecord, 'id' | 'name' | 'description'> }
  /** A provider has made this group, and this is what it calls it. */
  | { type: 'provisioned-group'; id: GroupId; provisioned: ProvisionedGroup }
  /** Null: an administrator has adopted the group, so that it counts. Else it counts for nothing from then on. */
  | { type: 'group-adoption'; id: GroupId; unadoptedSince: number | null }
  | { type: 'group'; id: GroupId; set: { name?: string; description?: string } }
  /** Who confirms the members from then on, and how it stands. */
  | { type: 'group-confirmation'; id: GroupId; owners: UserId[]; confirmation: GroupConfirmation | null }
  /** `source` is the identity provider whose claim says so; only members by it are removed then. */
  | { type: 'members'; id: GroupId; add: UserId[]; remove: UserId[]; source?: string }
  /** `subjects` are all names of the person at MCP clients from then on: the identity is one of them. */
  | { type: 'identity'; id: UserId; add: NewIdentity; subjects: string[] }
  /** Ends the sessions that were started with it. */
  | { type: 'removed-identity'; id: UserId; identity: Pick<NewIdentity, 'issuer' | 'subject'> }
  | { type: 'deleted-group'; id: GroupId }
  | { type: 'new-server'; server: { id: ServerId; name: string } }
  | { type: 'owner'; server: ServerId; ownerId: UserId | null }
  | { type: 'new-space'; space: { id: SpaceId; name: string; createdAt: number } }
  /** Null ends what they were there. */
  | { type: 'space-member'; id: SpaceId; user: UserId; role: SpaceRole | null }
  /** Null makes it global. */
  | { type: 'server-space'; server: ServerId; spaceId: SpaceId | null }
  | { type: 'group-space'; id: GroupId; spaceId: SpaceId | null }
  | { type: 'new-role'; role: RoleRecord & { createdAt: number } }
  /** What everyone with the role may do from then on. */
  | { type: 'role'; id: RoleId; permissions: readonly string[] }
  | { type: 'removed-role'; id: RoleId };

export interface WrittenRows {
  users?: string[];
  groups?: string[];
  servers?: string[];
  spaces?: string[];
  roles?: string[];
}

/** The rows that are there after this, for their digests. */
export function writtenBy(change: DirectoryWrite): WrittenRows {
  switch (change.type) {
    case 'new-user':
      return { users: [change.user.id], groups: change.user.groups ?? [] };
    case 'user':
    case 'identity':
    case 'provisioned-user':
    case 'removed-identity':
      return { users: [change.id] };
    case 'password-link':
    case 'deleted-group':
    case 'removed-role':
      return {};
    case 'new-group':
      return { groups: [change.group.id] };
    case 'group':
    case 'group-adoption':
    case 'group-confirmation':
    case 'group-space':
    case 'provisioned-group':
    case 'members':
      return { groups: [change.id] };
    case 'new-server':
      return { servers: [change.server.id] };
    case 'owner':
    case 'server-space':
      return { servers: [change.server] };
    case 'new-space':
      return { spaces: [change.space.id] };
    case 'space-member':
      return { spaces: [change.id] };
    case 'new-role':
      return { roles: [change.role.id] };
    case 'role':
      return { roles: [change.id] };
  }
}

/** What the log says of the rows that are gone after this. */
export function goneBy(change: DirectoryWrite): RowDigests {
  if (change.type === 'deleted-group') return { [change.id]: noRow, [provisionedId(change.id)]: noRow };
  return change.type === 'removed-role' ? { [change.id]: noRow } : {};
}
