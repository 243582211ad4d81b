import type { ElicitationId, ServerId } from '../model/id.ts';
import type { Topic } from '../machine/step.ts';
import type { Database } from './database.ts';

export interface OutboxEvent {
  /** Unique; an event may be read more than once. */
  id: string;
  topic: Topic;
  elicitationId: ElicitationId;
  serverId: ServerId;
}

export interface OutboxPage {
  events: OutboxEvent[];
  /** Read on from here. Every event that commits later is found from here, whatever its id. */
  position: string;
  /** False where the page was full. */
  isLast: boolean;
}

export interface Outbox {
  /** The position from which nothing that commits from now on is missed. */
  head(): Promise<string>;
  /** In the order of writing transactions. What was still being written is read again by the next call. */
  readFrom(position: string): Promise<OutboxPage>;
  /** Forgets what is older; who comes back later reads the rows. */
  prune(before: number): Promise<number>;
}

const pageSize = 2000;

interface Found {
  horizon: string;
  id: string | null;
  xid: string | null;
  topic: Topic | null;
  elicitation_id: ElicitationId | null;
  server_id: ServerId | null;
}

/**
 * Ids are given out before commit, so their order is no reading order. All transactions below the oldest one still
 * running have ended: the page's position is that horizon, and what lies above it is read again.
 */
export function createOutbox({ prisma }: Pick<Database, 'prisma'>): Outbox {
  return {
    async head() {
      const [row] = await prisma.$queryRaw<{ horizon: string }[]>`
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon`;
      return row?.horizon ?? '0';
    },
    async readFrom(position) {
      const found = await prisma.$queryRaw<Found[]>`
        SELECT h.horizon::text, o.id::text, o.xid::text, o.topic, o.elicitation_id, o.server_id
          FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) h
          LEFT JOIN outbox o ON o.xid >= ${position}::text::xid8
         ORDER BY o.xid, o.id LIMIT ${pageSize}`;
      const isLast = found.length < pageSize;
      const last = found.at(-1);
      const horizon = last?.horizon ?? position;
      return { events: found.flatMap(toEvent), position: isLast ? horizon : (last?.xid ?? horizon), isLast };
    },
    async prune(before) {
      const { count } = await prisma.outbox.deleteMany({ where: { at: { lt: new Date(before) } } });
      return count;
    },
  };
}

const toEvent = ({ id, topic, elicitation_id, server_id }: Found): OutboxEvent[] =>
  id && topic && elicitation_id && server_id ? [{ id, topic, elicitationId: elicitation_id, serverId: server_id }] : [];
