import { Prisma } from '#platform/database/generated/prisma/client';
import type { AuditEntry } from '#audit/entries/rules/entry';
import type { Proof } from '#audit/entries/rules/evidence';
import type { GrantId, ServerId, ElicitationId } from '#platform/model/id';
import {
  latestEntry,
  proofColumns,
  proofFrom,
  type StoredProof,
  changeWithEntry,
  type Ledger,
} from '#audit/entries/store/entries';
import { grantTable } from './tables.ts';
import { hasIn } from '#people/roles/store';
import { moment, type RowOf } from '#platform/database/sql';
import { isVisible, type InboxViewer } from '../../inbox/store/inbox.ts';
import { minus } from '#platform/model/decimal';
import type { NewGrant } from '../../state/store/row.ts';

export interface GrantRecord extends GrantRow {
  serverName: string;
  /** The owner of the elicitation it came from. */
  owner: Uint8Array;
  dataKey: Uint8Array | null;
  userName: string;
  /** True if someone in the approving votes can no longer vote, or the approval was revoked. */
  isVoterGone: boolean;
}

interface ListedGrants {
  grants: GrantRecord[];
  /** Whether there are more than these. */
  isCut: boolean;
}

type GrantChange = Partial<Pick<GrantRow, 'revokedAt' | 'revokedBy' | 'suspendedAt' | 'reviewAt'>>;

const isVoterGone = Prisma.sql`(EXISTS (
  SELECT FROM jsonb_array_elements(e.snapshot #> '{context,votes}') AS vote
    JOIN app_user voter ON voter.id IN (vote ->> 'by', vote ->> 'for')
   WHERE vote ->> 'action' = 'accept' AND (voter.disabled_at IS NOT NULL OR NOT ${hasIn('voter', 'decide')}))
  OR EXISTS (SELECT FROM tool_call c WHERE c.id = e.tool_call_id AND c.lapse = 'revoked'))`;

/** The stored standing approvals after this id, in the order of their ids, to compare with the log. */
export async function readGrants(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, after: string, most: number) {
  const rows = await tx.$queryRaw<object[]>`
    SELECT ${grantTable.selection('g')} FROM app_grant g WHERE g.id > ${after} ORDER BY g.id LIMIT ${most}`;
  return rows.map(grantTable.read);
}

/** Standing approvals. */
export function createGrants({ prisma, evidence }: Ledger) {
  const select = async (where: Prisma.Sql, order: Prisma.Sql): Promise<Read[]> => {
    const rows = await prisma.$queryRaw<StoredGrant[]>`
      SELECT ${grantTable.selection('g')}, s.name AS "serverName", e.owner, e.data_key AS "dataKey", u.name AS "userName",
          ${isVoterGone} AS "isVoterGone", ${proofColumns}
        FROM app_grant g JOIN server s ON s.id = g.server_id JOIN app_user u ON u.id = g.user_id
          JOIN elicitation e ON e.id = g.elicitation_id ${latestEntry(Prisma.sql`a.subject_id = g.id`)}
       WHERE ${where} ORDER BY ${order}`;
    return rows.map(toRead);
  };
  return {
    /**
     * Standing approvals from requests that the reader may know of, or asked under one of these hashes, the latest
     * first. If there are more than `most`, those in force are kept.
     */
    async list(viewer: InboxViewer, hashes: Uint8Array[], now: number, most: number): Promise<ListedGrants> {
      const isTheirs = Prisma.sql`(${isVisible(viewer)} OR g.requester_hash = ANY(${hashes}::bytea[]))`;
      const isInForce = Prisma.sql`(g.revoked_at IS NULL AND g.suspended_at IS NULL AND g.expires_at > ${moment(now)})`;
      const latest = (where: Prisma.Sql, limit: number) =>
        select(Prisma.sql`${isTheirs} AND ${where}`, Prisma.sql`g.created_at DESC, g.id LIMIT ${limit}`);
      const inForce = await latest(isInForce, most + 1);
      const ended = await latest(Prisma.sql`NOT ${isInForce}`, most + 1 - inForce.length);
      const grants = [...inForce, ...ended].map(({ grant }) => grant);
      const shown = grants.slice(0, most).sort((first, other) => other.createdAt - first.createdAt);
      return { grants: shown, isCut: grants.length > most };
    },
    /** Problem `unproven` if the row does not match the log. */
    async find(id: GrantId): Promise<GrantRecord | null> {
      const [read] = await select(Prisma.sql`g.id = ${id}`, Prisma.sql`g.id`);
      if (read) evidence.require(read.proof, id, grantTable.digest(read.grant));
      return read?.grant ?? null;
    },
    /** Standing approvals in force for this tool and requester, ordered by their end. */
    async inForce(server: ServerId, tool: string, requester: Uint8Array[], now: number): Promise<GrantRecord[]> {
      const read = await select(
        Prisma.sql`g.server_id = ${server} AND g.tool = ${tool} AND g.requester_hash = ANY(${requester}::bytea[])
          AND g.revoked_at IS NULL AND g.suspended_at IS NULL AND g.expires_at > ${moment(now)}
          AND (g.review_at IS NULL OR g.review_at > ${moment(now)}) AND coalesce(g.uses_left, 1) > 0
          AND NOT ${isVoterGone}`,
        Prisma.sql`g.expires_at, g.id LIMIT 20`,
      );
      return read.flatMap(({ proof, grant }) =>
        evidence.proves(proof, grant.id, grantTable.digest(grant)) ? [grant] : [],
      );
    },
    /**
     * Ends, suspends or reviews it, with its audit entry; false, and nothing is stored, if it has changed since it was
     * read.
     */
    async change(grant: GrantRow, set: GrantChange, entry: AuditEntry): Promise<boolean> {
      const next = { ...grant, ...set };
      const sealed = evidence.seal(entry, { [grant.id]: grantTable.digest(next) }, grant.id);
      const change = Prisma.sql`
        UPDATE app_grant SET ${grantTable.set(next, 'revokedAt', 'revokedBy', 'suspendedAt', 'reviewAt')}
         WHERE id = ${grant.id} AND ${isAsRead(grant)} RETURNING id`;
      return changeWithEntry(prisma, change, sealed);
    },
  };
}

/** True if none of its changeable columns has changed. */
const isAsRead = (grant: GrantRow): Prisma.Sql => Prisma.sql`
  uses_left IS NOT DISTINCT FROM ${grant.usesLeft}::int AND budget_left IS NOT DISTINCT FROM ${grant.budgetLeft}::numeric
  AND review_at IS NOT DISTINCT FROM ${moment(grant.reviewAt)} AND suspended_at IS NOT DISTINCT FROM ${moment(grant.suspendedAt)}
  AND revoked_at IS NOT DISTINCT FROM ${moment(grant.revokedAt)}`;

/** A standing approval, and what the log says about it. */
interface Read {
  proof: Proof | null;
  grant: GrantRecord;
}

type StoredGrant = StoredProof & Omit<GrantRecord, keyof GrantRow>;

const toRead = (stored: StoredGrant): Read => {
  const { serverName, owner, dataKey, userName, isVoterGone } = stored;
  return {
    proof: proofFrom(stored),
    grant: { ...grantTable.read(stored), serverName, owner, dataKey, userName, isVoterGone },
  };
};

export type GrantRow = RowOf<typeof grantTable.columns>;

/** The standing approval that a vote makes. */
export const grantedBy = (elicitationId: ElicitationId, at: number, grant: NewGrant): GrantRow => ({
  ...grant,
  elicitationId,
  createdAt: at,
  suspendedAt: null,
  revokedAt: null,
  revokedBy: null,
});

/** The standing approval after one use of this amount. */
export const usedGrant = (grant: GrantRow, amount: number): GrantRow => ({
  ...grant,
  usesLeft: grant.usesLeft === null ? null : grant.usesLeft - 1,
  budgetLeft: grant.budgetLeft === null ? null : minus(grant.budgetLeft, amount),
});
