import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowDigests, SealedEntry } from '#audit/entries/rules/evidence';
import type { UserId } from '#platform/model/id';
import { holdVotes } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database/in-commit';
import { locks } from '#platform/database/sql/locks';
import { queryIn } from '#platform/database/connection/query';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { endAccess, endLinks, lockUser, mailLink, newLink } from '../../../users/store/access.ts';
import { createDirectoryReader } from './directory-reader.ts';
import type { DirectoryRecord, ProvisionedUser } from '../directory-record/directory-record.ts';
import {
  goneBy,
  writtenBy,
  type DirectoryWrite,
  type NewIdentity,
  type NewUser,
  type UserSettings,
  type WrittenRows,
} from '../tables/directory-write.ts';
import { directoryDigests, provisionedId } from '../tables/row-digests.ts';

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

/** What the log says about the written rows, as the commit leaves them. */
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

/** Of these digests, those of the rows that this writes. */
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
  // What was asked for one address must not go to the next.
  if (set.email !== undefined) await endLinks(tx, id, new Date());
  if (!at) return;
  await endAccess(tx, id, at);
  await tx.upstreamCredential.deleteMany({ where: { userId: id } });
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
