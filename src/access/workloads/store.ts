import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ServerId, UserId } from '#platform/model/id';
import type { KeyProof } from '#people/directory/contract/user';
import type { WorkloadTerms } from './contract.ts';
import { callerEpoch } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database';
import { insertEntry, type Ledger } from '#audit/entries/store/entries';
import { takeTurn } from '#people/directory/store/directory';
import { directoryDigests } from '#people/directory/store/tables';

/** A workload that asks as a server. Times are milliseconds since 1970. */
export interface StoredWorkload extends WorkloadTerms {
  kid: string;
  server: { id: ServerId; name: string };
  /** The administrator who added it; null for the operator. */
  makerId: UserId | null;
  createdAt: number;
  removedAt: number | null;
  lastUsedAt: number | null;
}

/** As it is read when it asks, with the epochs of that moment. */
export interface WorkloadInUse extends StoredWorkload {
  epoch: Pick<KeyProof, 'keys' | 'users'>;
}

type NewRow = Omit<StoredWorkload, 'removedAt' | 'lastUsedAt'>;

export function createWorkloads({ prisma, query, evidence }: Ledger) {
  const usable = async (where: Prisma.Sql): Promise<WorkloadInUse[]> => {
    const rows = await query<UsedRow>(Prisma.sql`
      SELECT w.kid, w.issuer, w.audience, w.subject, w.claims, w.maker_id AS "makerId", w.created_at AS "createdAt",
             w.removed_at AS "removedAt", w.last_used_at AS "lastUsedAt", s.id AS "serverId", s.name, ${callerEpoch}
        FROM workload w JOIN server s ON s.id = w.server_id LEFT JOIN app_user m ON m.id = w.maker_id
       WHERE ${where} AND w.removed_at IS NULL AND m.disabled_at IS NULL`);
    return rows.map(({ keys, users, name, ...row }) => ({
      ...workloadOf({ ...row, server: { id: row.serverId, name } }),
      epoch: { keys, users },
    }));
  };
  return {
    /** Every one that ever was, the oldest first. */
    list: (): Promise<StoredWorkload[]> => listIn(prisma),
    /** Workloads of this issuer that may ask: not removed, and their makers not disabled. */
    ofIssuer: (issuer: string): Promise<WorkloadInUse[]> => usable(Prisma.sql`w.issuer = ${issuer}`),
    /** A usable workload by its id. */
    byKid: async (kid: string): Promise<WorkloadInUse | null> => (await usable(Prisma.sql`w.kid = ${kid}`))[0] ?? null,
    /** `refuse` gets every one that there is, before `also`; no other is added meanwhile. */
    add: (
      { server, createdAt, claims, ...workload }: NewRow,
      entry: AuditEntry,
      refuse: (all: StoredWorkload[]) => void,
      also: InCommit,
    ) =>
      prisma.$transaction(async (tx) => {
        await takeTurn(tx);
        refuse(await listIn(tx));
        await also(tx);
        const data = { ...workload, claims: { ...claims }, serverId: server.id, createdAt: new Date(createdAt) };
        await tx.workload.create({ data });
        await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { workloads: [workload.kid] })));
      }),
    /** Removes it with its entry in one commit; writes nothing if it is removed already. */
    remove: (kid: string, at: number, entry: AuditEntry, also: InCommit) =>
      prisma.$transaction(async (tx) => {
        await also(tx);
        const where = { kid, removedAt: null };
        const { count } = await tx.workload.updateMany({ where, data: { removedAt: new Date(at) } });
        if (count === 0) return;
        await insertEntry(tx, evidence.seal(entry, await directoryDigests(tx, { workloads: [kid] })));
      }),
    async touch(kid: string, at: number) {
      await prisma.workload.updateMany({ where: { kid }, data: { lastUsedAt: new Date(at) } });
    },
  };
}

async function listIn({ workload }: Pick<Prisma.TransactionClient, 'workload'>): Promise<StoredWorkload[]> {
  const include = { server: { select: { id: true, name: true } } };
  const rows = await workload.findMany({ where: { kid: { gt: '' } }, include }); // by its index
  return rows.map(workloadOf).toSorted((a, b) => a.createdAt - b.createdAt);
}

type Row = Prisma.WorkloadGetPayload<object>;
type UsedRow = Row & { name: string } & Pick<KeyProof, 'keys' | 'users'>;

const workloadOf = (row: Row & { server: { id: string; name: string } }): StoredWorkload => ({
  kid: row.kid,
  issuer: row.issuer,
  audience: row.audience,
  subject: row.subject,
  claims: row.claims as Record<string, string>,
  server: { id: row.server.id as ServerId, name: row.server.name },
  makerId: row.makerId as UserId | null,
  createdAt: row.createdAt.getTime(),
  removedAt: row.removedAt?.getTime() ?? null,
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
});
