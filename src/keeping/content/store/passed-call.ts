import type { ServerId, UserId } from '#platform/model/id';
import { bytes, defineTable, text, time } from '#platform/database/sql/columns';

export const passedCallTable = defineTable('passed_call', {
  /** The id of its entry. */
  id: text(),
  serverId: text<ServerId>(),
  tool: text(),
  /** name@version */
  policy: text(),
  requesterHash: bytes(),
  at: time(),
  owner: bytes(),
  /** Null once its content was erased. */
  dataKey: bytes<Uint8Array | null>(),
  arguments: bytes(),
});

export const passedLookTable = defineTable('passed_look', {
  callId: text(),
  userId: text<UserId>(),
  reason: bytes(),
  at: time(),
});
