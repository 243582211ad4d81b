import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { Evidence, SealedEntry } from '#audit/entries/rules/evidence';
import { boolean, integer, json, numeric, recordset, text, time, type RowOf } from '#platform/database/sql';
import { epochFields, epochInput, isEpochOf, type Epoch } from '#platform/database/epochs';
import { insertEntries } from '#audit/entries/store/entries';
import { elicitationTable } from '../../../state/store/row/elicitation.ts';
import { entryTable } from '#audit/entries/store/entries';
import { grantTable } from '../../../grants/store/tables.ts';
import { toolCallTable } from '../../../claims/store/tool-call.ts';
import { lookBackTable } from '../../../deliberation/store/tables.ts';
import { openedCall, type ToolCallRow } from '../../../claims/store/call-row.ts';
import { usedGrant, type GrantRow } from '../../../grants/store/grants/grant-row.ts';
import { announce } from './outbox.ts';
import { lookBackDigest } from '../../../state/store/row/row-digests.ts';
import {
  columnsOf,
  readersOf,
  unreviewed,
  type NewElicitation,
  type NewToolCall,
} from '../../../state/store/row/row.ts';
import { isStopped } from '../../../stops/store/stops.ts';

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
  /** What versions in shadow mode would have done. */
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

/** What comes to the statement: the row, and what is stored with it. */
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
