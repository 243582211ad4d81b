import type { ServerId, ToolCallId } from '#platform/model/id';
import type { Database } from '#platform/database/database';

interface OnceCall {
  serverId: ServerId;
  /** The active hash of the name, then those from before a rotation. */
  keyHashes: readonly Uint8Array[];
}

/** The names of calls that run at most once. */
export const createOnceCalls = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** Has a call of this name been claimed, apart from this one? */
  async hasRun({ serverId, keyHashes }: OnceCall, besides: ToolCallId | null): Promise<boolean> {
    const [run] = await prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM once_call o JOIN tool_call c ON c.id = o.tool_call_id
       WHERE o.server_id = ${serverId} AND o.key_hash = ANY(${keyHashes.map(copy)}::bytea[])
         AND c.claimed_at IS NOT NULL AND c.state = 'settled' AND c.id IS DISTINCT FROM ${besides}`;
    return run !== undefined;
  },
  /** Gives the name to this call, unless another call of the name has run; then false. */
  async take(name: OnceCall, call: ToolCallId): Promise<boolean> {
    const [active] = name.keyHashes;
    if (!active) return false;
    const rows = await prisma.$queryRaw<unknown[]>`
      INSERT INTO once_call AS o (server_id, key_hash, tool_call_id) VALUES (${name.serverId}, ${copy(active)}, ${call})
      ON CONFLICT (server_id, key_hash) DO UPDATE SET tool_call_id = excluded.tool_call_id
        WHERE NOT EXISTS (SELECT FROM tool_call c
          WHERE c.id = o.tool_call_id AND c.id <> excluded.tool_call_id AND c.claimed_at IS NOT NULL)
      RETURNING 1`;
    return rows.length === 1;
  },
});

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
