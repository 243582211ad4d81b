import type { ServerId, StopId, UserId, ElicitationId } from '#platform/model/id';
import { defineTable, text, time, type RowOf } from '#platform/database/sql';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { StopScope } from './contract/stop.ts';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { ownServer } from '#platform/model/names';
import type { Proof, RowDigests } from '#audit/entries/rules/evidence';
import type { InCommit } from '#platform/database/database';
import {
  latestEntry,
  proofColumns,
  proofFrom,
  type StoredProof,
  changeWithEntry,
  insertEntry,
  type Ledger,
} from '#audit/entries/store/entries';

/** Stops by administrators: of a tool of a server, a tool anywhere, a server or everything. */
export const stopTable = defineTable('stop', {
  id: text<StopId>(),
  serverId: text<ServerId | null>(),
  tool: text<string | null>(),
  reason: text(),
  /** Null is the operator. */
  stoppedBy: text<UserId | null>(),
  at: time(),
  liftedBy: text<UserId | null>(),
  liftedAt: time<number | null>(),
});

type StopRow = RowOf<typeof stopTable.columns>;

export interface StopRecord extends StopRow {
  serverName: string | null;
  stoppedByName: string | null;
  liftedByName: string | null;
}

type NewStop = Pick<StopRecord, 'id' | 'serverId' | 'tool' | 'reason' | 'stoppedBy' | 'at'>;

/** Part of a statement's text, so that opening keeps its one parameter. */
const ownId = Prisma.raw(`'${ownServer.id}'`);

/** Is the tool in this row of a statement stopped, for its server or for all? */
export const isStopped = (row: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM stop WHERE stop.lifted_at IS NULL AND ${row}.server_id <> ${ownId}
    AND (stop.server_id IS NULL OR stop.server_id = ${row}.server_id)
    AND (stop.tool IS NULL OR stop.tool = ${row}.tool))`;

/** The digests of all that ever existed, to compare with the log. */
export async function stopDigests(tx: Pick<Prisma.TransactionClient, 'stop'>): Promise<RowDigests> {
  const rows = await tx.stop.findMany({ orderBy: { id: 'asc' } });
  return Object.fromEntries(rows.map((row) => [row.id, stopTable.digest(row)]));
}

/** Stops by administrators. */
export function createStops({ prisma, evidence }: Ledger) {
  const select = async (rest: Prisma.Sql): Promise<ReadStop[]> => {
    const rows = await prisma.$queryRaw<StoredStop[]>`
      SELECT ${stopTable.selection('stop')}, s.name AS "serverName", a.name AS "stoppedByName",
          b.name AS "liftedByName", ${proofColumns}
        FROM stop LEFT JOIN server s ON s.id = stop.server_id LEFT JOIN app_user a ON a.id = stop.stopped_by
          LEFT JOIN app_user b ON b.id = stop.lifted_by ${latestEntry(Prisma.sql`a.subject_id = stop.id`)} ${rest}`;
    return rows.map(toRead);
  };
  const isProven = ({ stop, proof }: ReadStop): boolean => evidence.proves(proof, stop.id, stopTable.digest(stop));
  return {
    /** Stops in force first, then the latest. */
    async list(limit: number): Promise<StopRecord[]> {
      const order = Prisma.sql`WHERE stop.id > '' ORDER BY stop.lifted_at IS NOT NULL, stop.at DESC, stop.id LIMIT ${limit}`;
      return (await select(order)).map(({ stop }) => stop);
    },
    /** Problem `unproven` for a row that the log does not bear out. */
    async find(id: StopId): Promise<StopRecord | null> {
      const [read] = await select(Prisma.sql`WHERE stop.id = ${id}`);
      if (read) evidence.require(read.proof, id, stopTable.digest(read.stop));
      return read?.stop ?? null;
    },
    /** A row that does not match the log stops everything, because its scope is not known. */
    async inForce(): Promise<StopRecord[]> {
      const all = await select(Prisma.sql`ORDER BY stop.at, stop.id`);
      return all.flatMap((read) => {
        if (!isProven(read)) return [{ ...read.stop, ...everything }];
        return read.stop.liftedAt === null ? [read.stop] : [];
      });
    },
    /**
     * Stores it with its audit entry; resolves with the open elicitations in its scope, which are now due to end. It
     * waits for running openings and claims, so that none that began before it commits after it.
     */
    make: (stop: NewStop, entry: AuditEntry): Promise<ElicitationId[]> =>
      prisma.$transaction(async (tx) => {
        // Each opening and claim writes to this table, so it takes this lock before it looks for a stop.
        await tx.$executeRaw`LOCK TABLE tool_call IN SHARE ROW EXCLUSIVE MODE`;
        const row = { ...stop, liftedBy: null, liftedAt: null };
        await tx.$executeRaw(stopTable.insertion(row));
        await insertEntry(tx, evidence.seal(entry, { [stop.id]: stopTable.digest(row) }, stop.id));
        return markDue(tx, stop);
      }),
    /** Writes nothing and returns false if it was already lifted, or if the person who made it would lift it. */
    async lift(stop: StopRecord, by: UserId | null, entry: AuditEntry, also?: InCommit): Promise<boolean> {
      const { id } = stop;
      const next = { ...stop, liftedBy: by, liftedAt: entry.at };
      const sealed = evidence.seal(entry, { [id]: stopTable.digest(next) }, id);
      const change = Prisma.sql`
        UPDATE stop SET ${stopTable.set(next, 'liftedAt', 'liftedBy')}
         WHERE id = ${id} AND lifted_at IS NULL AND stopped_by IS DISTINCT FROM ${by}::text RETURNING id`;
      return prisma.$transaction(async (tx) => {
        await also?.(tx);
        return changeWithEntry(tx, change, sealed);
      });
    },
  };
}

/**
 * The open elicitations in the scope. If a node dies now, they stay due and another node ends them. It does not wait
 * for a running change.
 */
async function markDue(
  tx: Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>,
  { serverId, tool }: StopScope,
): Promise<ElicitationId[]> {
  const inScope = Prisma.sql`status = 'open' AND server_id <> ${ownId} AND (${serverId}::text IS NULL OR server_id = ${serverId})
    AND (${tool}::text IS NULL OR tool = ${tool})`;
  await tx.$executeRaw`UPDATE elicitation SET wake_at = to_timestamp(0) WHERE id IN (
    SELECT id FROM elicitation WHERE ${inScope} FOR UPDATE SKIP LOCKED)`;
  const open = await tx.$queryRaw<{ id: ElicitationId }[]>`SELECT id FROM elicitation WHERE ${inScope}`;
  return open.map(({ id }) => id);
}

const everything = {
  serverId: null,
  tool: null,
  reason: 'Run "assentry audit verify": a stop was changed in the database without Assentry.',
} as const;

/** A stop, and what the log says about it. */
interface ReadStop {
  stop: StopRecord;
  proof: Proof | null;
}

type StoredStop = StoredProof & Omit<StopRecord, keyof StopRow>;

const toRead = (stored: StoredStop): ReadStop => {
  const { serverName, stoppedByName, liftedByName } = stored;
  return { proof: proofFrom(stored), stop: { ...stopTable.read(stored), serverName, stoppedByName, liftedByName } };
};
