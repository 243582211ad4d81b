import type { ServerId, ToolCallId, GrantId } from '#platform/model/id';
import { bytes, defineTable, text, time, moment, type RowOf } from '#platform/database/sql';
import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import { Problem } from '#platform/model/problem';
import type { InCommit } from '#platform/database/database';
import { epochColumns, isEpoch, type Epoch } from '#platform/database/epochs';
import { proofColumns, proofFrom, type StoredProof, changeWithEntry, type Ledger } from '#audit/entries/store/entries';
import type { ElicitationRow, NewElicitation, NewToolCall } from '../state/store/row.ts';
import { isStopped } from '../stops/store.ts';

/** `lapsed`: the approval would no longer be given at its use; `revoked`: a person withdrew it before. */
export type Lapsed = 'lapsed' | 'revoked';

export const toolCallTable = defineTable('tool_call', {
  id: text<ToolCallId>(),
  serverId: text<ServerId>(),
  /** The keyed hash of the caller's name for it. */
  keyHash: bytes(),
  tool: text(),
  state: text<'open' | 'claimed' | 'completed' | 'settled'>(),
  attempt: text<string | null>(),
  claimedAt: time<number | null>(),
  result: bytes<Uint8Array | null>(),
  /** Why its approval was never used. */
  lapse: text<Lapsed | null>(),
  createdAt: time(),
});

/** A call, with the epochs at the moment of reading. */
type FoundToolCall = ToolCallRow & { epoch: Epoch };

/** The next state of a call. */
export type NextCall = Pick<ToolCallRow, 'state' | 'attempt' | 'claimedAt' | 'result'> & { lapse?: Lapsed | null };

/** Conditions that must still hold when a call changes its state. */
export interface MoveTerms {
  /** The people and the policies are those it was decided on. */
  epoch?: Pick<Epoch, 'users' | 'policies'>;
  /** It is not stopped. */
  isRelease?: boolean;
  /** None of these was revoked or suspended. */
  grants?: GrantId[];
}

/** A question of the call, at the version on which it was decided. */
type ReadQuestion = Pick<ElicitationRow, 'id' | 'version'>;

type Move = [call: ToolCallRow, read: readonly ReadQuestion[], next: NextCall, entry: AuditEntry];
type MoveOnTerms = [...Move, terms?: MoveTerms];

/** Releases at most one execution per call: if claims race, one gets true. */
export const createToolCalls = ({ prisma, evidence }: Ledger) => ({
  /** Problem `unproven` if the row does not match the log. */
  async find(id: ToolCallId): Promise<FoundToolCall | null> {
    const [stored] = await prisma.$queryRaw<(StoredProof & Epoch)[]>`
        SELECT ${toolCallTable.selection('c')},
            ${epochColumns}, ${proofColumns}
          FROM tool_call c ${latestOfCall} WHERE c.id = ${id}`;
    if (!stored) return null;
    const call = toRow(stored);
    evidence.require(proofFrom(stored), id, toolCallTable.digest(call));
    return call;
  },
  /**
   * Stores the call's next state with its audit entry, if the call and all its questions are unchanged since they were
   * read and the terms hold. If several race, one gets true; false stores nothing.
   */
  move: (...move: MoveOnTerms): Promise<boolean> => moveIn(prisma, evidence, ...move),
  /** The same as part of another commit. If the call has changed, problem `write-conflict` prevents that commit. */
  moving:
    (...move: Move): InCommit =>
    async (tx) => {
      if (!(await moveIn(tx, evidence, ...move))) throw new Problem('write-conflict');
    },
});

function moveIn(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  evidence: Ledger['evidence'],
  ...[call, read, next, entry, { epoch, isRelease = false, grants = [] } = {}]: MoveOnTerms
): Promise<boolean> {
  const { id } = call;
  const { lapse = null } = next;
  const moved = { ...call, ...next, lapse };
  const sealed = evidence.seal(entry, { [id]: toolCallTable.digest(moved) }, id);
  const versions = JSON.stringify(Object.fromEntries(read.map((row) => [row.id, row.version])));
  const change = Prisma.sql`
    UPDATE tool_call SET ${toolCallTable.set(moved, 'state', 'attempt', 'result', 'lapse', 'claimedAt')}
     WHERE id = ${id} AND state = ${call.state} AND attempt IS NOT DISTINCT FROM ${call.attempt}
       AND claimed_at IS NOT DISTINCT FROM ${moment(call.claimedAt)}
       AND NOT EXISTS (
         SELECT FROM elicitation e WHERE e.tool_call_id = ${id}
           AND e.version IS DISTINCT FROM (${versions}::jsonb->>e.id)::int)
       AND ${isEpoch(epoch)} AND NOT (${isRelease} AND ${isStopped(Prisma.sql`tool_call`)})
       AND NOT EXISTS (
         SELECT FROM app_grant g WHERE g.id = ANY(${grants}::text[])
           AND (g.revoked_at IS NOT NULL OR g.suspended_at IS NOT NULL))
    RETURNING id`;
  return changeWithEntry(tx, change, sealed);
}

/**
 * The entry that describes a call's current state: its latest entry, or else the opening that made it. Later openings
 * do not change the call.
 */
const latestOfCall = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT a.id, a.body, a.mac FROM audit_entry a WHERE a.subject_id = c.id
     ORDER BY a.type LIKE 'call.%' DESC, CASE WHEN a.type LIKE 'call.%' THEN -a.seq ELSE a.seq END LIMIT 1) proof ON true`;

const toRow = (stored: StoredProof & Epoch): FoundToolCall => {
  const { users, policies, stops, keys } = stored;
  return { ...toolCallTable.read(stored), epoch: { users, policies, stops, keys } };
};

export type ToolCallRow = RowOf<typeof toolCallTable.columns>;

/** A call when its first question is opened. */
export const openedCall = ({ id, keyHash }: NewToolCall, elicitation: NewElicitation): ToolCallRow => {
  const { serverId, tool, openedAt: createdAt } = elicitation;
  const unused = { attempt: null, claimedAt: null, result: null, lapse: null };
  return { id, serverId, keyHash, tool, state: 'open', ...unused, createdAt };
};
