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
  createdAt: number;
}

/** A call as its first question makes it. */
export const openedCall = ({ id, keyHash }: NewToolCall, asked: NewElicitation): ToolCallRow => {
  const { serverId, tool, openedAt: createdAt } = asked;
  return { id, serverId, keyHash, tool, state: 'open', attempt: null, claimedAt: null, result: null, createdAt };
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
    row.createdAt,
  ]);
