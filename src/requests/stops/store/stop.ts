import type { ServerId, StopId, UserId } from '#platform/model/id';
import { defineTable, text, time } from '#platform/database/sql';

/** What an administrator has stopped: a tool of a server, a tool anywhere, a server or everything. */
export const stopTable = defineTable('stop', {
  id: text<StopId>(),
  serverId: text<ServerId | null>(),
  tool: text<string | null>(),
  reason: text(),
  /** Null is the operator. */
  stoppedBy: text<UserId | null>(),
  at: time(),
  liftedBy: text<UserId | null>(),
  liftedAt: time<number | null>(),
});
