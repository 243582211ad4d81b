import { Prisma } from './generated/prisma/client.ts';
import type { Database } from './database.ts';

/** Current figures of the database for operators. */
interface Gauges {
  /** Waiting requests by audience, and the time at which the oldest was opened. */
  open: { audience: string; count: number; oldest: Date }[];
  /** Changes after this place of the outbox that a node has not announced yet. */
  untold: number;
  /** Changes not yet planned as notifications. */
  unplanned: number;
  /** Messages waiting to be sent. */
  due: number;
  /** Entries without a place in the log. */
  unplaced: number;
  /** Time of the last complete `assentry backup`; null if none. */
  backup: Date | null;
}

/** Reads the figures by partial indexes and short tables, so that it is cheap every few seconds. */
export type ReadGauges = (place: number) => Promise<Gauges>;

export const createReadGauges = ({ query }: Pick<Database, 'query'>): ReadGauges => {
  return async (place) => {
    const open = await query<Gauges['open'][number]>(Prisma.sql`
      SELECT audience, count(*)::int AS count, min(opened_at) AS oldest
        FROM elicitation WHERE status = 'open' GROUP BY audience`);
    const [row] = await query<Omit<Gauges, 'open'>>(Prisma.sql`
      SELECT (SELECT place::float8 FROM outbox_head WHERE id = 1) - ${place}::float8 AS untold,
        (SELECT place FROM outbox_head WHERE id = 1)::float8
          - (SELECT place FROM outbox_reader WHERE name = 'notifications')::float8 AS unplanned,
        (SELECT count(*)::int FROM chat_message WHERE shown < wanted)
          + (SELECT count(*)::int FROM notification WHERE state = 'due') AS due,
        (SELECT count(*)::int FROM audit_queue WHERE seq > 0) AS unplaced,
        (SELECT at FROM last_backup WHERE id = 1) AS backup`);
    return {
      open,
      untold: row?.untold ?? 0,
      unplanned: row?.unplanned ?? 0,
      due: row?.due ?? 0,
      unplaced: row?.unplaced ?? 0,
      backup: row?.backup ?? null,
    };
  };
};
