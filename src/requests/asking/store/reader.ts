import { Prisma } from '#platform/database/generated/prisma/client';
import type { ElicitationId, ServerId, ToolCallId, UserId } from '#platform/model/id';
import { anyOf, moment } from '#platform/database/sql';
import { batch, type Database } from '#platform/database/database';
import type { Epoch } from '#platform/database/epochs';
import type { Ledger } from '#audit/entries/store/entries';
import {
  openSelected,
  selection,
  type SelectedElicitation,
  createProvenRows,
  inOrder,
  type ProvenRows,
  type ElicitationRow,
} from '../../state/store/row.ts';

/** A call that is not settled, and its questions in order. */
export interface OpenCall {
  id: ToolCallId;
  elicitations: ElicitationRow[];
}

interface ReadElicitation {
  row: ElicitationRow;
  epoch: Epoch;
}

export interface StoredVote {
  name: string;
  userId: string;
  /** The person they voted for. */
  forId: string | null;
  forName: string | null;
  revision: number;
  stage: number;
  action: 'accept' | 'decline';
  comment: Uint8Array | null;
  id: string;
  at: number;
}

type Before = Pick<ElicitationRow, 'id' | 'openedAt'>;

/** Requests to read: of one tool, and from one time until before another; all if absent. */
export interface Asked {
  tool?: string | undefined;
  from?: number | undefined;
  until?: number | undefined;
}

/**
 * Rows are read with their latest log entry: a row that was changed without the server is problem `unproven`. Only
 * `latest` reads rows without that check, because nothing is decided or delivered by it.
 */
export function createReader(ledger: Ledger) {
  const { prisma } = ledger;
  const proven = createProvenRows(ledger);
  const elicitationNow = createFinder(proven);

  return {
    /** The row as last committed, or null. */
    elicitation: async (id: ElicitationId): Promise<ElicitationRow | null> => (await elicitationNow(id))?.row ?? null,
    /** The same, with the epochs at the moment of reading. */
    elicitationNow,
    callElicitations: (id: ToolCallId): Promise<ElicitationRow[]> => proven.ofCall(id),
    /** The oldest open elicitation with one of these hashes, which is an equal request, or null. */
    async openEqual(hashes: Uint8Array[]): Promise<ElicitationRow | null> {
      const isEqual = Prisma.sql`e.equal_hash = ANY(${hashes}::bytea[]) AND e.status = 'open'`;
      const [stored] = await proven.select(isEqual, Prisma.sql`${inOrder} LIMIT 1`);
      return stored ? proven.open(stored) : null;
    },
    /** Open questions to the requester of one session, without those that do not match the log. */
    async openInSession(server: ServerId, hashes: Uint8Array[]): Promise<ElicitationRow[]> {
      const where = Prisma.sql`e.server_id = ${server} AND e.session_hash = ANY(${hashes}::bytea[])
        AND e.status = 'open' AND e.audience = 'requester'`;
      return proven.openSound(await proven.select(where, inOrder));
    },
    /** The unsettled call of this server with one of these name hashes, or null. */
    async callByName(server: ServerId, keyHashes: Uint8Array[]): Promise<OpenCall | null> {
      const [call] = await prisma.$queryRaw<{ id: ToolCallId }[]>`
        SELECT id FROM tool_call
         WHERE server_id = ${server} AND key_hash = ANY(${keyHashes}::bytea[]) AND state <> 'settled'`;
      if (!call) return null;
      return { id: call.id, elicitations: await proven.ofCall(call.id) };
    },
    /** Accepted elicitations of this server whose call has not been used. */
    async acceptedUnused(server: ServerId): Promise<ElicitationId[]> {
      const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
        SELECT e.id FROM tool_call c JOIN elicitation e ON e.tool_call_id = c.id
         WHERE c.server_id = ${server} AND c.state <> 'settled' AND c.lapse IS NULL AND e.status = 'accepted'
         ORDER BY e.closed_at, e.id`;
      return rows.map(({ id }) => id);
    },
    votes: (id: ElicitationId): Promise<StoredVote[]> => findVotes(prisma, id),
    /** Open elicitations with a vote by or for this person. */
    async openWithVoteOf(user: UserId): Promise<ElicitationId[]> {
      const holds = (vote: object) => Prisma.sql`snapshot #> '{context,votes}' @> ${JSON.stringify([vote])}::jsonb`;
      const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
        SELECT id FROM elicitation
         WHERE status = 'open' AND readers && ARRAY['anyone', ${user}] AND (${holds({ by: user })} OR ${holds({ for: user })})`;
      return rows.map(({ id }) => id);
    },
    /** The latest elicitations of this choice before this one, newest first. */
    latest: (limit: number, before: Before | null, choice?: Asked): Promise<ElicitationRow[]> =>
      readLatest(prisma, limit, { before, ...choice }),
    /** The people who edited it. */
    async editors(id: ElicitationId): Promise<string[]> {
      const rows = await prisma.revision.findMany({ where: { elicitationId: id }, select: { userId: true } });
      return [...new Set(rows.map(({ userId }) => userId))];
    },
    /** The bodies of its audit entries, oldest first. */
    async history(id: ElicitationId): Promise<Uint8Array[]> {
      const rows = await prisma.$queryRaw<{ body: Uint8Array }[]>`
        SELECT body FROM audit_entry WHERE elicitation_id = ${id} ORDER BY seq`;
      return rows.map(({ body }) => body);
    },
  };
}

export type Reader = ReturnType<typeof createReader>;

/** Callers that ask together share a statement. */
function createFinder(proven: ProvenRows): (id: ElicitationId) => Promise<ReadElicitation | null> {
  const find = batch(async (ids: ElicitationId[]) => {
    const rows = await proven.selectNow(Prisma.sql`e.id = ${anyOf(Prisma.sql`${ids}::text[]`)}`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  return async (id) => {
    const stored = await find(id);
    if (!stored) return null;
    const { policies, users, stops, keys } = stored;
    return { row: proven.open(stored), epoch: { policies, users, stops, keys } };
  };
}

async function readLatest(
  prisma: Ledger['prisma'],
  limit: number,
  { before, tool, from = 0, until }: Asked & { before: Before | null },
): Promise<ElicitationRow[]> {
  const older = before
    ? Prisma.sql`(e.opened_at, e.id) < (${moment(before.openedAt)}, ${before.id})`
    : Prisma.sql`true`;
  const rows = await prisma.$queryRaw<SelectedElicitation[]>`
    SELECT ${selection} FROM elicitation e JOIN server s ON s.id = e.server_id
     WHERE ${older} AND (${tool ?? null}::text IS NULL OR e.tool = ${tool ?? null})
       AND e.opened_at >= ${moment(from)}
       AND (${until ?? null}::bigint IS NULL OR e.opened_at < ${moment(until ?? null)})
     ORDER BY e.opened_at DESC, e.id DESC LIMIT ${limit}`;
  return rows.map(openSelected);
}

async function findVotes(prisma: Ledger['prisma'], id: ElicitationId): Promise<StoredVote[]> {
  const rows = await prisma.$queryRaw<FoundVote[]>`
    SELECT v.id, v.user_id AS "userId", a.name, v.for_id AS "forId", f.name AS "forName", v.revision, v.stage,
      v.action, v.comment, v.at
      FROM vote v JOIN app_user a ON a.id = v.user_id LEFT JOIN app_user f ON f.id = v.for_id WHERE v.elicitation_id = ${id} ORDER BY v.at, v.id`;
  return rows.map(({ at, ...vote }) => ({ ...vote, at: at.getTime() }));
}

type FoundVote = Omit<StoredVote, 'at'> & { at: Date };

/** Requests with the same groups are counted together, since thousands may name the same thousands of people. */
const openByUser = Prisma.sql`
  SELECT user_id, sum(open)::int AS open
    FROM (
      SELECT e.snapshot #> ARRAY['context', 'stages', e.snapshot #>> '{context,stage}', 'groups'] AS groups,
          count(*) AS open
        FROM elicitation e WHERE e.status = 'open' AND e.audience = 'approvers' GROUP BY 1) waiting,
    LATERAL (
      SELECT DISTINCT user_id
        FROM jsonb_array_elements(groups) g,
          jsonb_array_elements_text(CASE jsonb_typeof(g -> 'approvers') WHEN 'array' THEN g -> 'approvers' END) user_id
    ) named
   GROUP BY user_id`;

/** Milliseconds that a count is used. */
const freshness = 1_000;
/** The most counts kept. */
const maxKept = 10_000;

/** Counts of waiting requests, up to a second old, plus the requests that this node was asked for since. */
export function createLoad({ query }: Pick<Database, 'query'>) {
  const counted = new Map<string, { open: number; until: number }>();
  let loads: { open: Map<string, number>; until: number } | undefined;

  async function count(key: string, where: Prisma.Sql, most: number): Promise<number> {
    const cachedLoad = counted.get(key);
    if (cachedLoad && cachedLoad.until > performance.now() && cachedLoad.open < most) return cachedLoad.open++;
    const [row] = await query<{ open: number }>(Prisma.sql`
      SELECT count(*)::int AS open FROM (
        SELECT FROM elicitation WHERE ${where} AND status = 'open' LIMIT ${most}) waiting`);
    const open = row?.open ?? 0;
    if (counted.size >= maxKept) counted.clear();
    counted.set(key, { open: open + 1, until: performance.now() + freshness });
    return open;
  }

  // Openings that need it at the same time share one statement, each one that began after them.
  const readLoads = batch(
    async (callers: null[]) => {
      const rows = await query<{ user_id: string; open: number }>(openByUser);
      const open = new Map(rows.map((row) => [row.user_id, row.open]));
      loads = { open, until: performance.now() + freshness };
      return callers.map(() => open);
    },
    { maxSize: 1024, concurrency: 1 },
  );

  return {
    /** Open requests of one server, counted up to `most`. A count that reaches it is fresh. */
    ofServer: (server: ServerId, most: number): Promise<number> =>
      count(server, Prisma.sql`server_id = ${server} AND closed_at IS NULL`, most),
    ofRequester: (hash: Uint8Array, most: number): Promise<number> =>
      count(Buffer.from(hash).toString('base64'), Prisma.sql`requester_hash = ${hash}`, most),
    /** True if there are people, and each has `most` open requests waiting for them by name in their current stages. */
    async areFull(users: string[], most: number): Promise<boolean> {
      if (users.length === 0) return false; // an escalation may add others
      const full = (open: Map<string, number>) => users.every((user) => (open.get(user) ?? 0) >= most);
      const currentLoads = loads && loads.until > performance.now() ? loads.open : await readLoads(null);
      if (full(currentLoads) && full(await readLoads(null))) return true;
      for (const user of users) loads?.open.set(user, (loads.open.get(user) ?? 0) + 1);
      return false;
    },
  };
}

interface DueIds {
  ids: ElicitationId[];
  /** When the next timer after `now` is due, in milliseconds since 1970; null if there is none. */
  nextAt: number | null;
}

export const createDueTimers = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /**
   * Takes up to `limit` open elicitations whose timer is due. Other nodes skip them until `leaseUntil`, after which
   * they are due again if this node has died. Only the following step decides anything.
   */
  async take(now: number, leaseUntil: number, limit: number): Promise<DueIds> {
    const [due] = await prisma.$queryRaw<[DueIds]>`
      WITH taken AS (
        UPDATE elicitation SET wake_at = ${moment(leaseUntil)}
         WHERE id IN (
           SELECT id FROM elicitation WHERE wake_at <= ${moment(now)} AND status = 'open'
            ORDER BY wake_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING id)
      SELECT ARRAY(SELECT id FROM taken) AS ids,
        (SELECT (extract(epoch FROM wake_at) * 1000)::float8 FROM elicitation
          WHERE wake_at > ${moment(now)} AND status = 'open' ORDER BY wake_at LIMIT 1) AS "nextAt"`;
    return due;
  },
});
