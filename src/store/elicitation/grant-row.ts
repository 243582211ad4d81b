import { rowDigest } from '../../audit/evidence.ts';
import { minus } from '../../model/decimal.ts';
import type { ElicitationId, GrantId, ServerId, UserId } from '../../model/id.ts';
import type { NewGrant } from './row.ts';

/** A standing approval as stored. */
export interface GrantRow {
  id: GrantId;
  serverId: ServerId;
  tool: string;
  toolSchema: string | null;
  requesterHash: Uint8Array;
  /** Sealed under the data key of the elicitation it came from. */
  terms: Uint8Array;
  elicitationId: ElicitationId;
  /** Whose vote completed it. */
  userId: UserId;
  policy: string;
  createdAt: number;
  expiresAt: number;
  reviewAt: number | null;
  usesLeft: number | null;
  /** In plain digits. */
  budgetLeft: string | null;
  suspendedAt: number | null;
  revokedAt: number | null;
  revokedBy: string | null;
}

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

export const grantDigest = (row: GrantRow): string =>
  rowDigest('app_grant', [
    row.id,
    row.serverId,
    row.tool,
    row.toolSchema,
    row.requesterHash,
    row.terms,
    row.elicitationId,
    row.userId,
    row.policy,
    row.createdAt,
    row.expiresAt,
    row.reviewAt,
    row.usesLeft,
    row.budgetLeft,
    row.suspendedAt,
    row.revokedAt,
    row.revokedBy,
  ]);
