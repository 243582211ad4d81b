import { Prisma } from '../../generated/prisma/client.ts';
import type { AuditEntry } from '../../audit/entry.ts';
import type { ToolCallId } from '../../model/id.ts';
import { proofColumns, proofFrom, type StoredProof } from '../log/proof.ts';
import { entryJson, insertEntries, type Ledger } from '../log/sealed-entry.ts';
import { callDigest, type ToolCallRow } from './call-row.ts';
import type { ElicitationRow } from './row.ts';

/** Releases at most one execution per call: of any number racing, one claim gets true. */
export interface ToolCalls {
  /** Problem `unproven` where the row is not what the log says. */
  find(id: ToolCallId): Promise<ToolCallRow | null>;
  /**
   * Moves the call on, with its audit entry, if it and every question of it are still as they were read: of any number
   * racing one gets true, and a false leaves nothing behind.
   */
  move(call: ToolCallRow, read: readonly ReadQuestion[], next: NextCall, entry: AuditEntry): Promise<boolean>;
}

/** What a call becomes. */
export type NextCall = Pick<ToolCallRow, 'state' | 'attempt' | 'claimedAt' | 'result'>;

/** A question of the call, at the version on which it was decided. */
export type ReadQuestion = Pick<ElicitationRow, 'id' | 'version'>;

export function createToolCalls({ prisma, evidence }: Ledger): ToolCalls {
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
    async move(call, read, next, entry) {
      const { id } = call;
      const sealed = evidence.seal(entry, { [id]: callDigest({ ...call, ...next }) }, id);
      const versions = JSON.stringify(Object.fromEntries(read.map((row) => [row.id, row.version])));
      const moved = await prisma.$queryRaw<unknown[]>`
        WITH moved AS (
          UPDATE tool_call SET state = ${next.state}, attempt = ${next.attempt}, result = ${next.result},
            claimed_at = to_timestamp(${next.claimedAt}::bigint / 1000.0)
           WHERE id = ${id} AND state = ${call.state} AND attempt IS NOT DISTINCT FROM ${call.attempt}
             AND claimed_at IS NOT DISTINCT FROM to_timestamp(${call.claimedAt}::bigint / 1000.0)
             AND NOT EXISTS (
               SELECT FROM elicitation e WHERE e.tool_call_id = ${id}
                 AND e.version IS DISTINCT FROM (${versions}::jsonb->>e.id)::int)
          RETURNING id
        ), entry AS (
          ${insertEntries(Prisma.sql`moved`, entryJson([sealed]))}
        )
        SELECT id FROM moved`;
      return moved.length === 1;
    },
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
