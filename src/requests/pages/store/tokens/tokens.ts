import type { ElicitationId, ServerId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { inBatches } from '#platform/database/database';

interface StoredToken {
  serverId: ServerId;
  /** Null until its question is asked. */
  elicitationId: ElicitationId | null;
}

interface Joining {
  opening: ElicitationId;
  joined: ElicitationId;
  serverId: ServerId;
  expiresAt: number;
}

/** Tokens made before their elicitation, found by the hash of their nonce. */
export const createTokens = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async add({ nonceHash, serverId, expiresAt }: { nonceHash: Uint8Array; serverId: ServerId; expiresAt: number }) {
    await prisma.token.create({ data: { nonceHash: copy(nonceHash), serverId, expiresAt: new Date(expiresAt) } });
  },
  async find(nonceHash: Uint8Array): Promise<StoredToken | null> {
    const row = await prisma.token.findUnique({ where: { nonceHash: copy(nonceHash) } });
    if (!row) return null;
    return { serverId: row.serverId as ServerId, elicitationId: row.elicitationId as ElicitationId | null };
  },
  /** Binds it to this elicitation permanently, and keeps it until then. If several race for different ones, one gets true. */
  async bind(nonceHash: Uint8Array, elicitation: ElicitationId, until: number): Promise<boolean> {
    const bound = await prisma.$queryRaw<unknown[]>`
      UPDATE token SET elicitation_id = ${elicitation}, expires_at = greatest(expires_at, ${new Date(until)})
       WHERE nonce_hash = ${copy(nonceHash)} AND (elicitation_id IS NULL OR elicitation_id = ${elicitation})
      RETURNING 1 AS bound`;
    return bound.length === 1;
  },
  /** Remembers that the opening that would have become one request joined another; what is remembered stays. */
  async addJoining({ opening, joined, serverId, expiresAt }: Joining) {
    const nonceHash = copy(Buffer.from(opening));
    const data = { nonceHash, serverId, elicitationId: joined, expiresAt: new Date(expiresAt) };
    await prisma.token.createMany({ data, skipDuplicates: true });
  },
  /** What the opening joined that would have become this request; null if it is not remembered. */
  async joinedBy(opening: ElicitationId): Promise<ElicitationId | null> {
    const row = await prisma.token.findUnique({ where: { nonceHash: copy(Buffer.from(opening)) } });
    return (row?.elicitationId ?? null) as ElicitationId | null;
  },
  /** Deletes it. If several race, one gets true. */
  async take(nonceHash: Uint8Array): Promise<boolean> {
    const { count } = await prisma.token.deleteMany({ where: { nonceHash: copy(nonceHash) } });
    return count === 1;
  },
  /** Deletes those that expired before this time; what is bound to an open request stays. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM token WHERE nonce_hash IN (
          SELECT nonce_hash FROM token t WHERE expires_at < ${new Date(before)} AND NOT EXISTS (
            SELECT FROM elicitation e WHERE e.id = t.elicitation_id AND e.closed_at IS NULL)
           ORDER BY expires_at LIMIT ${max})`,
    ),
});

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
