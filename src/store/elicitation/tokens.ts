import type { ElicitationId, ServerId } from '../../model/id.ts';
import type { Database } from '../database/database.ts';

export interface StoredToken {
  serverId: ServerId;
  /** Null until the question it was made for is asked. */
  elicitationId: ElicitationId | null;
}

/** Tokens that were made before their elicitation, known by the hash of their nonce. */
export interface Tokens {
  add(token: { nonceHash: Uint8Array; serverId: ServerId; expiresAt: number }): Promise<void>;
  find(nonceHash: Uint8Array): Promise<StoredToken | null>;
  /** Binds it to this elicitation for good; of any number racing for different ones, one gets true. */
  bind(nonceHash: Uint8Array, elicitation: ElicitationId): Promise<boolean>;
  /** Forgets it: of any number that bring one back, one gets true. */
  take(nonceHash: Uint8Array): Promise<boolean>;
  /** Forgets those that expired before. */
  prune(before: number): Promise<number>;
}

export const createTokens = ({ prisma }: Pick<Database, 'prisma'>): Tokens => ({
  async add({ nonceHash, serverId, expiresAt }) {
    await prisma.token.create({ data: { nonceHash: copy(nonceHash), serverId, expiresAt: new Date(expiresAt) } });
  },
  async find(nonceHash) {
    const row = await prisma.token.findUnique({ where: { nonceHash: copy(nonceHash) } });
    if (!row) return null;
    return { serverId: row.serverId as ServerId, elicitationId: row.elicitationId as ElicitationId | null };
  },
  async bind(nonceHash, elicitation) {
    const bound = await prisma.$queryRaw<unknown[]>`
      UPDATE token SET elicitation_id = ${elicitation}
       WHERE nonce_hash = ${copy(nonceHash)} AND (elicitation_id IS NULL OR elicitation_id = ${elicitation})
      RETURNING 1 AS bound`;
    return bound.length === 1;
  },
  async take(nonceHash) {
    const { count } = await prisma.token.deleteMany({ where: { nonceHash: copy(nonceHash) } });
    return count === 1;
  },
  async prune(before) {
    const { count } = await prisma.token.deleteMany({ where: { expiresAt: { lt: new Date(before) } } });
    return count;
  },
});

/** Prisma wants bytes over an ArrayBuffer of their own. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
