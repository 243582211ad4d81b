import type { ElicitationId, GrantId, ServerId, UserId } from '#platform/model/id';
import { bytes, defineTable, integer, numeric, text, time } from '#platform/database/sql';

/** A standing approval. */
export const grantTable = defineTable('app_grant', {
  id: text<GrantId>(),
  serverId: text<ServerId>(),
  tool: text(),
  toolSchema: text<string | null>(),
  requesterHash: bytes(),
  /** Sealed under the data key of the elicitation it came from. */
  terms: bytes(),
  elicitationId: text<ElicitationId>(),
  /** The person whose vote completed it. */
  userId: text<UserId>(),
  policy: text(),
  createdAt: time(),
  expiresAt: time(),
  reviewAt: time<number | null>(),
  usesLeft: integer<number | null>(),
  /** In plain digits. */
  budgetLeft: numeric<string | null>(),
  suspendedAt: time<number | null>(),
  revokedAt: time<number | null>(),
  revokedBy: text<string | null>(),
});
