import type { KeyRing } from '#platform/crypto/key-ring';
import type { FormContent } from '#platform/form/answer';
import { outcomeAction, type Action } from '../../contract/elicitation.ts';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { formatWhy } from '#policies/deciding/verbs/open';
import { openInquiry } from '../../../deliberation/verbs/deliberate/remark.ts';
import { requesterAddress } from '../../../pages/verbs/proof/requester-address.ts';
import { runDigest, runOf } from '../question/question-digest.ts';
import { readable } from '../../../state/verbs/change/readable.ts';
import { openDecision, openQuestion, type Decision } from '../question/sealed-question.ts';

type Shown = 'id' | 'step' | 'status' | 'audience' | 'mode' | 'cause' | 'openedAt' | 'deadlineAt' | 'closedAt';

/** What the server that asked may know of its question. */
export interface ElicitationView extends Pick<ElicitationRow, Shown | 'revision' | 'digest'> {
  /** The run digest that a claim must bring. */
  run?: string;
  toolCall: ElicitationRow['toolCallId'];
  /** What MCP clients understand; null while open. */
  action: Action | null;
  content?: FormContent;
  comment: string | null;
  /** Which policy decides, and what it requires first, in a sentence. */
  policy?: { name: string; sentence: string };
  /** If people edited the request: the approved arguments. */
  arguments?: Record<string, unknown>;
  /** What an approver asks the requester. */
  inquiry?: { id: string; by: string; message: string; schema: unknown };
  statusUrl: string;
  /** In URL mode while open: where to send the requester. */
  url?: string;
}

export function viewElicitation(engine: { ring: KeyRing; publicUrl(): string }, row: ElicitationRow): ElicitationView {
  const { id, step, status, audience, mode, cause, openedAt, deadlineAt, closedAt, revision, digest } = row;
  const decision = decisionOf(engine.ring, row);
  const url = readable(() => requesterAddress(engine, row));
  const edited = revision > 1 ? argumentsOf(engine.ring, row) : null;
  const run = readable(() => runDigest(runOf(row.tool, openQuestion(engine.ring, row))));
  const sentence = readable(() => formatWhy(engine.ring, row));
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
    ...(run !== null && { run }),
    toolCall: row.toolCallId,
    action: status === 'open' ? null : outcomeAction[status],
    ...(decision?.content && { content: decision.content }),
    comment: decision?.comment ?? null,
    ...(edited && { arguments: edited }),
    ...(sentence !== null && { policy: { name: row.policy, sentence } }),
    statusUrl: `${engine.publicUrl()}/requests/${id}`,
    ...(url !== null && { url }),
  };
}

/** The same, with the question to the requester that waits for a reply. */
export async function viewWithInquiry(
  engine: Pick<Engine, 'ring' | 'publicUrl' | 'proceedings' | 'users'>,
  row: ElicitationRow,
): Promise<ElicitationView> {
  const inquiry = await openInquiry(engine, row);
  return { ...viewElicitation(engine, row), ...(inquiry && { inquiry }) };
}

/** The content of an accept must be readable, or nothing runs; every other state can be shown without content. */
const unlessAccepted = <T>({ status }: ElicitationRow, open: () => T): T | null =>
  status === 'accepted' ? open() : readable(open);

const decisionOf = (ring: KeyRing, row: ElicitationRow): Decision | null =>
  row.status === 'open' ? null : unlessAccepted(row, () => openDecision(ring, row));

const argumentsOf = (ring: KeyRing, row: ElicitationRow): Record<string, unknown> | null =>
  unlessAccepted(row, () => JSON.parse(openQuestion(ring, row).arguments) as Record<string, unknown>);
