import type { PairAnswer } from '../../accounts/contract.ts';
import type { SpaceRole } from '../../roles/contract.ts';
import type { GroupId, RoleId, ServerId, SpaceId, UserId } from '#platform/model/id';
import type { GroupConfirmation } from '../../groups/contract.ts';
import { type RoleHolder, isBuiltInRole } from '../contract/permission.ts';
import type { User } from '../contract/user.ts';
import type { Prisma } from '#platform/database/generated/prisma/client';

/** Names of a person at the identity provider that provisions them. */
export interface ProvisionedUser {
  issuer: string;
  userName: string;
  externalId: string | null;
  givenName: string | null;
  familyName: string | null;
  /** When the provider disabled this person: it enables only whom it has disabled itself. */
  disabledAt: number | null;
  /** Set if the provider has deleted the person: to it they are absent. */
  deletedAt: number | null;
}

/** The identity provider that has made a group. */
export interface ProvisionedGroup {
  issuer: string;
  externalId: string | null;
  /** Since then it waits for an administrator to adopt it, and counts for nothing; null once it counts. */
  unadoptedSince: number | null;
}

export interface UserRecord extends RoleHolder {
  id: UserId;
  email: string;
  name: string;
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
  /** Their identities at providers. */
  identities: { issuer: string; subject: string; scimClaim: string | null }[];
  /** Null if no provider has provisioned them. */
  provisioned: ProvisionedUser | null;
  /** Is or was an administrator, unless the operator revoked that. */
  sharesPower: boolean;
  disabledAt: number | null;
  /** Administrators' answers about this account and others with a lesser id. */
  decidedPairs: Readonly<Record<UserId, PairAnswer>> | null;
  /** Other addresses than `email` that identity providers have verified at their sign-ins; null for none. A hint that counts for nothing. */
  verifiedAddresses: readonly string[] | null;
  /** Addresses among `verifiedAddresses` whose provider may speak for their domain: another account with one counts as theirs. */
  vouchedAddresses: readonly string[] | null;
  createdAt: number;
}

export interface GroupRecord {
  id: GroupId;
  name: string;
  description: string;
  members: UserId[];
  /** The issuer of the provider by which someone is a member, if it was no administrator. */
  sources: Record<UserId, string>;
  /** Null if no provider has made it. */
  provisioned: ProvisionedGroup | null;
  /** Null if it is global. */
  spaceId: SpaceId | null;
  /** People who confirm its members first; without any, administrators do. */
  owners: UserId[];
  /** Null if no one needs to confirm its members. */
  confirmation: GroupConfirmation | null;
}

/** Does it count in policies? What a provider makes is a claim until an administrator has adopted it. */
export const isAdopted = ({ provisioned }: Pick<GroupRecord, 'provisioned'>): boolean =>
  provisioned === null || provisioned.unadoptedSince === null;

/** A group that was just made. */
export const newGroupRecord = (group: Pick<GroupRecord, 'id' | 'name' | 'description'>): GroupRecord => ({
  ...group,
  members: [],
  sources: {},
  provisioned: null,
  spaceId: null,
  owners: [],
  confirmation: null,
});

export interface ServerRecord {
  id: ServerId;
  name: string;
  ownerId: UserId | null;
  /** Null if it is global. */
  spaceId: SpaceId | null;
}

export interface SpaceRecord {
  id: SpaceId;
  name: string;
  members: { userId: UserId; role: SpaceRole }[];
}

/** A role that the installation has made. */
export interface RoleRecord {
  id: RoleId;
  /** The name in policies and the log; it never changes. */
  name: string;
  permissions: readonly string[];
}

/** Everyone, in the order of names. It is shared, and never changes. */
export interface DirectoryRecord {
  readonly users: readonly Readonly<UserRecord>[];
  readonly groups: readonly Readonly<GroupRecord>[];
  readonly servers: readonly Readonly<ServerRecord>[];
  readonly spaces: readonly Readonly<SpaceRecord>[];
  /** Custom roles; the permissions of people with one of them are with the people as well. */
  readonly roles: readonly Readonly<RoleRecord>[];
}

export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
  /** Its permissions if the installation has made it. */
  permissions?: readonly string[] | null;
  credentialIssuer?: string | null;
}

export const toUser = ({ id, email, name, role, permissions, credentialIssuer }: UserRow): User => ({
  kind: 'user',
  id: id as UserId,
  email,
  name,
  role,
  ...(permissions && { permissions }),
  ...(credentialIssuer && { credentialIssuer: credentialIssuer as UserId }),
});

type Reading = Pick<Prisma.TransactionClient, 'customRole'>;

/** Completes rows that were read without the permissions of their roles. */
export async function readUsers({ customRole }: Reading, rows: readonly UserRow[]): Promise<User[]> {
  const names = [...new Set(rows.map(({ role }) => role).filter((role) => !isBuiltInRole(role)))];
  const custom = names.length > 0 ? await customRole.findMany({ where: { name: { in: names } } }) : [];
  const permissions = new Map(custom.map((role) => [role.name, role.permissions]));
  return rows.map((row) => toUser({ ...row, permissions: permissions.get(row.role) ?? null }));
}

export async function readUser(reading: Reading, row: UserRow): Promise<User> {
  const [user] = await readUsers(reading, [row]);
  return user ?? toUser(row);
}

/** Prisma needs bytes with a separate ArrayBuffer. */
export const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
