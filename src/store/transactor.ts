import { Prisma } from '../generated/prisma/client.ts';
import { batch } from './database/batch.ts';
import { epochFields, isEpochOf, type Epoch } from './database/epochs.ts';
import { isStopped } from './elicitation/stops.ts';
import { changeStatement } from './elicitation/change-statement.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { Evidence, SealedEntry } from '../audit/evidence.ts';
import { base64, entryFields, insertEntries, type Ledger } from './log/sealed-entry.ts';
import { storedState, type StoredState } from '../machine/stored-state.ts';
import { callDigest, openedCall } from './elicitation/call-row.ts';
import { grantDigest, usedGrant, type GrantRow } from './elicitation/grant-row.ts';
import { announce, type OutboxEvent, type StoredEvent } from './elicitation/outbox.ts';
import { elicitationDigest, lookBackDigest } from './elicitation/row-digests.ts';
import {
  earliest,
  nextRow,
  readersOf,
  type ElicitationChange,
  type ElicitationRow,
  type NewElicitation,
  type NewToolCall,
} from './elicitation/row.ts';
import type { ElicitationId } from '../model/id.ts';

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

/** The only writer of elicitations. Each promise resolves after commit. */
export interface Transactor {
  /**
   * Stores call, elicitation, audit entry and outbox row in one statement.
   * Returns false and stores nothing if it was stored before, the call's name or the step is taken, an equal request already waits for a call
   * without a name, the grant is used up, a stop covers it, or the people, policies or keys it was judged by have changed. If
   * two race, one gets true.
   */
  open(opening: Opening): Promise<boolean>;
  /**
   * Stores the next state, vote, audit entry and outbox row in one statement.
   * Returns false and stores nothing if the row is no longer at `version`. If several race, one gets true.
   */
  change(change: ElicitationChange): Promise<boolean>;
}

/** Is called after each commit that changed something, with what is to be told, and whether other nodes are to hear it. */
export type OnCommit = (events: CommittedEvent[], hasOthers: boolean) => void;

/** An event of this node's own, with the row as it stored it; an opening comes without. */
export type CommittedEvent = OutboxEvent & { row?: ElicitationRow };

export function createTransactor({ query, evidence }: Ledger, onCommit: OnCommit): Transactor {
  const commit = async (statement: Prisma.Sql, rowOf: RowOf): Promise<Set<ElicitationId>> => {
    const stored = await query<StoredEvent>(statement);
    const events = stored.map(({ hasOthers: _for, ...event }) => ({ ...event, ...rowOf(event.elicitationId) }));
    const hasOthers = stored.some((event) => event.hasOthers);
    if (events.length > 0) onCommit(events, hasOthers);
    return new Set(events.map(({ elicitationId }) => elicitationId));
  };
  const open = batch(async (openings: Opening[]) => {
    const first = firstOpenings(openings);
    const ids = await commit(openStatement(evidence, first), () => null);
    return openings.map((opening) => first.includes(opening) && ids.has(opening.elicitation.id));
  });
  const change = batch(async (changes: ElicitationChange[]) => {
    const first = firstOfEach(changes);
    const ids = await commit(changeStatement(evidence, [...first.values()]), (id) => rowAfter(first.get(id)));
    return changes.map((change) => first.get(change.row.id) === change && ids.has(change.row.id));
  });
  return { open, change };
}

type RowOf = (id: ElicitationId) => { row: ElicitationRow } | null;

const rowAfter = (change: ElicitationChange | undefined) => (change ? { row: nextRow(change) } : null);

/** A statement stores a row once: a copy of an opening, and the second use of one grant, wait for the next. */
function firstOpenings(openings: Opening[]): Opening[] {
  const stored = new Set<string>();
  return openings.filter(({ elicitation: { id }, grant }) => {
    if (stored.has(id) || (grant && stored.has(grant.row.id))) return false;
    stored.add(id).add(grant?.row.id ?? id);
    return true;
  });
}

/** Two changes of one row, or two turns of one person, cannot both win, so the second fails without being sent. */
function firstOfEach(changes: ElicitationChange[]): Map<ElicitationId, ElicitationChange> {
  const first = new Map<ElicitationId, ElicitationChange>();
  const turns = new Set<string>();
  for (const change of changes) {
    if (first.has(change.row.id) || (change.turn && turns.has(change.turn.user))) continue;
    first.set(change.row.id, change);
    if (change.turn) turns.add(change.turn.user);
  }
  return first;
}

/** The entries of an opening, with the digest of every row after it. */
function sealOpening(evidence: Evidence, opening: Opening, state: StoredState): SealedEntry[] {
  const { call, elicitation, entry, decided, grant, isSampled } = opening;
  const row = { ...elicitation, readers: readersOf(elicitation.state) };
  const digests = { [elicitation.id]: elicitationDigest(row, state) };
  const callDigests = call && { [call.id]: callDigest(openedCall(call, elicitation)) };
  const opened = evidence.seal(entry, { ...digests, ...callDigests }, elicitation.toolCallId);
  if (!decided) return [opened];
  const used = grant && { [grant.row.id]: grantDigest(usedGrant(grant.row, grant.amount)) };
  const sampled = isSampled && lookBackDigest(elicitation.id, elicitation.openedAt, null);
  return [opened, evidence.seal(decided, { ...digests, ...used, ...sampled }, grant?.row.id)];
}

/** Takes a use of the standing approval only if it is unchanged since it was read. */
const useOf = (grant: Opening['grant']) => {
  const used = grant && usedGrant(grant.row, grant.amount);
  return {
    grant_id: grant?.row.id ?? null,
    uses_before: grant?.row.usesLeft ?? null,
    uses_left: used?.usesLeft ?? null,
    budget_before: grant?.row.budgetLeft ?? null,
    budget_left: used?.budgetLeft ?? null,
    review_before: grant?.row.reviewAt ?? null,
  };
};

const openingRow = (
  { call, elicitation: e, grant, isSampled, isTold, shadows, epoch }: Opening,
  { version, timers, ...snapshot }: StoredState,
  entries: SealedEntry[],
) => ({
  ...useOf(grant),
  id: e.id,
  call_id: e.toolCallId,
  key_hash: call && base64(call.keyHash),
  step: e.step,
  server_id: e.serverId,
  tool: e.tool,
  audience: e.audience,
  mode: e.mode,
  risk: e.risk,
  status: e.status,
  caller: e.caller,
  revision: e.revision,
  machine_version: version,
  snapshot,
  timers,
  wake_at: earliest(timers),
  opened_at: e.openedAt,
  deadline_at: e.deadlineAt,
  closed_at: e.closedAt,
  request_hash: base64(e.requestHash),
  requester_hash: base64(e.requesterHash),
  readers: readersOf(e.state),
  equal_hash: base64(e.equalHash),
  nameless: e.wish === '',
  session_hash: base64(e.sessionHash),
  digest: e.digest,
  policy: e.policy,
  owner: base64(e.owner),
  data_key: base64(e.dataKey),
  payload: base64(e.payload),
  explanation: base64(e.explanation),
  answer: base64(e.answer),
  traceparent: e.traceparent,
  entries: entries.map(entryFields),
  is_told: isTold,
  is_sampled: isSampled,
  ...epochFields(epoch),
  shadows,
});

/** The columns of `openingRow`, with their types. */
const inputOf = (rows: string): Prisma.Sql => Prisma.sql`
    SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS input(
      id text, call_id text, key_hash text, step text, server_id text, tool text, audience text, mode text,
      risk text, status text, caller text, revision int, machine_version int, snapshot jsonb, timers jsonb, wake_at bigint,
      opened_at bigint, deadline_at bigint, closed_at bigint, request_hash text, requester_hash text, readers text[], equal_hash text,
      nameless boolean, session_hash text, digest text, policy text, owner text, data_key text, payload text,
      explanation text, answer text, traceparent text, entries jsonb, shadows jsonb, is_told boolean, is_sampled boolean, grant_id text, uses_before int,
      uses_left int, budget_before numeric, budget_left numeric, review_before bigint, users_epoch bigint,
      policies_epoch bigint, stops_epoch bigint, keys_epoch bigint)
     WHERE ${isEpochOf(Prisma.sql`input`)} AND NOT ${isStopped(Prisma.sql`input`)} AND NOT ${isRepeated}`;

/**
 * A late copy of an opening is known by the id that follows from its idempotency key, whether it was opened or joined.
 * Of an EXISTS the planner might hash the whole table instead.
 */
const isRepeated = Prisma.sql`coalesce((SELECT true FROM elicitation e WHERE e.id = input.id),
        (SELECT true FROM token t WHERE t.nonce_hash = convert_to(input.id, 'UTF8')), false)`;

/** What a policy allowed and chose for a later look, and what its policy announces in chat. */
const marks = Prisma.sql`sampled AS (
      INSERT INTO look_back (elicitation_id, at)
      SELECT id, to_timestamp(opened_at / 1000.0) FROM input JOIN opened USING (id) WHERE is_sampled
    ), told AS (
      INSERT INTO chat_request (elicitation_id) SELECT id FROM input JOIN opened USING (id) WHERE is_told
    )`;

function openStatement(evidence: Evidence, openings: Opening[]): Prisma.Sql {
  const rows = openings.map((opening) => {
    const state = storedState(opening.elicitation.state, opening.elicitation);
    return openingRow(opening, state, sealOpening(evidence, opening, state));
  });
  return Prisma.sql`
    WITH input AS (
      ${inputOf(JSON.stringify(rows))}
    ), used AS (
      UPDATE app_grant AS g SET uses_left = i.uses_left, budget_left = i.budget_left
        FROM input AS i
       WHERE g.id = i.grant_id AND g.revoked_at IS NULL AND g.suspended_at IS NULL
         AND g.expires_at > to_timestamp(i.opened_at / 1000.0)
         AND (g.review_at IS NULL OR g.review_at > to_timestamp(i.opened_at / 1000.0))
         AND g.uses_left IS NOT DISTINCT FROM i.uses_before AND g.budget_left IS NOT DISTINCT FROM i.budget_before
         AND g.review_at IS NOT DISTINCT FROM to_timestamp(i.review_before / 1000.0)
         AND coalesce(i.uses_left, 0) >= 0 AND coalesce(i.budget_left, 0) >= 0
         -- A repeated call joins, and uses nothing.
         AND NOT EXISTS (SELECT FROM tool_call c WHERE c.server_id = i.server_id
           AND c.key_hash = decode(i.key_hash, 'base64') AND c.state <> 'settled')
      RETURNING g.id
    ), call AS (
      INSERT INTO tool_call (id, server_id, key_hash, tool, created_at)
      SELECT call_id, server_id, decode(key_hash, 'base64'), tool, to_timestamp(opened_at / 1000.0)
        FROM input WHERE key_hash IS NOT NULL AND NOT nameless AND (grant_id IS NULL OR grant_id IN (SELECT id FROM used))
      ON CONFLICT DO NOTHING
      RETURNING id
    ), opened AS (
      INSERT INTO elicitation (id, tool_call_id, step, server_id, tool, audience, mode, risk, status, caller, revision,
        version, machine_version, snapshot, timers, wake_at, opened_at, deadline_at, closed_at, request_hash, requester_hash,
        readers, equal_hash, wish, session_hash, digest, policy, owner, data_key, payload, explanation, answer,
        traceparent)
      SELECT id, call_id, step, server_id, tool, audience, mode, risk, status, caller, revision,
        0, machine_version, snapshot, timers, to_timestamp(wake_at / 1000.0), to_timestamp(opened_at / 1000.0),
        to_timestamp(deadline_at / 1000.0), to_timestamp(closed_at / 1000.0), decode(request_hash, 'base64'),
        decode(requester_hash, 'base64'), readers, decode(equal_hash, 'base64'),
        CASE WHEN nameless THEN '' ELSE call_id END, decode(session_hash, 'base64'), digest, policy,
        decode(owner, 'base64'), decode(data_key, 'base64'), decode(payload, 'base64'),
        decode(explanation, 'base64'), decode(answer, 'base64'), traceparent
        FROM input WHERE (key_hash IS NULL OR nameless OR call_id IN (SELECT id FROM call))
          AND (grant_id IS NULL OR grant_id IN (SELECT id FROM used))
      ON CONFLICT DO NOTHING
      RETURNING id
    ), followed AS (
      -- A call without a name is found by its question, so the question is stored before its call.
      INSERT INTO tool_call (id, server_id, key_hash, tool, created_at)
      SELECT call_id, server_id, decode(key_hash, 'base64'), tool, to_timestamp(opened_at / 1000.0)
        FROM input JOIN opened USING (id) WHERE nameless
    ), entry AS (
      ${insertEntries(Prisma.sql`input JOIN opened USING (id)`, Prisma.sql`entries`)}
    ), shadowed AS (
      INSERT INTO shadow_result (elicitation_id, policy, live, shadow, at)
      SELECT id, seen.policy, live, shadow, to_timestamp(opened_at / 1000.0)
        FROM input JOIN opened USING (id), jsonb_to_recordset(shadows) AS seen(policy text, live text, shadow text)
    ), ${marks}, ${announce(Prisma.sql`
      SELECT CASE status WHEN 'open' THEN 'opened' ELSE 'closed' END AS topic, id, server_id,
        to_timestamp(opened_at / 1000.0) AS at FROM input JOIN opened USING (id)`)}`;
}
