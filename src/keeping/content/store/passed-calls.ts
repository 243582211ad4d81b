import type { AuditEntry } from '#audit/entries/rules/entry';
import { Problem } from '#platform/model/problem/problem';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { RowOf } from '#platform/database/sql/columns';
import { isEpoch, type Epoch } from '#platform/database/epochs';
import { locks } from '#platform/database/sql/locks';
import { moment } from '#platform/database/sql/time';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { passedCallTable, passedLookTable } from './passed-call.ts';
import { readHolds, type HoldRecord } from './stored-hold.ts';

/** A call that ran by a pass, with its sealed arguments. */
export type PassedCallRow = RowOf<typeof passedCallTable.columns>;
type NewLook = RowOf<typeof passedLookTable.columns>;

/** One whose content can be erased. */
export interface StoredPassedCall extends Pick<PassedCallRow, 'id' | 'serverId' | 'tool' | 'policy'> {
  serverName: string;
  requesterHash: Uint8Array;
  at: Date;
}

type Tx = Prisma.TransactionClient;

/** Those whose keys are destroyed, with the entries that say so. */
interface Choice {
  calls: StoredPassedCall[];
  entries: AuditEntry[];
}

/** The next calls that a policy let pass before this time. */
interface EndedUnder {
  policy: string;
  before: number;
  after: StoredPassedCall | null;
  epoch: Epoch;
}

/** Calls whose content is erased in one statement. */
const batchSize = 1_000;

/** The arguments of calls that ran by a pass: each is sealed under a key of its own, and destroying the key erases it. */
export function createPassedCalls({ prisma, evidence }: Ledger) {
  return {
    /** Keeps these calls with their entries, in one statement. Of an entry that is in the log already, nothing is kept. */
    async add(calls: PassedCallRow[], entries: AuditEntry[]): Promise<void> {
      const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
      const rows = JSON.stringify(calls.map(passedCallTable.toJson));
      await prisma.$executeRaw`
      WITH logged AS (
        ${insertEntries(Prisma.sql`(SELECT) AS change`, sealed)} ON CONFLICT (id) DO NOTHING RETURNING id)
      INSERT INTO passed_call (${passedCallTable.list})
      SELECT ${passedCallTable.values('call')}
        FROM jsonb_to_recordset(${rows}::jsonb) AS call(${passedCallTable.definition}) JOIN logged USING (id)
      ON CONFLICT (id) DO NOTHING`;
    },
    async find(id: string): Promise<(PassedCallRow & { serverName: string }) | null> {
      const [row] = await prisma.$queryRaw<(object & { serverName: string })[]>`
      SELECT ${passedCallTable.selection('c')}, s.name AS "serverName"
        FROM passed_call c JOIN server s ON s.id = c.server_id WHERE c.id = ${id}`;
      return row ? { ...passedCallTable.read(row), serverName: row.serverName } : null;
    },
    /** Keeps why someone reads one, with its entry, in one statement; without a reason, the entry alone. */
    async addLook(look: NewLook | null, entry: AuditEntry): Promise<void> {
      const sealed = entryJson([evidence.seal(entry, {})]);
      if (look === null) await prisma.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
      else
        await prisma.$executeRaw`
        WITH added AS (${passedLookTable.insertion(look)} RETURNING at)
        ${insertEntries(Prisma.sql`added`, sealed)}`;
    },
    /** Destroys the keys of what `choose` picks of these requesters' calls, in a commit that holds the lock of keeping. */
    async eraseOf(tx: Tx, hashes: Uint8Array[], choose: (calls: StoredPassedCall[]) => Choice): Promise<number> {
      const calls = await tx.$queryRaw<StoredPassedCall[]>`
      ${readable} WHERE c.requester_hash = ANY(${hashes}::bytea[]) AND c.data_key IS NOT NULL ORDER BY c.id FOR UPDATE OF c`;
      return destroy(tx, choose(calls), Prisma.sql`true`);
    },
    /** The same of the next ones that this policy let pass, unless the policies have changed; returns the last one looked at. */
    eraseUnder: (
      { policy, before, after, epoch }: EndedUnder,
      choose: (calls: StoredPassedCall[], inForce: HoldRecord[]) => Promise<Choice>,
    ): Promise<{ last: StoredPassedCall | null; erased: number }> =>
      prisma.$transaction(
        async (tx) => {
          await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
          const holds = await readHolds(tx, evidence);
          const from = after?.at ?? new Date(0);
          const calls = await tx.$queryRaw<StoredPassedCall[]>`
          ${readable} WHERE split_part(c.policy, '@', 1) = ${policy} AND c.at < ${moment(before)} AND c.data_key IS NOT NULL
            AND (c.at, c.id) > (${from}, ${after?.id ?? ''}) AND ${isEpoch(epoch)}
          ORDER BY c.at, c.id LIMIT ${batchSize} FOR UPDATE OF c`;
          const inForce = holds.filter(({ released }) => released === null);
          const erased = await destroy(tx, await choose(calls, inForce), isEpoch(epoch));
          return { last: calls.length < batchSize ? null : (calls.at(-1) ?? null), erased };
        },
        { timeout: 600_000 },
      ),
  };

  async function destroy(tx: Tx, { calls, entries }: Choice, isStill: Prisma.Sql): Promise<number> {
    if (calls.length === 0) return 0;
    const ids = calls.map(({ id }) => id);
    const erased = await tx.$executeRaw`
      UPDATE passed_call SET data_key = NULL, owner = '' WHERE id = ANY(${ids}::text[]) AND ${isStill}`;
    if (erased !== ids.length) throw new Problem('write-conflict');
    const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
    await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
    return erased;
  }
}

const readable = Prisma.sql`
  SELECT c.id, c.server_id AS "serverId", s.name AS "serverName", c.tool, c.policy, c.requester_hash AS "requesterHash", c.at
    FROM passed_call c JOIN server s ON s.id = c.server_id`;
