import type { KeyRing } from '../crypto/key-ring.ts';
import type { FormContent } from '../form/answer.ts';
import { outcomeAction, type Action } from '../model/elicitation.ts';
import type { ElicitationRow } from '../store/elicitation-row.ts';
import { requesterAddress } from './requester-address.ts';
import { openDecision } from './sealed-question.ts';

type Shown = 'id' | 'step' | 'status' | 'audience' | 'mode' | 'cause' | 'openedAt' | 'deadlineAt' | 'closedAt';

/** What the server that asked may know of its question. */
export interface ElicitationView extends Pick<ElicitationRow, Shown | 'revision' | 'digest'> {
  toolCall: ElicitationRow['toolCallId'];
  /** What MCP clients understand; null while open. */
  action: Action | null;
  content?: FormContent;
  comment: string | null;
  statusUrl: string;
  /** In URL mode while open: where to send the requester. */
  url?: string;
}

export function viewElicitation(engine: { ring: KeyRing; publicUrl(): string }, row: ElicitationRow): ElicitationView {
  const { id, step, status, audience, mode, cause, openedAt, deadlineAt, closedAt, revision, digest } = row;
  const decision = status === 'open' ? null : openDecision(engine.ring, row);
  const url = requesterAddress(engine, row);
  return {
    id,
    step,
    status,
    audience,
    mode,
    cause,
    openedAt,
    deadlineAt,
    closedAt,
    revision,
    digest,
    toolCall: row.toolCallId,
    action: status === 'open' ? null : outcomeAction[status],
    ...(decision?.content && { content: decision.content }),
    comment: decision?.comment ?? null,
    statusUrl: `${engine.publicUrl()}/requests/${id}`,
    ...(url !== null && { url }),
  };
}
