import { Prisma } from '#platform/database/generated/prisma/client';
import type { Actor, HoldPlaced, StoredEvent, AuditEntry } from '#audit/entries/rules/entry';
import { rowDigest, type Evidence } from '#audit/entries/rules/evidence';
import type { HoldId, ElicitationId, ServerId, UserId } from '#platform/model/id';
import { Problem } from '#platform/model/problem';
import { isEpoch, type Epoch } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database';
import { locks, moment, type RowOf, bytes, defineTable, text, time } from '#platform/database/sql';
import {
  isBesidePolicy,
  isUnderPolicy,
  policyNameOf,
  entryJson,
  insertEntries,
  type Ledger,
  insertEntry,
} from '#audit/entries/store/entries';

/** A legal hold by its entries in the log; its scope is everything if they do not prove the stored one. */
export interface HoldRecord extends Pick<HoldPlaced, 'scope' | 'request' | 'server'> {
  id: HoldId;
  reason: string;
  placed: Act | null;
  /** Null while it is in force. */
  released: Act | null;
}

/** An act with its actor and time. */
export interface Act {
  actor: Actor;
  at: number;
}

export const holdDigest = ({ id, reason }: { id: string; reason: string }): string => rowDigest('hold', [id, reason]);

/** Every hold that has a row or an entry, the latest first. */
export async function readHolds(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  evidence: Evidence,
): Promise<HoldRecord[]> {
  const rows = await tx.$queryRaw<StoredHold[]>`
    WITH told AS (SELECT * FROM audit_entry WHERE type LIKE 'hold.%'),
      known AS (SELECT id FROM hold WHERE id > '' UNION SELECT subject_id FROM told WHERE type = 'hold.placed')
    SELECT known.id, h.reason, p.id AS "placedId", p.body AS "placedBody", p.mac AS "placedMac",
        r.id AS "releasedId", r.body AS "releasedBody", r.mac AS "releasedMac"
      FROM known LEFT JOIN hold h ON h.id = known.id
        LEFT JOIN told p ON p.type = 'hold.placed' AND p.subject_id = known.id
        LEFT JOIN told r ON r.type = 'hold.released' AND r.subject_id = known.id
     ORDER BY p.seq DESC NULLS FIRST`;
  return rows.map((row) => holdOf(evidence, row));
}

interface StoredHold {
  id: HoldId;
  reason: string | null;
  placedId: string | null;
  placedBody: Uint8Array | null;
  placedMac: Uint8Array | null;
  releasedId: string | null;
  releasedBody: Uint8Array | null;
  releasedMac: Uint8Array | null;
}

function holdOf(evidence: Evidence, row: StoredHold): HoldRecord {
  const { id, reason } = row;
  const placed = open(evidence, row.placedId, row.placedBody, row.placedMac);
  const released = open(evidence, row.releasedId, row.releasedBody, row.releasedMac);
  const isTrue = placed?.type === 'hold.placed' && reason !== null && placed.rows?.[id] === holdDigest({ id, reason });
  if (!isTrue) evidence.report(id);
  const { scope, request, server } = isTrue ? placed : everything;
  return {
    id,
    scope,
    ...(request && { request }),
    ...(server && { server }),
    reason: reason ?? '',
    placed: placed && actOf(placed),
    released: isTrue && released?.type === 'hold.released' && released.hold === id ? actOf(released) : null,
  };
}

const everything: Pick<HoldRecord, 'scope' | 'request' | 'server'> = { scope: 'everything' };

const open = (evidence: Evidence, id: string | null, body: Uint8Array | null, mac: Uint8Array | null) =>
  id === null || body === null || mac === null ? null : evidence.open({ id, body, mac });

const actOf = ({ actor, at }: StoredEvent): Act => ({ actor, at: Date.parse(at) });

/** A request with content. */
export interface StoredContent {
  id: ElicitationId;
  serverId: ServerId;
  serverName: string;
  tool: string;
  policy: string;
  requesterHash: Uint8Array | null;
  /** Set if a possible step still needs its content. */
  isNeeded: boolean;
}

/** Requests whose content may be erased, and the time of that. */
interface Among {
  ids: ElicitationId[];
  now: number;
  /** Time before which a call's last answer is too old for the call to collect it. */
  staleBefore: number;
  /** The epoch of the policies that decided it, if any. */
  epoch?: Pick<Epoch, 'users' | 'policies'>;
}

/** An ended request with its time: the order of retention. */
export interface EndedContent {
  id: ElicitationId;
  closedAt: number;
}

/** Is it under a policy of a space, and did this policy decide it as well? Its entry in the log names both. */
const isUnderSpaceAnd = (policy: string): Prisma.Sql => Prisma.sql`
  ${policyNameOf()} IN (SELECT name FROM policy WHERE space_id IS NOT NULL) AND EXISTS (
    SELECT FROM audit_entry a, jsonb_array_elements_text(audit.entry(a.body) -> 'alsoBy') also
     WHERE a.elicitation_id = e.id AND a.type IN ('elicitation.opened', 'elicitation.edited')
       AND (audit.entry(a.body) ->> 'revision')::int = e.revision AND split_part(also, '@', 1) = ${policy})`;

/** Content of requests: each is sealed under one key, and destroying the key erases it. */
export const createContents = ({ prisma, evidence }: Ledger) => ({
  /** Requests of these requesters with content. */
  async ofRequester(hashes: Uint8Array[]): Promise<ElicitationId[]> {
    const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
      SELECT id FROM elicitation WHERE ${isOf(hashes)} AND status = 'open'
      UNION ALL SELECT id FROM elicitation WHERE ${isOf(hashes)} AND closed_at IS NOT NULL ORDER BY id`;
    return rows.map(({ id }) => id);
  },
  /** The next requests of this policy, in any version, that ended before this time and have content. */
  async endedUnder(policy: string, before: number, after: EndedContent | null, limit: number): Promise<EndedContent[]> {
    const next = (isUnder: Prisma.Sql): Prisma.Sql => Prisma.sql`
      (SELECT id, closed_at AS "closedAt" FROM elicitation e
        WHERE ${isUnder} AND closed_at < ${moment(before)} AND data_key IS NOT NULL
          AND (closed_at, id) > (${moment(after?.closedAt ?? 0)}, ${after?.id ?? ''}) ORDER BY closed_at, id LIMIT ${limit})`;
    const rows = await prisma.$queryRaw<{ id: ElicitationId; closedAt: Date }[]>`
      ${next(isUnderPolicy(policy))}
       UNION ALL ${next(Prisma.sql`${isBesidePolicy(policy)} AND ${isUnderSpaceAnd(policy)}`)}
       UNION ALL ${next(Prisma.sql`also_by IS NULL AND ${isUnderSpaceAnd(policy)}`)}
       ORDER BY "closedAt", id LIMIT ${limit}`;
    return rows.map(({ id, closedAt }) => ({ id, closedAt: closedAt.getTime() }));
  },
  /**
   * Destroys the keys of the requests that `choose` names, with an entry each, in one commit with `also`; nothing if
   * either throws, or if the policies have changed. No hold is placed or released meanwhile.
   */
  erase: (
    among: Among,
    choose: (found: StoredContent[], inForce: HoldRecord[]) => Promise<{ id: ElicitationId; entry: AuditEntry }[]>,
    also?: InCommit,
  ) =>
    prisma.$transaction(
      async (tx) => {
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
        // A change of the directory may wait for a vote, so it must not wait here while the vote waits for a row.
        if (also) await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.directory})`;
        const holds = await readHolds(tx, evidence);
        const chosen = await choose(
          await find(tx, among),
          holds.filter(({ released }) => released === null),
        );
        await also?.(tx);
        const ids = chosen.map(({ id }) => id);
        const entries = chosen.map(({ entry }) => evidence.seal(entry, {}));
        const erased = await tx.$executeRaw`
          UPDATE elicitation SET data_key = NULL, owner = '' WHERE id = ANY(${ids}::text[]) AND ${isEpoch(among.epoch)}`;
        if (erased !== ids.length) throw new Problem('write-conflict');
        await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, entryJson(entries)));
      },
      { timeout: 600_000 },
    ),
});

/** Is a request of one of these requesters, and has it content? Open and closed requests have separate indexes. */
const isOf = (hashes: Uint8Array[]): Prisma.Sql =>
  Prisma.sql`requester_hash = ANY(${hashes}::bytea[]) AND data_key IS NOT NULL`;

/**
 * Finds requests with content. It is needed while the call runs or its answer can be fetched, and by people's remaining steps.
 */
const find = (tx: Prisma.TransactionClient, { ids, staleBefore, now }: Among): Promise<StoredContent[]> => tx.$queryRaw`
  SELECT e.id, e.server_id AS "serverId", s.name AS "serverName", e.tool, e.policy, e.requester_hash AS "requesterHash",
    e.closed_at IS NULL
      OR (c.state <> 'settled' AND (c.claimed_at > ${moment(staleBefore)} OR EXISTS (
        SELECT FROM elicitation o WHERE o.tool_call_id = c.id AND (o.closed_at IS NULL OR o.closed_at > ${moment(staleBefore)}))))
      OR EXISTS (SELECT FROM app_grant g
        WHERE g.elicitation_id = e.id AND g.revoked_at IS NULL AND g.expires_at > ${moment(now)})
      OR EXISTS (SELECT FROM break_glass b WHERE b.elicitation_id = e.id AND b.reviewed_at IS NULL) AS "isNeeded"
    FROM elicitation e JOIN tool_call c ON c.id = e.tool_call_id JOIN server s ON s.id = e.server_id
   WHERE e.id = ANY(${ids}::text[]) AND e.data_key IS NOT NULL ORDER BY e.id FOR UPDATE OF e`;

/** Legal holds: their scope and whether they are in force follow from the log alone. */
export const createHolds = ({ prisma, evidence }: Ledger) => ({
  /** All holds, in force and released; the latest first. */
  list: (): Promise<HoldRecord[]> => readHolds(prisma, evidence),
  /** Stores a hold. Waits for a running erasure, so that nothing in its scope is erased after this resolves. */
  place: ({ id, reason }: { id: HoldId; reason: string }, entry: AuditEntry, also: InCommit) =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
      await also(tx);
      await tx.hold.create({ data: { id, reason } });
      await insertEntry(tx, evidence.seal(entry, { [id]: holdDigest({ id, reason }) }, id));
    }),
  /** Releases a hold; resolves with false, and writes nothing, if it is not in force. */
  release: (id: HoldId, entry: AuditEntry, also: InCommit): Promise<boolean> =>
    prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
      const hold = (await readHolds(tx, evidence)).find((candidate) => candidate.id === id);
      if (!hold || hold.released) return false;
      await also(tx);
      await insertEntry(tx, evidence.seal(entry, { [id]: holdDigest(hold) }, id));
      return true;
    }),
});

/** A call that ran by a pass, with its sealed arguments. */
export type PassedCallRow = RowOf<typeof passedCallTable.columns>;
type NewLook = RowOf<typeof passedLookTable.columns>;

/** A passed call whose content can be erased. */
export interface StoredPassedCall extends Pick<PassedCallRow, 'id' | 'serverId' | 'tool' | 'policy'> {
  serverName: string;
  requesterHash: Uint8Array;
  at: Date;
}

type Tx = Prisma.TransactionClient;

/** Calls whose keys are destroyed, with their entries. */
interface Choice {
  calls: StoredPassedCall[];
  entries: AuditEntry[];
}

/** Range of a policy's passed calls before this time. */
interface EndedUnder {
  policy: string;
  before: number;
  after: StoredPassedCall | null;
  epoch: Epoch;
}

/** Calls whose content is erased in one statement. */
const batchSize = 1_000;

/** Arguments of calls that ran by a pass: each is sealed under a separate key, and destroying the key erases it. */
export function createPassedCalls({ prisma, evidence }: Ledger) {
  return {
    /** Stores these calls with their entries, in one statement. A call whose entry is already in the log is skipped. */
    async add(calls: PassedCallRow[], entries: AuditEntry[]): Promise<void> {
      const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
      const rows = JSON.stringify(calls.map(passedCallTable.toJson));
      await prisma.$executeRaw`
      WITH logged AS (
        ${insertEntries(Prisma.sql`(SELECT) AS change`, sealed)} ON CONFLICT (id) DO NOTHING RETURNING id)
      INSERT INTO passed_call (${passedCallTable.list})
      SELECT ${passedCallTable.values('call')}
        FROM jsonb_to_recordset(${rows}::jsonb) AS call(${passedCallTable.definition}) JOIN logged USING (id)
      ON CONFLICT (id) DO NOTHING`;
    },
    async find(id: string): Promise<(PassedCallRow & { serverName: string }) | null> {
      const [row] = await prisma.$queryRaw<(object & { serverName: string })[]>`
      SELECT ${passedCallTable.selection('c')}, s.name AS "serverName"
        FROM passed_call c JOIN server s ON s.id = c.server_id WHERE c.id = ${id}`;
      return row ? { ...passedCallTable.read(row), serverName: row.serverName } : null;
    },
    /** Stores the reason for reading a call, with its entry, in one statement; without a reason, the entry alone. */
    async addLook(look: NewLook | null, entry: AuditEntry): Promise<void> {
      const sealed = entryJson([evidence.seal(entry, {})]);
      if (look === null) await prisma.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
      else
        await prisma.$executeRaw`
        WITH added AS (${passedLookTable.insertion(look)} RETURNING at)
        ${insertEntries(Prisma.sql`added`, sealed)}`;
    },
    /**
     * Destroys the keys of those of these requesters' calls that `choose` picks, in a commit that holds the lock of keeping.
     */
    async eraseOf(tx: Tx, hashes: Uint8Array[], choose: (calls: StoredPassedCall[]) => Choice): Promise<number> {
      const calls = await tx.$queryRaw<StoredPassedCall[]>`
      ${readable} WHERE c.requester_hash = ANY(${hashes}::bytea[]) AND c.data_key IS NOT NULL ORDER BY c.id FOR UPDATE OF c`;
      return destroy(tx, choose(calls), Prisma.sql`true`);
    },
    /** Destroys the keys of the policy's next passed calls, unless the policies have changed; returns the last one examined. */
    eraseUnder: (
      { policy, before, after, epoch }: EndedUnder,
      choose: (calls: StoredPassedCall[], inForce: HoldRecord[]) => Promise<Choice>,
    ): Promise<{ last: StoredPassedCall | null; erased: number }> =>
      prisma.$transaction(
        async (tx) => {
          await tx.$executeRaw`SELECT pg_advisory_xact_lock(${locks.keeping})`;
          const holds = await readHolds(tx, evidence);
          const from = after?.at ?? new Date(0);
          const calls = await tx.$queryRaw<StoredPassedCall[]>`
          ${readable} WHERE split_part(c.policy, '@', 1) = ${policy} AND c.at < ${moment(before)} AND c.data_key IS NOT NULL
            AND (c.at, c.id) > (${from}, ${after?.id ?? ''}) AND ${isEpoch(epoch)}
          ORDER BY c.at, c.id LIMIT ${batchSize} FOR UPDATE OF c`;
          const inForce = holds.filter(({ released }) => released === null);
          const erased = await destroy(tx, await choose(calls, inForce), isEpoch(epoch));
          return { last: calls.length < batchSize ? null : (calls.at(-1) ?? null), erased };
        },
        { timeout: 600_000 },
      ),
  };

  async function destroy(tx: Tx, { calls, entries }: Choice, isStill: Prisma.Sql): Promise<number> {
    if (calls.length === 0) return 0;
    const ids = calls.map(({ id }) => id);
    const erased = await tx.$executeRaw`
      UPDATE passed_call SET data_key = NULL, owner = '' WHERE id = ANY(${ids}::text[]) AND ${isStill}`;
    if (erased !== ids.length) throw new Problem('write-conflict');
    const sealed = entryJson(entries.map((entry) => evidence.seal(entry, {})));
    await tx.$executeRaw(insertEntries(Prisma.sql`(SELECT) AS change`, sealed));
    return erased;
  }
}

const readable = Prisma.sql`
  SELECT c.id, c.server_id AS "serverId", s.name AS "serverName", c.tool, c.policy, c.requester_hash AS "requesterHash", c.at
    FROM passed_call c JOIN server s ON s.id = c.server_id`;

const passedCallTable = defineTable('passed_call', {
  /** Id of its entry. */
  id: text(),
  serverId: text<ServerId>(),
  tool: text(),
  /** name@version */
  policy: text(),
  requesterHash: bytes(),
  at: time(),
  owner: bytes(),
  /** Null after its content was erased. */
  dataKey: bytes<Uint8Array | null>(),
  arguments: bytes(),
});

const passedLookTable = defineTable('passed_look', {
  callId: text(),
  userId: text<UserId>(),
  reason: bytes(),
  at: time(),
});
