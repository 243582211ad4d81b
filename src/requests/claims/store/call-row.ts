import type { RowOf } from '#platform/database/sql';
import type { toolCallTable } from './tool-call.ts';
import type { NewElicitation, NewToolCall } from '../../state/store/row/row.ts';

export type ToolCallRow = RowOf<typeof toolCallTable.columns>;

/** A call when its first question is opened. */
export const openedCall = ({ id, keyHash }: NewToolCall, elicitation: NewElicitation): ToolCallRow => {
  const { serverId, tool, openedAt: createdAt } = elicitation;
  const unused = { attempt: null, claimedAt: null, result: null, lapse: null };
  return { id, serverId, keyHash, tool, state: 'open', ...unused, createdAt };
};
