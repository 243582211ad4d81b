import type { ServerId, ToolCallId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { inBatches } from '#platform/database/database';

/** What a step of a call made; `value` is null until it is kept. */
export interface CallMemo {
  id: string;
  value: Uint8Array | null;
}

interface NewReservation {
  id: string;
  serverId: ServerId;
  scopeHash: Uint8Array;
  keyHash: Uint8Array;
  /** Null before the call is stored. */
  toolCallId: ToolCallId | null;
  createdAt: number;
}

/** The memos of calls, and the ids that are reserved for them before the call is stored. */
export const createCallMemos = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async ofCall(call: ToolCallId, keyHashes: Uint8Array[]): Promise<CallMemo | null> {
    const [memo] = await prisma.$queryRaw<CallMemo[]>`
      SELECT id, value FROM call_memo WHERE tool_call_id = ${call} AND key_hash = ANY(${keyHashes}::bytea[])`;
    return memo ?? null;
  },
  /** What is reserved since then for a call of this name that is not stored. */
  async reserved(scopeHashes: Uint8Array[], keyHashes: Uint8Array[], since: number): Promise<CallMemo | null> {
    const [memo] = await prisma.$queryRaw<CallMemo[]>`
      SELECT id, value FROM call_memo
       WHERE tool_call_id IS NULL AND scope_hash = ANY(${scopeHashes}::bytea[]) AND key_hash = ANY(${keyHashes}::bytea[])
         AND created_at > ${new Date(since)}`;
    return memo ?? null;
  },
  /** False if another run was first. */
  async reserve({ id, serverId, scopeHash, keyHash, toolCallId, createdAt }: NewReservation): Promise<boolean> {
    const count = await prisma.$executeRaw`
      INSERT INTO call_memo (id, server_id, scope_hash, key_hash, tool_call_id, created_at)
      VALUES (${id}, ${serverId}, ${copy(scopeHash)}, ${copy(keyHash)}, ${toolCallId}, ${new Date(createdAt)})
      ON CONFLICT DO NOTHING`;
    return count === 1;
  },
  /**
   * Keeps the value with the call in place of what was reserved under this id. If several race, the first one's stays
   * and the others get false; so does an id that is not reserved for this server and key.
   */
  async keep({ id, value }: { id: string; value: Uint8Array }, of: MemoOwner): Promise<boolean> {
    const { call, serverId, keyHashes } = of;
    const count = await prisma.$executeRaw`
      WITH reservation AS (
        DELETE FROM call_memo
         WHERE id = ${id} AND server_id = ${serverId} AND key_hash = ANY(${keyHashes}::bytea[]) AND value IS NULL
           AND (tool_call_id IS NULL OR tool_call_id = ${call})
        RETURNING *)
      INSERT INTO call_memo AS kept (id, server_id, scope_hash, key_hash, tool_call_id, value, created_at)
      SELECT id, server_id, scope_hash, key_hash, ${call}, ${copy(value)}, created_at FROM reservation
      ON CONFLICT (tool_call_id, key_hash) WHERE tool_call_id IS NOT NULL
        DO UPDATE SET id = excluded.id, value = excluded.value WHERE kept.value IS NULL`;
    return count === 1;
  },
  /** Deletes what was reserved before this time and never kept. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM call_memo WHERE id IN (
          SELECT id FROM call_memo WHERE tool_call_id IS NULL AND created_at < ${new Date(before)}
           ORDER BY created_at LIMIT ${max})`,
    ),
});

interface MemoOwner {
  call: ToolCallId;
  serverId: ServerId;
  keyHashes: Uint8Array[];
}

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
