import { minus } from '#platform/model/decimal';
import type { ElicitationId } from '#platform/model/id';
import type { RowOf } from '#platform/database/sql';
import type { grantTable } from '../tables.ts';
import type { NewGrant } from '../../../state/store/row/row.ts';

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
