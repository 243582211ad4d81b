import { Prisma } from '../generated/prisma/client.ts';
import type { Database } from './database/database.ts';
import type { Query } from './database/query.ts';
import { timeColumn } from './database/time.ts';

export interface ServingNode {
  id: string;
  kids: readonly string[];
  activeKid: string;
}

/** The running nodes. */
export interface Nodes {
  /** Announces this node; returns the kid that all nodes must seal with, and the database's time. */
  beat(node: ServingNode): Promise<{ kid: string | null; at: number }>;
  /** Nodes that announced themselves within the last half minute. */
  living(): Promise<ServingNode[]>;
  leave(id: string): Promise<void>;
  /** Keeps what this node says of the log. */
  keepProof(id: string, proof: Uint8Array): Promise<void>;
  /** What the living nodes say of the log. */
  proofs(): Promise<{ id: string; proof: Uint8Array }[]>;
}

export const createNodes = ({ prisma, query }: Pick<Database, 'prisma' | 'query'>): Nodes => ({
  async beat(node) {
    await prisma.$executeRaw`
      INSERT INTO node (id, kids, active_kid, seen_at) VALUES (${node.id}, ${node.kids}, ${node.activeKid}, now())
      ON CONFLICT (id) DO UPDATE SET kids = excluded.kids, active_kid = excluded.active_kid, seen_at = excluded.seen_at`;
    const [answer] = await prisma.$queryRaw<[{ kid: string | null; at: number }]>`
      SELECT (SELECT kid FROM secret WHERE active_at IS NOT NULL ORDER BY active_at DESC LIMIT 1) AS kid, ${timeColumn}`;
    return answer;
  },
  living: () => readLiving(prisma),
  async leave(id) {
    await prisma.$executeRaw`DELETE FROM node WHERE id = ${id} OR seen_at < now() - interval '1 day'`;
  },
  async keepProof(id, proof) {
    await prisma.$executeRaw`UPDATE node SET proof = ${proof} WHERE id = ${id}`;
  },
  proofs: () => readProofs(query),
});

/** What the living nodes say of the log, over the given connection. */
export const readProofs = (query: Query): ReturnType<Nodes['proofs']> =>
  query(Prisma.sql`
    SELECT id, proof FROM node WHERE proof IS NOT NULL AND seen_at > now() - interval '30 seconds'`);

/** By the database's clock: a node that was silent for half a minute is gone. */
export const readLiving = (prisma: Pick<Database['prisma'], '$queryRaw'>): Promise<ServingNode[]> =>
  prisma.$queryRaw<ServingNode[]>`
    SELECT id, kids, active_kid AS "activeKid" FROM node WHERE seen_at > now() - interval '30 seconds' ORDER BY id`;
