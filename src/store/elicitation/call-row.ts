import { rowDigest } from '../../audit/evidence.ts';
import type { ServerId, ToolCallId } from '../../model/id.ts';
import type { NewElicitation, NewToolCall } from './row.ts';

export interface ToolCallRow {
  id: ToolCallId;
  serverId: ServerId;
  /** The keyed hash of the caller's name for it. */
  keyHash: Uint8Array;
  tool: string;
  state: 'open' | 'claimed' | 'completed' | 'settled';
  attempt: string | null;
  claimedAt: number | null;
  result: Uint8Array | null;
  /** Why its approval was never used. */
  lapse: Lapsed | null;
  createdAt: number;
}

/** `lapsed`: the approval would no longer be given at its use; `revoked`: a person withdrew it before. */
export type Lapsed = 'lapsed' | 'revoked';

/** A call when its first question is opened. */
export const openedCall = ({ id, keyHash }: NewToolCall, elicitation: NewElicitation): ToolCallRow => {
  const { serverId, tool, openedAt: createdAt } = elicitation;
  const unused = { attempt: null, claimedAt: null, result: null, lapse: null };
  return { id, serverId, keyHash, tool, state: 'open', ...unused, createdAt };
};

export const callDigest = (row: ToolCallRow): string =>
  rowDigest('tool_call', [
    row.id,
    row.serverId,
    row.keyHash,
    row.tool,
    row.state,
    row.attempt,
    row.claimedAt,
    row.result,
    row.lapse,
    row.createdAt,
  ]);
