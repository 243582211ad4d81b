import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowDigests, SealedEntry } from '#audit/entries/rules/evidence';
import type { UserId } from '#platform/model/id';
import { removeWhere } from '#connect/credentials/store';
import { holdVotes } from '#platform/database/epochs';
import { type InCommit, batch } from '#platform/database/database';
import { locks } from '#platform/database/sql';
import { queryIn, type Query } from '#platform/database/connection';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { endAccess, endLinks, lockUser, mailLink, newLink } from '../../users/store/access.ts';
import type {
  DirectoryRecord,
  ProvisionedUser,
  GroupRecord,
  RoleRecord,
  ServerRecord,
  SpaceRecord,
  UserRecord,
} from './directory-record.ts';
import {
  goneBy,
  writtenBy,
  type DirectoryWrite,
  type NewIdentity,
  type NewUser,
  type UserSettings,
  type WrittenRows,
  directoryDigests,
  provisionedId,
} from './tables.ts';
import { Problem } from '#platform/model/problem';
import { holderOf, isBuiltInRole } from '../contract/permission.ts';

interface DirectoryChange {
  write: DirectoryWrite;
  entry: AuditEntry;
}

/** People, groups, spaces and the owners of servers, as policies see them. */
export function createDirectory({ prisma, query, evidence }: Ledger) {
  const reader = createDirectoryReader(query);
  return {
    /** As of the last commit before the call. Only who has changed since the last look is read again. */
    read: reader.read,
    /**
     * Decides on the current directory, and stores the changes, each with its audit entry, in one commit; none changes
     * nothing. What a change was decided on is still true when it commits, because one waits for the other. `also` commits
     * with them.
     */
    change: (
      decide: (directory: DirectoryRecord) => DirectoryChange | readonly DirectoryChange[] | null,
      also?: InCommit,
    ) =>
      prisma.$transaction(async (tx) => {
        await takeTurn(tx);
        const changes = [decide(await reader.readIn(queryIn(tx))) ?? []].flat();
        if (changes.some(({ write }) => write.type !== 'new-user')) await holdVotes(tx);
        await also?.(tx);
        for (const writes of together(changes)) await write(tx, writes);
        const digests = await leftBy(tx, changes);
        await insertAll(
          tx,
          changes.map(({ write, entry }) => evidence.seal(entry, digestsOf(digests, write))),
        );
      }),
    /** For a change of something else: checks the directory on which it was decided, which does not change meanwhile. */
    guard:
      (check: (directory: DirectoryRecord) => void): InCommit =>
      async (tx) => {
        await takeTurn(tx);
        check(await reader.readIn(queryIn(tx)));
      },
  };
}

/** Waits for its turn: no other change of the directory is decided until this transaction ends. */
export const takeTurn = (tx: Prisma.TransactionClient): Promise<unknown> =>
  tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.directory})`;

/** New people who follow each other are written together: a whole company may come at once. */
function together(changes: readonly DirectoryChange[]): (NewUser[] | OtherWrite)[] {
  const writes: (NewUser[] | OtherWrite)[] = [];
  for (const { write } of changes) {
    const last = writes.at(-1);
    if (write.type !== 'new-user') writes.push(write);
    else if (Array.isArray(last)) last.push(write.user);
    else writes.push([write.user]);
  }
  return writes;
}

/** Digests of the written rows for the log, as the commit leaves them. */
async function leftBy(tx: Prisma.TransactionClient, changes: readonly DirectoryChange[]): Promise<RowDigests> {
  const written = changes.map(({ write }) => writtenBy(write));
  const unique = (key: keyof WrittenRows) => ({
    [key]: [...new Set(written.flatMap((rows) => rows[key] ?? []))],
  });
  return directoryDigests(tx, {
    ...unique('users'),
    ...unique('groups'),
    ...unique('servers'),
    ...unique('spaces'),
    ...unique('roles'),
  });
}

/** The digests of the rows that this writes. */
function digestsOf(digests: RowDigests, change: DirectoryWrite): RowDigests {
  const { users = [], groups = [], servers = [], spaces = [], roles = [] } = writtenBy(change);
  const ids = [...users, ...groups, ...servers, ...spaces, ...roles].flatMap((id) => [id, provisionedId(id)]);
  const left = ids.flatMap((id) => (digests[id] === undefined ? [] : [[id, digests[id]]]));
  return { ...(Object.fromEntries(left) as RowDigests), ...goneBy(change) };
}

type OtherWrite = Exclude<DirectoryWrite, { type: 'new-user' }>;

async function write(tx: Prisma.TransactionClient, change: NewUser[] | OtherWrite): Promise<void> {
  if (Array.isArray(change)) return addUsers(tx, change);
  switch (change.type) {
    case 'password-link':
      await lockUser(tx, change.id);
      await endAccess(tx, change.id, new Date(change.at));
      await tx.link.create({ data: { ...newLink(change.link), userId: change.id } });
      return mailLink(tx, change.id, change.link);
    case 'user':
      return setUser(tx, change.id, change.set);
    case 'new-group':
      return void (await tx.group.create({ data: change.group }));
    case 'group':
      return void (await tx.group.update({ where: { id: change.id }, data: change.set }));
    case 'group-confirmation':
      return void (await tx.group.update({ where: { id: change.id }, data: confirmationData(change) }));
    case 'members': {
      const groupId = change.id;
      const { source } = change;
      await tx.groupMember.deleteMany({ where: { groupId, userId: { in: change.remove }, ...(source && { source }) } });
      const data = change.add.map((userId) => ({ groupId, userId, source: source ?? null }));
      return void (await tx.groupMember.createMany({ data }));
    }
    case 'identity':
      await tx.federatedIdentity.create({ data: { ...newIdentity(change.add), userId: change.id } });
      return void (await tx.user.update({ where: { id: change.id }, data: { subjects: change.subjects } }));
    case 'removed-identity': {
      const { issuer, subject } = change.identity;
      await lockUser(tx, change.id);
      await tx.federatedIdentity.deleteMany({ where: { issuer, subject, userId: change.id } });
      await tx.session.deleteMany({ where: { providerIssuer: issuer, providerSubject: subject } });
      return readAgain(tx, change.id);
    }
    case 'provisioned-user': {
      const data = provisionedUser(change.provisioned);
      const where = { userId: change.id };
      await tx.provisionedUser.upsert({ where, create: { ...where, ...data }, update: data });
      return readAgain(tx, change.id);
    }
    case 'provisioned-group': {
      const where = { groupId: change.id };
      const data = { ...change.provisioned, unadoptedSince: dateOf(change.provisioned.unadoptedSince) };
      return void (await tx.provisionedGroup.upsert({ where, create: { ...where, ...data }, update: data }));
    }
    case 'group-adoption': {
      const data = { unadoptedSince: dateOf(change.unadoptedSince) };
      return void (await tx.provisionedGroup.update({ where: { groupId: change.id }, data }));
    }
    case 'deleted-group':
      return void (await tx.group.delete({ where: { id: change.id } }));
    case 'new-server':
      return void (await tx.server.create({ data: change.server }));
    case 'owner':
      return void (await tx.server.update({ where: { id: change.server }, data: { ownerId: change.ownerId } }));
    case 'new-space':
      return void (await tx.space.create({
        data: { ...change.space, createdAt: new Date(change.space.createdAt) },
      }));
    case 'space-member':
      return setSpaceMember(tx, change);
    case 'server-space':
      return void (await tx.server.update({ where: { id: change.server }, data: { spaceId: change.spaceId } }));
    case 'group-space':
      return void (await tx.group.update({ where: { id: change.id }, data: { spaceId: change.spaceId } }));
    case 'new-role':
    case 'role':
    case 'removed-role':
      return writeRole(tx, change);
  }
}

type RoleWrite = Extract<DirectoryWrite, { type: 'new-role' | 'role' | 'removed-role' }>;

async function writeRole(tx: Prisma.TransactionClient, change: RoleWrite): Promise<void> {
  if (change.type === 'removed-role') return void (await tx.customRole.delete({ where: { id: change.id } }));
  if (change.type === 'role')
    return void (await tx.customRole.update({
      where: { id: change.id },
      data: { permissions: [...change.permissions] },
    }));
  const { permissions, createdAt, ...row } = change.role;
  await tx.customRole.create({ data: { ...row, permissions: [...permissions], createdAt: new Date(createdAt) } });
}

const confirmationData = ({ owners, confirmation }: Extract<DirectoryWrite, { type: 'group-confirmation' }>) => ({
  ownerIds: owners,
  confirmDays: confirmation?.days ?? null,
  confirmedAt: confirmation && new Date(confirmation.confirmedAt),
  lapsesAt: confirmation?.lapsesAt ? new Date(confirmation.lapsesAt) : null,
});

async function setSpaceMember(
  tx: Prisma.TransactionClient,
  { id: spaceId, user: userId, role }: Extract<DirectoryWrite, { type: 'space-member' }>,
): Promise<void> {
  if (role === null) return void (await tx.spaceMember.deleteMany({ where: { spaceId, userId } }));
  const key = { spaceId, userId };
  await tx.spaceMember.upsert({ where: { spaceId_userId: key }, create: { ...key, role }, update: { role } });
}

/** The directory in memory reads a person again only if their row was written. */
async function readAgain(tx: Prisma.TransactionClient, id: UserId): Promise<void> {
  await tx.$executeRaw`UPDATE app_user SET email = email WHERE id = ${id}`;
}

async function setUser(tx: Prisma.TransactionClient, id: UserId, { disabledAt, ...set }: UserSettings) {
  const at = typeof disabledAt === 'number' ? new Date(disabledAt) : disabledAt;
  if (at || set.chatMember !== undefined) await showChatAgain(tx, id);
  await tx.user.update({ where: { id }, data: { ...set, ...(at !== undefined && { disabledAt: at }) } });
  // A link that was asked for one address must not go to the next.
  if (set.email !== undefined) await endLinks(tx, id, new Date());
  if (!at) return;
  await endAccess(tx, id, at);
  await removeWhere(tx, Prisma.sql`user_id = ${id}`, at);
  await tx.savedView.deleteMany({ where: { userId: id, isShared: false } });
}

/** The chat messages of the person's former member of a chat are updated, because that member may no longer see them. */
const showChatAgain = (tx: Prisma.TransactionClient, id: UserId): Promise<unknown> =>
  tx.$executeRaw`
    UPDATE chat_message m SET shown = -1, due_at = to_timestamp(0)
      FROM elicitation e, app_user a
     WHERE a.id = ${id} AND m.target = a.slack_id AND m.ts IS NOT NULL AND e.id = m.elicitation_id AND e.status = 'open'`;

const newIdentity = ({ createdAt, ...identity }: NewIdentity) => ({ ...identity, createdAt: new Date(createdAt) });

const provisionedUser = ({ disabledAt, deletedAt, ...names }: ProvisionedUser) => ({
  ...names,
  disabledAt: dateOf(disabledAt),
  deletedAt: dateOf(deletedAt),
});

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at));

async function addUsers(tx: Prisma.TransactionClient, users: readonly NewUser[]): Promise<void> {
  const rows = users.map(({ groups: _groups, link: _link, identity: _identity, provisioned: _names, ...row }) => row);
  await tx.user.createMany({ data: rows.map((row) => ({ ...row, sharesPower: row.role === 'admin' })) });
  const members = users.flatMap(({ id: userId, groups = [] }) => groups.map((groupId) => ({ userId, groupId })));
  if (members.length > 0) await tx.groupMember.createMany({ data: members });
  for (const { id: userId, link, identity, provisioned } of users) {
    if (identity) await tx.federatedIdentity.create({ data: { ...newIdentity(identity), userId } });
    if (provisioned) await tx.provisionedUser.create({ data: { ...provisionedUser(provisioned), userId } });
    if (link) await tx.link.create({ data: { ...newLink(link), userId } });
    await mailLink(tx, userId, link);
  }
}

/** Entries of one statement. */
const maxEntries = 500;

async function insertAll(tx: Prisma.TransactionClient, entries: readonly SealedEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += maxEntries)
    await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson(entries.slice(at, at + maxEntries))));
}

/** In the commit of what a token does: problem `unauthenticated` if it was revoked meanwhile. A revocation waits for the commit. */
export const unrevokedIn =
  (table: 'admin_token' | 'scim_token', kid: string): InCommit =>
  async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT kid FROM ${Prisma.raw(table)} WHERE kid = ${kid} AND revoked_at IS NULL FOR SHARE`;
    if (rows.length === 0) throw new Problem('unauthenticated');
  };

interface Snapshot {
  epoch: bigint;
  record: DirectoryRecord;
}

const nothing: Snapshot = { epoch: -1n, record: { users: [], groups: [], servers: [], spaces: [], roles: [] } };

/** The directory in memory, as of an epoch of people; with each read, what has changed since is read again. */
export function createDirectoryReader(query: Query) {
  let latest = nothing;
  const read = batch(async (askers: null[]) => {
    latest = await readSince(query, latest);
    return askers.map(() => latest.record);
  }, oneAtATime);
  return {
    /** As of the last commit before the call. Callers that ask together share a statement. */
    read: (): Promise<DirectoryRecord> => read(null),
    /** As the transaction sees it. Nothing of it is kept: it may be rolled back. */
    readIn: async (tx: Query): Promise<DirectoryRecord> => (await readSince(tx, latest)).record,
  };
}

/** One statement at a time answers all who wait. */
const oneAtATime = { most: Number.MAX_SAFE_INTEGER, concurrency: 1 };

async function readSince(query: Query, base: Snapshot): Promise<Snapshot> {
  const [now] = await query<Changed>(changedSince(base.epoch));
  const epoch = now?.epoch ?? 0n;
  if (epoch === base.epoch) return base;
  if (epoch < base.epoch) return readSince(query, nothing); // an older backup was restored
  const { users, groups, servers, spaces, roles } = now ?? {};
  return {
    epoch,
    record: {
      users: withPermissions(withChanged(base.record.users, users ?? []), roles ?? [], base.record.roles),
      groups: groups ?? [],
      servers: servers ?? [],
      spaces: spaces ?? [],
      roles: roles ?? [],
    },
  };
}

interface Changed {
  epoch: bigint;
  /** Changed people; null for none. */
  users: UserRecord[] | null;
  groups: GroupRecord[] | null;
  servers: ServerRecord[] | null;
  spaces: SpaceRecord[] | null;
  roles: RoleRecord[] | null;
}

/** All groups, servers, spaces and roles, which are few; of people, those who have changed since. Nothing if the epoch is the same. */
const changedSince = (epoch: bigint): Prisma.Sql => Prisma.sql`
  SELECT value AS epoch,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'email', email, 'name', name,
          'role', role, 'managerId', manager_id, 'subjects', subjects, 'mayBreakGlass', may_break_glass,
          'chatMember', slack_id, 'hasPassword', password_hash IS NOT NULL, 'hasProvider',
          EXISTS (SELECT FROM federated_identity WHERE user_id = app_user.id), 'identities', coalesce((SELECT
            json_agg(json_build_object('issuer', issuer, 'subject', subject, 'scimClaim', scim_claim)) FROM federated_identity
            WHERE user_id = app_user.id), '[]'), 'provisioned', (SELECT json_build_object('issuer', p.issuer,
            'userName', p.user_name, 'externalId', p.external_id, 'givenName', p.given_name, 'familyName', p.family_name,
            'disabledAt', ${milliseconds('p.disabled_at')}, 'deletedAt', ${milliseconds('p.deleted_at')})
            FROM provisioned_user p WHERE p.user_id = app_user.id), 'sharesPower', shares_power,
          'disabledAt', ${milliseconds('disabled_at')}, 'decidedPairs', decided_pairs,
          'verifiedAddresses', verified_addresses, 'vouchedAddresses', vouched_addresses, 'createdAt', ${milliseconds('created_at')}))
        FROM app_user WHERE app_user.epoch > ${epoch}::bigint) END AS users,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'description', description, 'spaceId', space_id, 'owners', owner_ids, 'confirmation', CASE WHEN confirm_days IS NOT NULL THEN
            json_build_object('days', confirm_days, 'confirmedAt', ${milliseconds('confirmed_at')},
              'lapsesAt', ${milliseconds('lapses_at')}) END,
          'members', coalesce(members, '{}'), 'sources', coalesce(sources, '{}'),
          'provisioned', (SELECT json_build_object('issuer', p.issuer, 'externalId', p.external_id,
            'unadoptedSince', ${milliseconds('p.unadopted_since')})
            FROM provisioned_group p WHERE p.group_id = app_group.id)) ORDER BY name)
        FROM app_group LEFT JOIN (
          SELECT group_id, array_agg(user_id) AS members,
              json_object_agg(user_id, source) FILTER (WHERE source IS NOT NULL) AS sources
            FROM group_member WHERE group_id > '' GROUP BY group_id) m ON m.group_id = app_group.id
        WHERE id > '') END AS groups,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'ownerId', owner_id, 'spaceId', space_id) ORDER BY name) FROM server WHERE id > '') END AS servers,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'members', coalesce(members, '[]')) ORDER BY name)
        FROM space LEFT JOIN (
          SELECT space_id, json_agg(json_build_object('userId', user_id, 'role', role) ORDER BY user_id) AS members
            FROM space_member WHERE space_id > '' GROUP BY space_id) m ON m.space_id = space.id
        WHERE id > '') END AS spaces,
      CASE WHEN value <> ${epoch}::bigint THEN (SELECT json_agg(json_build_object('id', id, 'name', name,
          'permissions', permissions) ORDER BY name) FROM custom_role WHERE id > '') END AS roles
    FROM epoch WHERE name = 'users'`;

const milliseconds = (column: string): Prisma.Sql => Prisma.raw(`floor(extract(epoch FROM ${column}) * 1000)::bigint`);

function withChanged(users: DirectoryRecord['users'], changed: readonly UserRecord[]): DirectoryRecord['users'] {
  if (changed.length === 0) return users;
  const ids = new Set(changed.map(({ id }) => id));
  return [...users.filter(({ id }) => !ids.has(id)), ...changed].toSorted(
    (a, b) => compare(a.name, b.name) || compare(a.id, b.id),
  );
}

/** A role may permit something else than when its people were read. */
function withPermissions(
  users: DirectoryRecord['users'],
  roles: readonly RoleRecord[],
  before: readonly RoleRecord[],
): DirectoryRecord['users'] {
  if (roles.length + before.length === 0) return users;
  return users.map((user) =>
    isBuiltInRole(user.role) ? user : { ...user, permissions: undefined, ...holderOf(user.role, roles) },
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
