import { rowDigest } from '../../audit/evidence.ts';
import type { ServerId, ToolCallId } from '../../model/id.ts';
import type { NewElicitation, NewToolCall } from './row.ts';

export interface ToolCallRow {
  id: ToolCallId;
  serverId: ServerId;
  /** How its caller's name for it is found again. */
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

/** `lapsed`: it would no longer be given when it was to be used; `revoked`: a person took it back before. */
export type Lapsed = 'lapsed' | 'revoked';

/** A call as its first question makes it. */
export const openedCall = ({ id, keyHash }: NewToolCall, asked: NewElicitation): ToolCallRow => {
  const { serverId, tool, openedAt: createdAt } = asked;
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
