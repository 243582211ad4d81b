import type { ServerId, ToolCallId } from '#platform/model/id';
import { bytes, defineTable, text, time } from '#platform/database/sql';

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
