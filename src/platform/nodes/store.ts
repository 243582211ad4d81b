import { Prisma } from '../database/generated/prisma/client.ts';
import { ownServer } from '../model/names.ts';
import type { StreamSign } from '#audit/streams/contract';
import type { Database } from '../database/database.ts';
import type { Query } from '../database/connection.ts';
import { timeColumn } from '../database/sql.ts';
import { streamSigns } from '#audit/streams/store';

export interface ServingNode {
  id: string;
  kids: readonly string[];
  activeKid: string;
  /** Settings of the node; empty for a node of an earlier version. */
  settings?: SharedSettings;
}

/** Settings that must be the same at all nodes: their version, and the rules for decisions. */
export type SharedSettings = Record<string, string | number | boolean | null>;

/** Waiting work of a node, at one moment. Times are milliseconds since 1970, and null if nothing waits. */
export interface Signs {
  /** The place of the last change. */
  place: number;
  /** Due times of the next timer, the next notification, and the next message in chat. */
  timerAt: number | null;
  notificationAt: number | null;
  chatAt: number | null;
  /** Do entries wait for their place in the log, and accepted changes of power to be made? */
  isUnplaced: boolean;
  isUnapplied: boolean;
  /** Does another living node have other settings? */
  hasOtherSettings: boolean;
  /** Progress of each stream of the log. */
  streams: StreamSign[];
}

/** The kid that all nodes must seal with, the database's time, and the signs. */
type Heartbeat = Signs & { kid: string | null; at: number };

/** The running nodes. */
export const createNodes = ({ prisma, query }: Pick<Database, 'prisma' | 'query'>) => ({
  /** Announces this node, and reads all the needs of an idle node in the same statement. */
  async heartbeat(node: ServingNode): Promise<Heartbeat> {
    const [heartbeat] = await query<Heartbeat>(Prisma.sql`
      WITH announced AS (${announce(node)})
      SELECT (SELECT kid FROM secret WHERE active_at IS NOT NULL ORDER BY active_at DESC LIMIT 1) AS kid, ${timeColumn},
        (SELECT place::float8 FROM outbox_head WHERE id = 1) AS place,
        (SELECT ${milliseconds('wake_at')} FROM elicitation WHERE wake_at IS NOT NULL AND status = 'open'
          ORDER BY wake_at LIMIT 1) AS "timerAt",
        (SELECT ${milliseconds('due_at')} FROM notification WHERE state = 'due' ORDER BY due_at LIMIT 1) AS "notificationAt",
        (SELECT ${milliseconds('due_at')} FROM chat_message WHERE shown < wanted ORDER BY due_at LIMIT 1) AS "chatAt",
        EXISTS (SELECT FROM audit_queue WHERE seq > 0) AS "isUnplaced",
        -- The calls come first: a plan that began at the accepted requests would read all of them.
        EXISTS (SELECT FROM (SELECT id FROM tool_call
             WHERE server_id = ${ownServer.id} AND state <> 'settled' AND lapse IS NULL OFFSET 0) c
           JOIN elicitation e ON e.tool_call_id = c.id WHERE e.status = 'accepted') AS "isUnapplied",
        EXISTS (SELECT FROM node WHERE seen_at > now() - interval '30 seconds' AND id <> ${node.id}
           AND settings <> ${settingsOf(node)}::jsonb AND settings <> '{}') AS "hasOtherSettings",
        ${streamSigns} AS streams`);
    return heartbeat as Heartbeat;
  },
  /** Nodes that announced themselves within the last half minute. */
  live: (): Promise<ServingNode[]> => readLive(prisma),
  /** Nodes that fell silent within the last day without leaving, such as killed ones, and when. */
  silent: (): Promise<{ id: string; at: number }[]> =>
    query(Prisma.sql`
      SELECT id, ${milliseconds('seen_at')} AS at FROM node
       WHERE seen_at BETWEEN now() - interval '1 day' AND now() - interval '30 seconds' ORDER BY seen_at DESC`),
  async leave(id: string) {
    await prisma.$executeRaw`DELETE FROM node WHERE id = ${id} OR seen_at < now() - interval '1 day'`;
  },
  /** Stores this node's proof of the log. */
  async keepProof(id: string, proof: Uint8Array) {
    await prisma.$executeRaw`UPDATE node SET proof = ${proof} WHERE id = ${id}`;
  },
  /** Proofs of the log by the living nodes. */
  proofs: (): Promise<{ id: string; proof: Uint8Array }[]> => readProofs(query),
});

type Nodes = ReturnType<typeof createNodes>;

const milliseconds = (column: 'wake_at' | 'due_at' | 'seen_at'): Prisma.Sql =>
  Prisma.sql`(extract(epoch FROM ${Prisma.raw(column)}) * 1000)::float8`;

const settingsOf = ({ settings = {} }: Pick<ServingNode, 'settings'>): string => JSON.stringify(settings);

/** Writes only new values, or after ten seconds: a third of the silence after which a node counts as gone. */
const announce = ({ id, kids, activeKid, ...node }: ServingNode): Prisma.Sql => Prisma.sql`
  INSERT INTO node (id, kids, active_kid, settings, seen_at)
  SELECT ${id}, ${kids}::text[], ${activeKid}, ${settingsOf(node)}::jsonb, now()
   WHERE NOT EXISTS (SELECT FROM node WHERE id = ${id} AND kids = ${kids}::text[] AND active_kid = ${activeKid}
                        AND settings = ${settingsOf(node)}::jsonb
                        AND seen_at > now() - interval '10 seconds')
  ON CONFLICT (id) DO UPDATE SET kids = excluded.kids, active_kid = excluded.active_kid, settings = excluded.settings,
    seen_at = excluded.seen_at`;

/** Proofs of the log by the living nodes, over the given connection. */
export const readProofs = (query: Query): ReturnType<Nodes['proofs']> =>
  query(Prisma.sql`
    SELECT id, proof FROM node WHERE proof IS NOT NULL AND seen_at > now() - interval '30 seconds'`);

/** Living nodes by the database's clock: one that was silent for half a minute has gone. */
export const readLive = (prisma: Pick<Database['prisma'], '$queryRaw'>): Promise<ServingNode[]> =>
  prisma.$queryRaw<ServingNode[]>`
    SELECT id, kids, active_kid AS "activeKid", settings FROM node WHERE seen_at > now() - interval '30 seconds' ORDER BY id`;
