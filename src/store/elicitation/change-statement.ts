import { Prisma } from '../../generated/prisma/client.ts';
import type { Evidence, SealedEntry } from '../../audit/evidence.ts';
import { storedState, type StoredState } from '../../machine/stored-state.ts';
import { epochFields, isEpochOf } from '../database/epochs.ts';
import { base64, entryFields, insertEntries } from '../log/sealed-entry.ts';
import { grantDigest, grantedBy } from './grant-row.ts';
import { announce } from './outbox.ts';
import { breakGlassDigest, elicitationDigest, remarkDigest, revisionDigest, voteDigest } from './row-digests.ts';
import { earliest, nextRow, type ElicitationChange, type ElicitationRow } from './row.ts';

/**
 * One statement that stores each change with everything that belongs to it, if its row is still at its version, and
 * answers with what is to be told.
 */
export function changeStatement(evidence: Evidence, changes: ElicitationChange[]): Prisma.Sql {
  const rows = changes.map((change) => {
    const next = nextRow(change);
    const state = storedState(next.state, next);
    return changeRow(change, next, state, sealChange(evidence, change, elicitationDigest(next, state)));
  });
  return Prisma.sql`
    WITH input AS (
      ${inputOf(JSON.stringify(rows))}
    ), turned AS (
      ${takeTurns}
    ), changed AS (
      UPDATE elicitation AS e SET status = i.status, cause = i.cause, caller = i.caller, version = e.version + 1,
        machine_version = i.machine_version, snapshot = i.snapshot, timers = i.timers,
        wake_at = to_timestamp(i.wake_at / 1000.0), deadline_at = to_timestamp(i.deadline_at / 1000.0),
        closed_at = to_timestamp(i.closed_at / 1000.0), readers = i.readers, answer = decode(i.answer, 'base64'),
        revision = coalesce((i.revised->>'revision')::int, e.revision), digest = coalesce(i.revised->>'digest', e.digest),
        policy = coalesce(i.revised->>'policy', e.policy), risk = coalesce(i.revised->>'risk', e.risk),
        payload = coalesce(decode(i.revised->>'payload', 'base64'), e.payload),
        explanation = CASE WHEN i.revised IS NULL THEN e.explanation ELSE decode(i.revised->>'explanation', 'base64') END
        FROM input AS i WHERE e.id = i.id AND e.version = i.version AND ${isEpochOf(Prisma.sql`i`)} AND ${isSignedIn}
          AND ${isTheirTurn}
      RETURNING e.id
    ), stored AS (
      SELECT input.*, to_timestamp(changed_at / 1000.0) AS at FROM input JOIN changed USING (id)
    ), voted AS (
      ${insertVotes}
    ), kept AS (
      INSERT INTO revision (elicitation_id, revision, digest, policy, payload, user_id, at)
      SELECT i.id, r.revision, r.digest, r.policy, decode(r.payload, 'base64'), r.user_id, i.at
        FROM stored i, jsonb_to_record(i.replaced) AS r(
          revision int, digest text, policy text, payload text, user_id text)
       WHERE i.replaced IS NOT NULL
    ), told AS (
      INSERT INTO chat_request (elicitation_id) SELECT id FROM stored WHERE (revised->>'isTold')::boolean
      ON CONFLICT DO NOTHING
    ), remarked AS (
      INSERT INTO remark (id, elicitation_id, kind, user_id, reply_to, body, at)
      SELECT r.id, i.id, r.kind, r.user_id, r.reply_to, decode(r.body, 'base64'), i.at
        FROM stored i, jsonb_to_record(i.remark) AS r(id text, kind text, user_id text, reply_to text, body text)
       WHERE i.remark IS NOT NULL
    ), broken AS (
      INSERT INTO break_glass (elicitation_id, user_id, reason, at, review_due_at)
      SELECT i.id, b.user_id, decode(b.reason, 'base64'), i.at, to_timestamp(b.review_due_at / 1000.0)
        FROM stored i, jsonb_to_record(i.break_glass) AS b(user_id text, reason text, review_due_at bigint)
       WHERE i.break_glass IS NOT NULL
    ), granted AS (
      INSERT INTO app_grant (id, server_id, tool, tool_schema, requester_hash, terms, elicitation_id, user_id,
        policy, created_at, expires_at, review_at, uses_left, budget_left)
      SELECT g.id, i.server_id, g.tool, g.tool_schema, decode(g.requester_hash, 'base64'), decode(g.terms, 'base64'),
        i.id, g.user_id, g.policy, i.at, to_timestamp(g.expires_at / 1000.0), to_timestamp(g.review_at / 1000.0),
        g.uses_left, g.budget_left
        FROM stored i, jsonb_to_record(i.app_grant) AS g(
          id text, tool text, tool_schema text, requester_hash text, terms text, user_id text, policy text,
          expires_at bigint, review_at bigint, uses_left int, budget_left numeric)
       WHERE i.app_grant IS NOT NULL
    ), entry AS (
      ${insertEntries(Prisma.sql`stored`, Prisma.sql`entries`)}
    ), ${announce(Prisma.sql`SELECT unnest(topics) AS topic, id, server_id, at FROM stored`)}`;
}

const isSignedIn = Prisma.sql`
  (i.session IS NULL OR EXISTS (SELECT FROM session s WHERE s.hash = decode(i.session, 'base64')
     AND s.expires_at > to_timestamp(i.changed_at / 1000.0)))`;

/** The row of the person makes two of their votes wait for each other; the second then does not have its turn. */
const takeTurns = Prisma.sql`
  INSERT INTO approver_turn AS t (user_id, turn)
  SELECT turn_user, turn_after + 1 FROM input WHERE turn_user IS NOT NULL ORDER BY turn_user
  ON CONFLICT (user_id) DO UPDATE SET turn = excluded.turn WHERE t.turn = excluded.turn - 1
  RETURNING user_id`;

const isTheirTurn = Prisma.sql`(i.turn_user IS NULL OR i.turn_user IN (SELECT user_id FROM turned))`;

const insertVotes = Prisma.sql`
  INSERT INTO vote (id, elicitation_id, user_id, for_id, revision, stage, action, digest, comment, signature, at)
  SELECT v.id, i.id, v.user_id, v.for_id, v.revision, v.stage, v.action, v.digest, decode(v.comment, 'base64'),
      v.signature, i.at
    FROM stored i, jsonb_to_record(i.vote) AS v(
      id text, user_id text, for_id text, revision int, stage int, action text, digest text, comment text, signature text)
   WHERE i.vote IS NOT NULL`;

/** The columns of `changeRow`, with their types. */
const inputOf = (rows: string): Prisma.Sql => Prisma.sql`
    SELECT * FROM jsonb_to_recordset(${rows}::jsonb) AS input(
      id text, version int, turn_user text, turn_after bigint, session text, server_id text, status text, cause text, caller text, machine_version int, snapshot jsonb,
      timers jsonb, wake_at bigint, deadline_at bigint, closed_at bigint, readers text[], answer text, topics text[],
      vote jsonb, revised jsonb, replaced jsonb, remark jsonb, break_glass jsonb, app_grant jsonb,
      changed_at bigint, entries jsonb, users_epoch bigint, policies_epoch bigint, stops_epoch bigint, keys_epoch bigint)`;

/** The entry of a change, with the digest of every row after it. */
function sealChange(evidence: Evidence, change: ElicitationChange, digest: string): SealedEntry {
  const { row, entry, vote, remark, replaced, breakGlass, grant } = change;
  const { at } = entry;
  const rows = {
    [row.id]: digest,
    ...(vote && voteDigest(row.id, at, vote)),
    ...(remark && remarkDigest(row.id, at, remark)),
    ...(replaced && revisionDigest(row.id, at, replaced)),
    ...(breakGlass && breakGlassDigest(row.id, at, breakGlass, null)),
    ...(grant && { [grant.id]: grantDigest(grantedBy(row.id, at, grant)) }),
  };
  return evidence.seal(entry, rows, grant?.id);
}

const changeRow = (
  { entry, row, ...change }: ElicitationChange,
  { readers }: ElicitationRow,
  { version, timers, ...snapshot }: StoredState,
  sealed: SealedEntry,
) => ({
  id: row.id,
  version: row.version,
  turn_user: change.turn?.user ?? null,
  turn_after: change.turn?.after ?? null,
  session: base64(change.session ?? null),
  server_id: row.serverId,
  status: change.status,
  cause: change.cause,
  caller: change.caller,
  machine_version: version,
  snapshot,
  timers,
  wake_at: earliest(timers),
  deadline_at: change.deadlineAt,
  closed_at: change.closedAt,
  readers,
  answer: base64(change.answer),
  topics: change.topics,
  ...partsOf(change),
  ...epochFields(change.epoch),
  changed_at: entry.at,
  entries: [entryFields(sealed)],
});

type Parts = Pick<ElicitationChange, 'vote' | 'revised' | 'replaced' | 'remark' | 'breakGlass' | 'grant'>;

const partsOf = ({ vote, revised, replaced, remark, breakGlass, grant }: Parts) => ({
  vote: vote && {
    id: vote.id,
    user_id: vote.userId,
    for_id: vote.forId,
    revision: vote.revision,
    stage: vote.stage,
    action: vote.action,
    digest: vote.digest,
    comment: base64(vote.comment),
    signature: vote.signature,
  },
  revised: revised && { ...revised, payload: base64(revised.payload), explanation: base64(revised.explanation) },
  replaced: replaced && {
    revision: replaced.revision,
    digest: replaced.digest,
    policy: replaced.policy,
    payload: base64(replaced.payload),
    user_id: replaced.userId,
  },
  remark: remark && {
    id: remark.id,
    kind: remark.kind,
    user_id: remark.userId,
    reply_to: remark.replyTo,
    body: base64(remark.body),
  },
  break_glass: breakGlass && {
    user_id: breakGlass.userId,
    reason: base64(breakGlass.reason),
    review_due_at: breakGlass.reviewDueAt,
  },
  app_grant: grant && {
    id: grant.id,
    tool: grant.tool,
    tool_schema: grant.toolSchema,
    requester_hash: base64(grant.requesterHash),
    terms: base64(grant.terms),
    user_id: grant.userId,
    policy: grant.policy,
    expires_at: grant.expiresAt,
    review_at: grant.reviewAt,
    uses_left: grant.usesLeft,
    budget_left: grant.budgetLeft,
  },
});
