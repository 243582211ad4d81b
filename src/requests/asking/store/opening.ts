import { Prisma } from '#platform/database/generated/prisma/client';
import type { Topic } from '../contract/elicitation.ts';
import type { ElicitationId, ServerId, ToolCallId } from '#platform/model/id';
import { type Database, inBatches } from '#platform/database/database';
import { callerEpoch, epochFields, epochInput, isEpochOf, type Epoch } from '#platform/database/epochs';
import type { Query } from '#platform/database/connection';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { Evidence, SealedEntry } from '#audit/entries/rules/evidence';
import { boolean, integer, json, numeric, recordset, text, time, type RowOf } from '#platform/database/sql';
import { insertEntries, entryTable } from '#audit/entries/store/entries';
import {
  elicitationTable,
  lookBackDigest,
  columnsOf,
  readersOf,
  unreviewed,
  type NewElicitation,
  type NewToolCall,
} from '../../state/store/row.ts';
import { grantTable } from '../../grants/store/tables.ts';
import { toolCallTable, openedCall, type ToolCallRow } from '../../claims/store.ts';
import { lookBackTable } from '../../deliberation/store/tables.ts';
import { usedGrant, type GrantRow } from '../../grants/store/grants.ts';
import { isStopped } from '../../stops/store.ts';

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

/** Rows that one statement reads and deletes within its time limit. */
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

export interface Opening {
  /** The call to make first; null if the elicitation joins an existing call. */
  call: NewToolCall | null;
  elicitation: NewElicitation;
  entry: AuditEntry;
  /** The log entry if a policy decided it when it was asked. */
  decided: AuditEntry | null;
  /** The use of a standing approval that answers it: taken with it, or nothing is stored. */
  grant: { row: GrantRow; amount: number } | null;
  /** Was it allowed, and drawn for a later look? */
  isSampled: boolean;
  /** Does its policy announce it in chat? */
  isTold: boolean;
  /** Verdicts of versions in shadow mode. */
  shadows: ShadowRecord[];
  /** The epochs of the people, policies and keys by which it was judged. */
  epoch?: Partial<Epoch>;
}

export interface ShadowRecord {
  /** name@version */
  policy: string;
  live: string;
  shadow: string;
}

const useColumns = grantTable.only('usesLeft', 'budgetLeft');

/** Input of the statement: the row, and everything stored with it. */
const input = recordset({
  ...elicitationTable.columns,
  call: json<object | null>(),
  entries: json<object[]>(),
  shadows: json<ShadowRecord[]>(),
  isTold: boolean(),
  lookBack: json<object | null>(),
  grantId: text<string | null>(),
  ...useColumns.columns,
  usesBefore: integer<number | null>(),
  budgetBefore: numeric<string | null>(),
  reviewBefore: time<number | null>(),
  ...epochInput,
});

/** One statement that stores each opening with everything that belongs to it, and answers with what is to be announced. */
export function openingStatement(evidence: Evidence, openings: Opening[]): Prisma.Sql {
  return new Prisma.Sql(statement.strings, [JSON.stringify(openings.map((opening) => inputOf(evidence, opening)))]);
}

/** Every row that the opening makes, in the JSON of the statement and, by its digest, in its entries. */
function inputOf(evidence: Evidence, opening: Opening): object {
  const { call, elicitation, grant, isTold, shadows, epoch } = opening;
  const row = columnsOf({ ...elicitation, readers: readersOf(elicitation.state) });
  const madeCall = call && openedCall(call, elicitation);
  const lookBack = opening.isSampled ? { elicitationId: row.id, at: row.openedAt, ...unreviewed } : null;
  return input.toJson({
    ...row,
    call: madeCall && toolCallTable.toJson(madeCall),
    lookBack: lookBack && lookBackTable.toJson(lookBack),
    entries: sealOpening(evidence, opening, { row, madeCall, lookBack }).map(entryTable.toJson),
    shadows,
    isTold,
    ...useOf(grant),
    ...epochFields(epoch),
  });
}

interface Rows {
  row: RowOf<typeof elicitationTable.columns>;
  madeCall: ToolCallRow | null;
  lookBack: RowOf<typeof lookBackTable.columns> | null;
}

/** The entries of an opening, with the digest of every row after it. */
function sealOpening(
  evidence: Evidence,
  { entry, decided, grant }: Opening,
  { row, madeCall, lookBack }: Rows,
): SealedEntry[] {
  const digests = { [row.id]: elicitationTable.digest(row) };
  const callDigests = madeCall && { [madeCall.id]: toolCallTable.digest(madeCall) };
  const opened = evidence.seal(entry, { ...digests, ...callDigests }, row.toolCallId);
  if (!decided) return [opened];
  const used = grant && { [grant.row.id]: grantTable.digest(usedGrant(grant.row, grant.amount)) };
  const drawn = lookBack && lookBackDigest(lookBack);
  return [opened, evidence.seal(decided, { ...digests, ...used, ...drawn }, grant?.row.id)];
}

/** Takes a use of the standing approval only if it is unchanged since it was read. */
function useOf(grant: Opening['grant']) {
  const used = grant && usedGrant(grant.row, grant.amount);
  return {
    grantId: grant?.row.id ?? null,
    usesBefore: grant?.row.usesLeft ?? null,
    usesLeft: used?.usesLeft ?? null,
    budgetBefore: grant?.row.budgetLeft ?? null,
    budgetLeft: used?.budgetLeft ?? null,
    reviewBefore: grant?.row.reviewAt ?? null,
  };
}

/**
 * A late copy of an opening is known by the id that follows from its idempotency key, whether it was opened or joined.
 * Of an EXISTS the planner might hash the whole table instead.
 */
const isRepeated = Prisma.sql`coalesce((SELECT true FROM elicitation e WHERE e.id = input.id),
        (SELECT true FROM token t WHERE t.nonce_hash = convert_to(input.id, 'UTF8')), false)`;

/** Its one parameter is the JSON of the rows. */
const statement = Prisma.sql`
    WITH input AS (
      SELECT * FROM jsonb_to_recordset(${null}::jsonb) AS input(${input.definition})
       WHERE ${isEpochOf(Prisma.sql`input`)} AND NOT ${isStopped(Prisma.sql`input`)} AND NOT ${isRepeated}
    ), used AS (
      UPDATE app_grant AS g SET ${useColumns.assignments('i')}
        FROM input AS i
       WHERE g.id = i.grant_id AND g.revoked_at IS NULL AND g.suspended_at IS NULL
         AND g.expires_at > to_timestamp(i.opened_at / 1000.0)
         AND (g.review_at IS NULL OR g.review_at > to_timestamp(i.opened_at / 1000.0))
         AND g.uses_left IS NOT DISTINCT FROM i.uses_before AND g.budget_left IS NOT DISTINCT FROM i.budget_before
         AND g.review_at IS NOT DISTINCT FROM to_timestamp(i.review_before / 1000.0)
         AND coalesce(i.uses_left, 0) >= 0 AND coalesce(i.budget_left, 0) >= 0
         -- A repeated call joins, and uses nothing.
         AND NOT EXISTS (SELECT FROM tool_call c WHERE c.server_id = i.server_id
           AND c.key_hash = decode(i.call->>'key_hash', 'base64') AND c.state <> 'settled')
      RETURNING g.id
    ), call AS (
      INSERT INTO tool_call (${toolCallTable.list})
      SELECT ${toolCallTable.values('c')}
        FROM input i, jsonb_to_record(i.call) AS c(${toolCallTable.definition})
       WHERE i.call IS NOT NULL AND i.wish <> '' AND (i.grant_id IS NULL OR i.grant_id IN (SELECT id FROM used))
      ON CONFLICT DO NOTHING
      RETURNING id
    ), opened AS (
      INSERT INTO elicitation (${elicitationTable.list})
      SELECT ${elicitationTable.values('i')}
        FROM input i WHERE (i.call IS NULL OR i.wish = '' OR i.tool_call_id IN (SELECT id FROM call))
          AND (i.grant_id IS NULL OR i.grant_id IN (SELECT id FROM used))
      ON CONFLICT DO NOTHING
      RETURNING id
    ), followed AS (
      -- A call without a name is found by its question, so the question is stored before its call.
      INSERT INTO tool_call (${toolCallTable.list})
      SELECT ${toolCallTable.values('c')}
        FROM input i JOIN opened USING (id), jsonb_to_record(i.call) AS c(${toolCallTable.definition})
       WHERE i.wish = ''
    ), entry AS (
      ${insertEntries(Prisma.sql`input JOIN opened USING (id)`, Prisma.sql`entries`)}
    ), shadowed AS (
      INSERT INTO shadow_result (elicitation_id, policy, live, shadow, at)
      SELECT id, seen.policy, live, shadow, to_timestamp(opened_at / 1000.0)
        FROM input JOIN opened USING (id), jsonb_to_recordset(shadows) AS seen(policy text, live text, shadow text)
    ), sampled AS (
      -- What a policy allowed and chose for a later look.
      INSERT INTO look_back (${lookBackTable.list})
      SELECT ${lookBackTable.values('l')}
        FROM input i JOIN opened USING (id), jsonb_to_record(i.look_back) AS l(${lookBackTable.definition})
       WHERE i.look_back IS NOT NULL
    ), told AS (
      -- What its policy announces in chat.
      INSERT INTO chat_request (elicitation_id) SELECT id FROM input JOIN opened USING (id) WHERE is_told
    ), ${announce(Prisma.sql`
      SELECT CASE status WHEN 'open' THEN 'opened' ELSE 'closed' END AS topic, id, server_id,
        to_timestamp(opened_at / 1000.0) AS at FROM input JOIN opened USING (id)`)}`;

interface OnceCall {
  serverId: ServerId;
  /** The active hash of the name, then those from before a rotation. */
  keyHashes: readonly Uint8Array[];
}

/** The names of calls that run at most once. */
export const createOnceCalls = ({ prisma }: Pick<Database, 'prisma'>) => ({
  /** Has a call of this name been claimed, apart from this one? */
  async hasRun({ serverId, keyHashes }: OnceCall, besides: ToolCallId | null): Promise<boolean> {
    const [run] = await prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM once_call o JOIN tool_call c ON c.id = o.tool_call_id
       WHERE o.server_id = ${serverId} AND o.key_hash = ANY(${keyHashes.map(copy)}::bytea[])
         AND c.claimed_at IS NOT NULL AND c.state = 'settled' AND c.id IS DISTINCT FROM ${besides}`;
    return run !== undefined;
  },
  /** Gives the name to this call, unless another call of the name has run; then false. */
  async take(name: OnceCall, call: ToolCallId): Promise<boolean> {
    const [active] = name.keyHashes;
    if (!active) return false;
    const rows = await prisma.$queryRaw<unknown[]>`
      INSERT INTO once_call AS o (server_id, key_hash, tool_call_id) VALUES (${name.serverId}, ${copy(active)}, ${call})
      ON CONFLICT (server_id, key_hash) DO UPDATE SET tool_call_id = excluded.tool_call_id
        WHERE NOT EXISTS (SELECT FROM tool_call c
          WHERE c.id = o.tool_call_id AND c.id <> excluded.tool_call_id AND c.claimed_at IS NOT NULL)
      RETURNING 1`;
    return rows.length === 1;
  },
});

/** The result of a step of a call; `value` is null until it is kept. */
export interface CallMemo {
  id: string;
  value: Uint8Array | null;
}

interface NewReservation {
  id: string;
  serverId: ServerId;
  scopeHash: Uint8Array;
  keyHash: Uint8Array;
  /** Null before the call is stored. */
  toolCallId: ToolCallId | null;
  createdAt: number;
}

/** The memos of calls, and the ids that are reserved for them before the call is stored. */
export const createCallMemos = ({ prisma }: Pick<Database, 'prisma'>) => ({
  async ofCall(call: ToolCallId, keyHashes: Uint8Array[]): Promise<CallMemo | null> {
    const [memo] = await prisma.$queryRaw<CallMemo[]>`
      SELECT id, value FROM call_memo WHERE tool_call_id = ${call} AND key_hash = ANY(${keyHashes}::bytea[])`;
    return memo ?? null;
  },
  /** Memos reserved since then for a call of this name that is not stored. */
  async reserved(scopeHashes: Uint8Array[], keyHashes: Uint8Array[], since: number): Promise<CallMemo | null> {
    const [memo] = await prisma.$queryRaw<CallMemo[]>`
      SELECT id, value FROM call_memo
       WHERE tool_call_id IS NULL AND scope_hash = ANY(${scopeHashes}::bytea[]) AND key_hash = ANY(${keyHashes}::bytea[])
         AND created_at > ${new Date(since)}`;
    return memo ?? null;
  },
  /** False if another run was first. */
  async reserve({ id, serverId, scopeHash, keyHash, toolCallId, createdAt }: NewReservation): Promise<boolean> {
    const count = await prisma.$executeRaw`
      INSERT INTO call_memo (id, server_id, scope_hash, key_hash, tool_call_id, created_at)
      VALUES (${id}, ${serverId}, ${copy(scopeHash)}, ${copy(keyHash)}, ${toolCallId}, ${new Date(createdAt)})
      ON CONFLICT DO NOTHING`;
    return count === 1;
  },
  /**
   * Keeps the value with the call in place of what was reserved under this id. If several race, the first one's stays
   * and the others get false; so does an id that is not reserved for this server and key.
   */
  async keep({ id, value }: { id: string; value: Uint8Array }, of: MemoOwner): Promise<boolean> {
    const { call, serverId, keyHashes } = of;
    const count = await prisma.$executeRaw`
      WITH reservation AS (
        DELETE FROM call_memo
         WHERE id = ${id} AND server_id = ${serverId} AND key_hash = ANY(${keyHashes}::bytea[]) AND value IS NULL
           AND (tool_call_id IS NULL OR tool_call_id = ${call})
        RETURNING *)
      INSERT INTO call_memo AS kept (id, server_id, scope_hash, key_hash, tool_call_id, value, created_at)
      SELECT id, server_id, scope_hash, key_hash, ${call}, ${copy(value)}, created_at FROM reservation
      ON CONFLICT (tool_call_id, key_hash) WHERE tool_call_id IS NOT NULL
        DO UPDATE SET id = excluded.id, value = excluded.value WHERE kept.value IS NULL`;
    return count === 1;
  },
  /** Deletes what was reserved before this time and never kept. */
  prune: (before: number): Promise<number> =>
    inBatches(
      (max) => prisma.$executeRaw`
        DELETE FROM call_memo WHERE id IN (
          SELECT id FROM call_memo WHERE tool_call_id IS NULL AND created_at < ${new Date(before)}
           ORDER BY created_at LIMIT ${max})`,
    ),
});

interface MemoOwner {
  call: ToolCallId;
  serverId: ServerId;
  keyHashes: Uint8Array[];
}

/** Prisma needs bytes with a separate ArrayBuffer. */
const copy = (source: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(source);
