import { Prisma } from '../../generated/prisma/client.ts';
import type { AuditEntry } from '../../audit/entry.ts';
import type { ToolCallId } from '../../model/id.ts';
import { proofColumns, proofFrom, type StoredProof } from '../log/proof.ts';
import { entryJson, insertEntries, type Ledger } from '../log/sealed-entry.ts';
import { callDigest, type ToolCallRow } from './call-row.ts';

/** Releases at most one execution per call: of any number racing, one claim gets true. */
export interface ToolCalls {
  /** Problem `unproven` where the row is not what the log says. */
  find(id: ToolCallId): Promise<ToolCallRow | null>;
  /** From open to claimed by this attempt, with its audit entry. */
  claim(call: ToolCallRow, attempt: string, entry: AuditEntry): Promise<boolean>;
  /** From claimed by this attempt back to open, with its audit entry. */
  release(call: ToolCallRow, attempt: string, entry: AuditEntry): Promise<boolean>;
  /** From open or claimed by this attempt to completed (its result kept) or settled, with its audit entry. */
  complete(call: ToolCallRow, attempt: string, ending: CallEnding, entry: AuditEntry): Promise<boolean>;
}

export interface CallEnding {
  state: 'completed' | 'settled';
  result: Uint8Array | null;
}

export function createToolCalls({ prisma, evidence }: Ledger): ToolCalls {
  /** Change and audit entry are one statement; no row back means that another was first. */
  const write = async (next: ToolCallRow, condition: Prisma.Sql, entry: AuditEntry): Promise<boolean> => {
    const { id, state, attempt, claimedAt, result } = next;
    const sealed = evidence.seal(entry, { [id]: callDigest(next) }, id);
    const changed = await prisma.$queryRaw<unknown[]>`
      WITH changed AS (
        UPDATE tool_call SET state = ${state}, attempt = ${attempt}, result = ${result},
          claimed_at = to_timestamp(${claimedAt}::bigint / 1000.0)
         WHERE id = ${id} AND ${condition} RETURNING id
      ), entry AS (
        ${insertEntries(Prisma.sql`changed`, entryJson([sealed]))}
      )
      SELECT id FROM changed`;
    return changed.length === 1;
  };
  return {
    async find(id) {
      const [stored] = await prisma.$queryRaw<StoredCall[]>`
        SELECT c.id, c.server_id AS "serverId", c.key_hash AS "keyHash", c.tool, c.state, c.attempt,
            c.claimed_at AS "claimedAt", c.result, c.created_at AS "createdAt", ${proofColumns}
          FROM tool_call c ${latestOfCall} WHERE c.id = ${id}`;
      if (!stored) return null;
      const call = toRow(stored);
      evidence.require(proofFrom(stored), id, callDigest(call));
      return call;
    },
    claim: (call, attempt, entry) =>
      write({ ...call, state: 'claimed', attempt, claimedAt: entry.at }, Prisma.sql`state = 'open'`, entry),
    release: (call, attempt, entry) =>
      write(
        { ...call, state: 'open', attempt: null, claimedAt: null },
        Prisma.sql`state = 'claimed' AND attempt = ${attempt}`,
        entry,
      ),
    complete: (call, attempt, { state, result }, entry) =>
      write(
        { ...call, state, result, attempt },
        Prisma.sql`(state = 'open' OR (state = 'claimed' AND attempt = ${attempt})
          OR (state IN ('claimed', 'completed') AND ${state} = 'settled'))
          AND claimed_at IS NOT DISTINCT FROM to_timestamp(${call.claimedAt}::bigint / 1000.0)`,
        entry,
      ),
  };
}

/** The entry that says how a call was left: its latest, or else the opening that made it. Later openings leave it be. */
const latestOfCall = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT a.id, a.body, a.mac FROM audit_entry a WHERE a.subject_id = c.id
     ORDER BY a.type LIKE 'call.%' DESC, CASE WHEN a.type LIKE 'call.%' THEN -a.seq ELSE a.seq END LIMIT 1) proof ON true`;

type StoredCall = StoredProof &
  Omit<ToolCallRow, 'claimedAt' | 'createdAt'> & { claimedAt: Date | null; createdAt: Date };

const toRow = ({ id, serverId, keyHash, tool, state, attempt, claimedAt, result, createdAt }: StoredCall) => ({
  id,
  serverId,
  keyHash,
  tool,
  state,
  attempt,
  result,
  claimedAt: claimedAt?.getTime() ?? null,
  createdAt: createdAt.getTime(),
});
