import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { ElicitationId, ServerId } from '#platform/model/id';
import { Problem } from '#platform/model/problem/problem';
import { isEpoch, type Epoch } from '#platform/database/epochs';
import type { InCommit } from '#platform/database/database/in-commit';
import { locks } from '#platform/database/sql/locks';
import { isBesidePolicy, isUnderPolicy, policyNameOf } from '#audit/entries/store/entries';
import { entryJson, insertEntries, type Ledger } from '#audit/entries/store/entries';
import { readHolds, type HoldRecord } from './stored-hold.ts';
import { moment } from '#platform/database/sql/time';

/** A request that has content. */
export interface StoredContent {
  id: ElicitationId;
  serverId: ServerId;
  serverName: string;
  tool: string;
  policy: string;
  requesterHash: Uint8Array | null;
  /** Something can still happen to it that needs its content. */
  isNeeded: boolean;
}

/** The requests whose content may be erased, and as of when. */
interface Among {
  ids: ElicitationId[];
  now: number;
  /** A call whose last answer is older than this no longer collects it. */
  staleBefore: number;
  /** The epoch of the policies that say so, if any do. */
  epoch?: Pick<Epoch, 'users' | 'policies'>;
}

/** A request that ended, and when: the order in which retention looks at them. */
export interface EndedContent {
  id: ElicitationId;
  closedAt: number;
}

/** Is it under a policy of a space, and did this policy decide it as well? Its entry says so: the log names both. */
const isUnderSpaceAnd = (policy: string): Prisma.Sql => Prisma.sql`
  ${policyNameOf()} IN (SELECT name FROM policy WHERE space_id IS NOT NULL) AND EXISTS (
    SELECT FROM audit_entry a, jsonb_array_elements_text(audit.entry(a.body) -> 'alsoBy') also
     WHERE a.elicitation_id = e.id AND a.type IN ('elicitation.opened', 'elicitation.edited')
       AND (audit.entry(a.body) ->> 'revision')::int = e.revision AND split_part(also, '@', 1) = ${policy})`;

/** The content of requests: all of it is sealed under one key each, and destroying the key erases it. */
export const createContents = ({ prisma, evidence }: Ledger) => ({
  /** The requests of these requesters that have content. */
  async ofRequester(hashes: Uint8Array[]): Promise<ElicitationId[]> {
    const rows = await prisma.$queryRaw<{ id: ElicitationId }[]>`
      SELECT id FROM elicitation WHERE ${isOf(hashes)} AND status = 'open'
      UNION ALL SELECT id FROM elicitation WHERE ${isOf(hashes)} AND closed_at IS NOT NULL ORDER BY id`;
    return rows.map(({ id }) => id);
  },
  /** The next requests of this policy, whatever its version, that ended before this time and have content. */
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

/** Whether a request is of one of these requesters and has content. What is open and what is closed have an index each. */
const isOf = (hashes: Uint8Array[]): Prisma.Sql =>
  Prisma.sql`requester_hash = ANY(${hashes}::bytea[]) AND data_key IS NOT NULL`;

/** Content is needed while the call runs or its answer can be fetched, and by what people can still do with it. */
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
