import type { DelegationId, UserId } from '#platform/model/id';
import { may } from '../directory/contract/permission.ts';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { RowDigests } from '#audit/entries/rules/evidence';
import { delegationTable } from '../directory/store/tables.ts';
import { holdVotes } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database';
import { changeWithEntry, insertEntry, type Ledger } from '#audit/entries/store/entries';
import { moment } from '#platform/database/sql';
import { readUsers } from '../directory/store/directory-record.ts';

export interface DelegationRecord {
  id: DelegationId;
  fromId: UserId;
  toId: UserId;
  startsAt: number;
  endsAt: number;
  /** Names of policies; none means all. */
  policies: string[];
  note: string;
  createdAt: number;
  revokedAt: number | null;
  /** Issuer of the credential with which the giver was signed in, for whom votes by it count as well. */
  issuerId: UserId | null;
}

export const delegationDigest = (row: DelegationRecord): RowDigests => ({
  [row.id]: delegationTable.digest(row),
});

/** All delegations ever made, to compare with the log. */
export const readDelegations = async (tx: Pick<Prisma.TransactionClient, 'delegation'>): Promise<DelegationRecord[]> =>
  (await tx.delegation.findMany({ orderBy: { id: 'asc' } })).map(toRecord);

/** Delegations: who may vote for whom, for how long, under which policies. */
export const createDelegations = ({ prisma, evidence }: Ledger) => ({
  /** All delegations ever made, the latest first; for one person, those they gave and received. */
  async list(user: UserId | null): Promise<DelegationRecord[]> {
    const where = user ? { OR: [{ fromId: user }, { toId: user }] } : {};
    const rows = await prisma.delegation.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] });
    return rows.map(toRecord);
  },
  async find(id: DelegationId): Promise<DelegationRecord | null> {
    const row = await prisma.delegation.findUnique({ where: { id } });
    return row && toRecord(row);
  },
  /** Unrevoked delegations. */
  unrevoked: async (): Promise<DelegationRecord[]> =>
    (await prisma.delegation.findMany({ where: { revokedAt: null } })).map(toRecord),
  /** The delegations this person can use now, from people who may still vote. */
  async inForce(toId: UserId, now: number): Promise<DelegationRecord[]> {
    const at = new Date(now);
    const during = { startsAt: { lte: at }, endsAt: { gt: at }, revokedAt: null };
    const where = { toId, ...during, from: { disabledAt: null } };
    const rows = await prisma.delegation.findMany({ where, include: { from: true } });
    const people = await readUsers(
      prisma,
      rows.map(({ from }) => from),
    );
    const able = new Set(people.filter((user) => may(user, 'decide')).map(({ id }) => id));
    return rows.map(({ from: _person, ...row }) => toRecord(row)).filter(({ fromId }) => able.has(fromId));
  },
  async add(delegation: DelegationRecord, entry: AuditEntry, also?: InCommit) {
    const { startsAt, endsAt, createdAt, revokedAt: _never, ...rest } = delegation;
    const sealed = evidence.seal(entry, delegationDigest(delegation));
    const times = { startsAt: new Date(startsAt), endsAt: new Date(endsAt), createdAt: new Date(createdAt) };
    await prisma.$transaction(async (tx) => {
      await also?.(tx);
      await tx.delegation.create({ data: { ...rest, ...times } });
      await insertEntry(tx, sealed);
    });
  },
  /** Writes nothing and returns false if it was already revoked. */
  async revoke(delegation: DelegationRecord, at: number, entry: AuditEntry): Promise<boolean> {
    const sealed = evidence.seal(entry, delegationDigest({ ...delegation, revokedAt: at }));
    const change = Prisma.sql`
        UPDATE delegation SET revoked_at = ${moment(at)}
         WHERE id = ${delegation.id} AND revoked_at IS NULL RETURNING id`;
    return prisma.$transaction(async (tx) => {
      await holdVotes(tx);
      return changeWithEntry(tx, change, sealed);
    });
  },
});

type Times = 'startsAt' | 'endsAt' | 'createdAt' | 'revokedAt';
type Row = { [K in keyof DelegationRecord]: K extends Times ? Date : K extends 'policies' ? string[] : string };
type Nullable = 'revokedAt' | 'issuerId';

const toRecord = (row: Omit<Row, Nullable> & { [K in Nullable]: Row[K] | null }): DelegationRecord => ({
  ...row,
  id: row.id as DelegationId,
  fromId: row.fromId as UserId,
  toId: row.toId as UserId,
  startsAt: row.startsAt.getTime(),
  endsAt: row.endsAt.getTime(),
  createdAt: row.createdAt.getTime(),
  revokedAt: row.revokedAt?.getTime() ?? null,
  issuerId: row.issuerId as UserId | null,
});
