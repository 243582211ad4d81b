import { Prisma } from '../../generated/prisma/client.ts';
import type { ServerId, ToolCallId } from '../../model/id.ts';
import type { Database } from '../database/database.ts';
import { entryJson, insertEntries, type SealedEntry } from '../log/sealed-entry.ts';

export interface ToolCallRow {
  id: ToolCallId;
  serverId: ServerId;
  tool: string;
  state: 'open' | 'claimed' | 'completed' | 'settled';
  attempt: string | null;
  claimedAt: number | null;
  result: Uint8Array | null;
}

/** Releases at most one execution per call: of any number racing, one claim gets true. */
export interface ToolCalls {
  find(id: ToolCallId): Promise<ToolCallRow | null>;
  /** From open to claimed by this attempt, with its audit entry. */
  claim(id: ToolCallId, attempt: string, entry: SealedEntry): Promise<boolean>;
  /** From claimed by this attempt back to open, with its audit entry. */
  release(id: ToolCallId, attempt: string, entry: SealedEntry): Promise<boolean>;
  /** From open or claimed by this attempt to completed (its result kept) or settled, with its audit entry. */
  complete(id: ToolCallId, attempt: string, ending: CallEnding, entry: SealedEntry): Promise<boolean>;
}

export interface CallEnding {
  state: 'completed' | 'settled';
  result: Uint8Array | null;
}

export function createToolCalls({ prisma }: Pick<Database, 'prisma'>): ToolCalls {
  /** Change and audit entry are one statement; no row back means another was first. */
  const write = async (change: Prisma.Sql, entry: SealedEntry): Promise<boolean> => {
    const changed = await prisma.$queryRaw<unknown[]>`
      WITH changed AS (${change} RETURNING id), entry AS (
        ${insertEntries(Prisma.sql`changed`, entryJson([entry]))}
      )
      SELECT id FROM changed`;
    return changed.length === 1;
  };
  return {
    async find(id) {
      const row = await prisma.toolCall.findUnique({ where: { id } });
      return row && (toRow(row) as ToolCallRow);
    },
    claim: (id, attempt, entry) =>
      write(
        Prisma.sql`UPDATE tool_call SET state = 'claimed', attempt = ${attempt},
          claimed_at = to_timestamp(${entry.at}::bigint / 1000.0) WHERE id = ${id} AND state = 'open'`,
        entry,
      ),
    release: (id, attempt, entry) =>
      write(
        Prisma.sql`UPDATE tool_call SET state = 'open', attempt = NULL, claimed_at = NULL
          WHERE id = ${id} AND state = 'claimed' AND attempt = ${attempt}`,
        entry,
      ),
    complete: (id, attempt, { state, result }, entry) =>
      write(
        Prisma.sql`UPDATE tool_call SET state = ${state}, result = ${result}, attempt = ${attempt}
          WHERE id = ${id} AND (state = 'open' OR (state = 'claimed' AND attempt = ${attempt})
            OR (state IN ('claimed', 'completed') AND ${state} = 'settled'))`,
        entry,
      ),
  };
}

const toRow = ({ claimedAt, ...row }: { claimedAt: Date | null }) => ({
  ...row,
  claimedAt: claimedAt?.getTime() ?? null,
});
