import { Prisma } from '#platform/database/generated/prisma/client';
import type { Topic } from '../../contract/elicitation.ts';
import type { ElicitationId, ServerId } from '#platform/model/id';
import type { Database } from '#platform/database/database';
import { callerEpoch } from '#platform/database/epochs';
import type { Query } from '#platform/database/connection';

export interface OutboxEvent {
  /** Counts the changes of the installation in the order of their commits, without a gap. */
  place: number;
  topic: Topic;
  elicitationId: ElicitationId;
  serverId: ServerId;
  /** The epochs of keys and people when it was stored or read. */
  keys?: bigint;
  users?: bigint;
}

/** An event as the statement that stored it returns it. */
export interface StoredEvent extends OutboxEvent {
  /** Whether there are other nodes to tell it to. */
  hasOthers: boolean;
}

/** The most events that one read brings. */
export const outboxPage = 2000;

export const createOutbox = ({ query }: Pick<Database, 'query'>) => ({
  /** The place of the last change; whatever commits from now on has a later one. */
  async head(): Promise<number> {
    const [head] = await query<{ place: number }>(Prisma.sql`SELECT place::float8 FROM outbox_head WHERE id = 1`);
    return head?.place ?? 0;
  },
  /** The changes after this place in the order of their commits, at most a page of them. */
  readFrom: (place: number): Promise<OutboxEvent[]> =>
    query(Prisma.sql`
    SELECT ${eventFields} FROM outbox WHERE place > ${place}::float8::bigint ORDER BY outbox.place LIMIT ${outboxPage}`),
  /**
   * Deletes older events that have been planned; returns how many. A node whose clock was ahead has written younger ones before them,
   * so it looks behind those too, and stops after so many in a row. A reader that comes back later reads the rows.
   */
  async prune(before: number): Promise<number> {
    let deleted = 0;
    for (let after = 0, young = 0; young < youngParts;) {
      const part = await prunePart(query, after, before);
      deleted += part.deleted;
      if (part.read < partRows) return deleted;
      after = part.last;
      young = part.deleted > 0 ? 0 : young + 1;
    }
    return deleted;
  },
});

/** So many rows a statement reads and deletes within its time limit. */
const partRows = 10_000;
/** After so many parts in a row without an old event it stops: as a rule the first part has none, and all others are younger. */
const youngParts = 10;

async function prunePart(query: Query, after: number, before: number) {
  const [part] = await query<{ read: number; last: number; deleted: number }>(Prisma.sql`
    WITH part AS (
      SELECT place, at FROM outbox
       WHERE place > ${after}::float8::bigint
         AND place <= (SELECT place FROM outbox_reader WHERE name = 'notifications')
       ORDER BY place LIMIT ${partRows}
    ), gone AS (
      DELETE FROM outbox WHERE place IN (SELECT place FROM part WHERE at < ${new Date(before)}) RETURNING place
    )
    SELECT count(*)::int AS read, coalesce(max(place), 0)::float8 AS last, (SELECT count(*)::int FROM gone) AS deleted
      FROM part`);
  return part ?? { read: 0, last: after, deleted: 0 };
}

export type Outbox = ReturnType<typeof createOutbox>;

const eventFields = Prisma.sql`place::float8, topic, elicitation_id AS "elicitationId", server_id AS "serverId", ${callerEpoch}`;

/**
 * The end of a statement that changes elicitations: stores its events, a row of `changes` with (topic, id,
 * server_id, at) for each, and returns them. The head is taken last and held until the commit, so that no
 * change becomes visible before one with an earlier place.
 */
export const announce = (changes: Prisma.Sql): Prisma.Sql => Prisma.sql`
    news AS (
      SELECT row_number() OVER () AS number, change.* FROM (${changes}) change
    ), head AS (
      UPDATE outbox_head SET place = place + added FROM (SELECT count(*) AS added FROM news) n WHERE id = 1 AND added > 0
      RETURNING place - added AS before
    ), announced AS (
      INSERT INTO outbox (place, topic, elicitation_id, server_id, at)
      SELECT before + number, topic, id, server_id, at FROM news, head
      RETURNING *
    )
    SELECT ${eventFields}, ${hasOthers} AS "hasOthers" FROM announced ORDER BY announced.place`;

/** A node that comes later has read the place of the last change with its first beat. */
const hasOthers = Prisma.sql`(SELECT count(*) > 1 FROM node WHERE seen_at > now() - interval '30 seconds')`;
