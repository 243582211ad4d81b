import { Prisma } from '#platform/database/generated/prisma/client';
import type { ElicitationId, ServerId, ToolCallId, UserId } from '#platform/model/id';
import { anyOf } from '#platform/database/sql';
import { batch } from '#platform/database/database';
import type { Epoch } from '#platform/database/epochs';
import type { Ledger } from '#audit/entries/store/entries';
import { openSelected, selection, type SelectedElicitation } from '../../../state/store/row/selected.ts';
import { createProvenRows, inOrder, type ProvenRows } from '../../../state/store/row/proven-rows.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { moment } from '#platform/database/sql';

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

/** Which requests to read: of one tool, and from one time until before another; all if absent. */
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
