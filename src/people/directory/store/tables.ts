import type { PairAnswer } from '../../accounts/contract.ts';
import type { SpaceRole } from '../../roles/contract.ts';
import { type RowDigests, rowDigest } from '#audit/entries/rules/evidence';
import { noRow } from '#audit/verify/rules';
import type { GroupId, RoleId, ServerId, SpaceId, UserId } from '#platform/model/id';
import type { GroupConfirmation } from '../../groups/contract.ts';
import type { Role } from '../contract/permission.ts';
import type { StoredLink } from '../../users/store/access.ts';
import type { GroupRecord, ProvisionedGroup, ProvisionedUser, RoleRecord, UserRecord } from './directory-record.ts';
import {
  bigint,
  boolean,
  bytes,
  defineTable,
  json,
  later,
  named,
  text,
  texts,
  time,
  uncovered,
} from '#platform/database/sql';
import type { Prisma } from '#platform/database/generated/prisma/client';

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
  /** Their identity at the provider that added them. */
  identity?: NewIdentity;
  /** Their names at the provider that provisions them. */
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
  /** Answers from then on about this account and others with a lesser id. */
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
  /** The new names of this person at the provider that provisions them. */
  | { type: 'provisioned-user'; id: UserId; provisioned: ProvisionedUser }
  | { type: 'new-group'; group: Pick<GroupRecord, 'id' | 'name' | 'description'> }
  /** A provider has made this group, and this is what it calls it. */
  | { type: 'provisioned-group'; id: GroupId; provisioned: ProvisionedGroup }
  /** Null: an administrator has adopted the group, so that it counts. Else it counts for nothing from then on. */
  | { type: 'group-adoption'; id: GroupId; unadoptedSince: number | null }
  | { type: 'group'; id: GroupId; set: { name?: string; description?: string } }
  /** The new people who confirm the members, and the state of the confirmation. */
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
  /** The new permissions of the role. */
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

/** Digests for the log of the rows that are gone after this. */
export function goneBy(change: DirectoryWrite): RowDigests {
  if (change.type === 'deleted-group') return { [change.id]: noRow, [provisionedId(change.id)]: noRow };
  return change.type === 'removed-role' ? { [change.id]: noRow } : {};
}

// Prisma reads and writes these rows whole; the digests follow from here.

/** When a credential was last used, which decides nothing. */
const lastUsedAt = uncovered('no entry records each use', time<number | null>());

export const userTable = defineTable('app_user', {
  id: text(),
  email: text(),
  name: text(),
  role: text(),
  passwordHash: text<string | null>(),
  createdAt: time(),
  disabledAt: time<number | null>(),
  managerId: text<string | null>(),
  subjects: texts(),
  mayBreakGlass: boolean(),
  chatMember: named('slack_id', text<string | null>()),
  passwordIssuerId: text<string | null>(),
  chatIssuerId: named('slack_issuer_id', text<string | null>()),
  sharesPower: boolean(),
  epoch: uncovered('it only counts changes, for those who keep the row in memory', bigint()),
  decidedPairs: later(json<unknown>()),
  verifiedAddresses: later(json<unknown>()),
  vouchedAddresses: later(json<unknown>()),
});

export const serverTable = defineTable('server', {
  id: text(),
  name: text(),
  createdAt: time(),
  ownerId: text<string | null>(),
  spaceId: later(text<string | null>()),
});

const customRoleTable = defineTable('custom_role', {
  id: text(),
  name: text(),
  permissions: texts(),
  createdAt: time(),
});

export const scimTokenTable = defineTable('scim_token', {
  kid: text(),
  provider: text(),
  issuer: text(),
  hash: bytes(),
  createdAt: time(),
  revokedAt: time<number | null>(),
  lastUsedAt,
});

export const adminTokenTable = defineTable('admin_token', {
  kid: text(),
  name: text(),
  hash: bytes(),
  permissions: texts(),
  networks: texts(),
  makerId: text(),
  issuerId: text<string | null>(),
  createdAt: time(),
  expiresAt: time(),
  revokedAt: time<number | null>(),
  lastUsedAt,
});

export const workloadTable = defineTable('workload', {
  kid: text(),
  serverId: text(),
  issuer: text(),
  audience: text(),
  subject: text(),
  claims: json<object>(),
  makerId: text<string | null>(),
  createdAt: time(),
  removedAt: time<number | null>(),
  lastUsedAt,
});

export const provisionedUserTable = defineTable('provisioned_user', {
  userId: text(),
  issuer: text(),
  userName: text(),
  externalId: text<string | null>(),
  givenName: text<string | null>(),
  familyName: text<string | null>(),
  disabledAt: time<number | null>(),
  deletedAt: time<number | null>(),
});

export const provisionedGroupTable = defineTable('provisioned_group', {
  groupId: text(),
  issuer: text(),
  externalId: text<string | null>(),
  unadoptedSince: later(time<number | null>()),
});

export const delegationTable = defineTable('delegation', {
  id: text(),
  fromId: text(),
  toId: text(),
  startsAt: time(),
  endsAt: time(),
  policies: texts(),
  note: text(),
  createdAt: time(),
  revokedAt: time<number | null>(),
  issuerId: later(text<string | null>()),
});

/** A choice of rows; `all` takes every row. */
export interface DirectoryRows {
  users?: string[] | 'all';
  groups?: string[] | 'all';
  servers?: string[] | 'all';
  keys?: string[] | 'all';
  scimTokens?: string[] | 'all';
  spaces?: string[] | 'all';
  roles?: string[] | 'all';
  adminTokens?: string[] | 'all';
  workloads?: string[] | 'all';
}

type Reading = Pick<
  Prisma.TransactionClient,
  'user' | 'group' | 'server' | 'apiKey' | 'scimToken' | 'space' | 'customRole' | 'adminToken' | 'workload'
>;

/** Id in the log for the provider's names of a person or a group that it provisions. */
export const provisionedId = (id: string): string => `scim_${id}`;

/**
 * The digests of these rows as this transaction sees them; the digest of a group or a space covers its members. With people and groups go
 * the rows of the provider that provisions them.
 */
export async function directoryDigests(tx: Reading, rows: DirectoryRows): Promise<RowDigests> {
  const users = rows.users ? await tx.user.findMany({ where: where(rows.users), include: { provisioned: true } }) : [];
  const include = { members: true, provisioned: true };
  const groups = rows.groups ? await tx.group.findMany({ where: where(rows.groups), include }) : [];
  const servers = rows.servers ? await tx.server.findMany({ where: where(rows.servers) }) : [];
  const keys = rows.keys ? await tx.apiKey.findMany({ where: whereKid(rows.keys) }) : [];
  const spaces = rows.spaces ? await tx.space.findMany({ where: where(rows.spaces), include: { members: true } }) : [];
  const roles = rows.roles ? await tx.customRole.findMany({ where: where(rows.roles) }) : [];
  const tokens = rows.scimTokens ? await tx.scimToken.findMany({ where: whereKid(rows.scimTokens) }) : [];
  const admin = rows.adminTokens ? await tx.adminToken.findMany({ where: whereKid(rows.adminTokens) }) : [];
  const workloads = rows.workloads ? await tx.workload.findMany({ where: whereKid(rows.workloads) }) : [];
  return Object.fromEntries([
    ...users.map((row) => [row.id, userTable.digest(row)]),
    ...users.flatMap(({ provisioned }) => (provisioned ? [provisionedUserDigest(provisioned)] : [])),
    ...groups.map((row) => [row.id, groupDigest(row)]),
    ...groups.flatMap(({ provisioned }) => (provisioned ? [provisionedGroupDigest(provisioned)] : [])),
    ...tokens.map((row) => [`scim_${row.kid}`, scimTokenTable.digest(row)]),
    ...servers.map((row) => [row.id, serverTable.digest(row)]),
    ...spaces.map((row) => [row.id, spaceDigest(row)]),
    ...roles.map((row) => [row.id, customRoleTable.digest(row)]),
    ...workloads.map((row) => [`workload_${row.kid}`, workloadTable.digest({ ...row, claims: row.claims as object })]),
    ...admin.map((row) => [`admin_${row.kid}`, adminTokenTable.digest(row)]),
    ...keys.map(({ kid, ...row }) => [`key_${kid}`, keyDigest(kid, row)]),
  ]) as RowDigests;
}

/** All by the index of the key: no statement reads a table without one. */
const where = (ids: string[] | 'all') => ({ id: ids === 'all' ? { gt: '' } : { in: ids } });
const whereKid = (kids: string[] | 'all') => ({ kid: kids === 'all' ? { gt: '' } : { in: kids } });

const provisionedUserDigest = (row: Prisma.ProvisionedUserGetPayload<object>): [string, string] => [
  provisionedId(row.userId),
  provisionedUserTable.digest(row),
];

const provisionedGroupDigest = (row: Prisma.ProvisionedGroupGetPayload<object>): [string, string] => [
  provisionedId(row.groupId),
  provisionedGroupTable.digest(row),
];

const groupDigest = ({ id, name, description, createdAt, members, spaceId, ...row }: GroupWithMembers): string =>
  rowDigest('app_group', [
    id,
    name,
    description,
    createdAt,
    members.map(({ userId }) => userId).sort(),
    ...inSpace(spaceId),
    ...confirmationOf(row),
  ]);

/** Entries from before members were confirmed cover rows without it. */
const confirmationOf = ({
  ownerIds,
  confirmDays,
  confirmedAt,
  lapsesAt,
}: Pick<GroupWithMembers, 'ownerIds' | 'confirmDays' | 'confirmedAt' | 'lapsesAt'>) =>
  confirmDays === null && ownerIds.length === 0 ? [] : [ownerIds, confirmDays, confirmedAt, lapsesAt];

/** Entries from before there were spaces cover rows without them. */
const inSpace = (spaceId: string | null): string[] => (spaceId === null ? [] : [spaceId]);

const spaceDigest = ({ id, name, createdAt, members }: Prisma.SpaceGetPayload<{ include: { members: true } }>) =>
  rowDigest('space', [id, name, createdAt, members.map(({ userId, role }) => `${userId} ${role}`).sort()]);

type GroupWithMembers = Prisma.GroupGetPayload<{ include: { members: true } }>;

/** Without the time of its last use, which no entry records. */
const keyDigest = (kid: string, row: Omit<Prisma.ApiKeyGetPayload<object>, 'kid'>): string =>
  rowDigest('api_key', [
    kid,
    row.serverId,
    row.hash,
    row.createdAt,
    row.revokedAt,
    row.makerId,
    row.expiresAt,
    row.tools,
    // Entries from before these columns existed cover rows without them.
    ...(row.networks.length > 0 || row.replacedBy !== null ? [row.networks, row.replacedBy] : []),
  ]);
