import { Prisma } from '../../generated/prisma/client.ts';
import type { Topic } from '../../model/elicitation.ts';
import type { ElicitationId, ServerId } from '../../model/id.ts';
import type { Database } from '../database/database.ts';

export interface OutboxEvent {
  /** Unique; an event may be read more than once. */
  id: string;
  topic: Topic;
  elicitationId: ElicitationId;
  serverId: ServerId;
  /** Reading from here finds every event after this one, and every earlier one that was not committed yet. */
  place: string;
}

export interface OutboxReading {
  events: OutboxEvent[];
  /** Where the next read begins. It finds every event that commits later, whatever its id. */
  position: string;
}

export interface Outbox {
  /** The position from which a reader misses nothing that commits from now on. */
  head(): Promise<string>;
  /**
   * All events, in the order of the writing transactions. Events that may have gaps below them are read again by the
   * next call.
   */
  readFrom(position: string): Promise<OutboxReading>;
  /** Deletes older events. A reader that comes back later reads the rows. */
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
 * Ids are assigned before commit, so they give no reading order. All transactions below the oldest running one have
 * ended: the next read begins at that horizon, and reads again what is above it.
 */
export function createOutbox({ prisma, query }: Pick<Database, 'prisma' | 'query'>): Outbox {
  const readPage = (xid: string, id: string): Promise<Found[]> =>
    query(Prisma.sql`
    SELECT h.horizon::text, o.id::text, o.xid::text, o.topic, o.elicitation_id, o.server_id
      FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) h
      LEFT JOIN outbox o ON (o.xid, o.id) > (${xid}::text::xid8, ${id}::text::bigint)
     ORDER BY o.xid, o.id LIMIT ${pageSize}`);

  return {
    async head() {
      const [row] = await prisma.$queryRaw<{ horizon: string }[]>`
        SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon`;
      return row?.horizon ?? '0';
    },
    async readFrom(position) {
      const [xid = '0', id = '0'] = position.split('.');
      let page = await readPage(xid, id);
      // The first page's horizon: what commits below a later page's horizon may be before that page's beginning.
      const horizon = page[0]?.horizon ?? xid;
      const events = page.flatMap((row) => toEvent(row, horizon));
      for (let last = page.at(-1); page.length === pageSize && last?.xid && last.id; last = page.at(-1)) {
        page = await readPage(last.xid, last.id);
        for (const row of page) events.push(...toEvent(row, horizon));
      }
      return { events, position: horizon };
    },
    async prune(before) {
      const { count } = await prisma.outbox.deleteMany({ where: { at: { lt: new Date(before) } } });
      return count;
    },
  };
}

function toEvent({ id, xid, topic, elicitation_id, server_id }: Found, horizon: string): OutboxEvent[] {
  if (!id || !xid || !topic || !elicitation_id || !server_id) return [];
  const place = BigInt(xid) < BigInt(horizon) ? `${xid}.${id}` : horizon;
  return [{ id, topic, elicitationId: elicitation_id, serverId: server_id, place }];
}
