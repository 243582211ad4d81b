import type { Prisma } from '#platform/database/generated/prisma/client';
import { rowDigest, type RowDigests } from '#audit/entries/rules/evidence';
import {
  adminTokenTable,
  customRoleTable,
  provisionedGroupTable,
  provisionedUserTable,
  scimTokenTable,
  serverTable,
  userTable,
  workloadTable,
} from './directory.ts';

/** Which rows; `all` takes every row. */
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

/** By this id the log names what an identity provider that provisions a person or a group calls them. */
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
