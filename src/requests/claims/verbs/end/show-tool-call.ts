import { isVisited } from '../../../machine/rules/step/step.ts';
import type { ToolCallId } from '#platform/model/id';
import type { KeyScope, Requester } from '#people/directory/contract/user';
import type { ElicitationRow } from '../../../state/store/row/row.ts';
import { viewWithInquiry, type ElicitationView } from '../../../asking/verbs/view/elicitation-view.ts';
import type { Engine } from '#platform/nodes/verbs/engine';
import { pageCode } from '../../../pages/verbs/proof/page-code.ts';
import { cells, openQuestion, openReplaced, ownerOf } from '../../../asking/verbs/question/sealed-question.ts';
import { findCall } from '../claim/find-call.ts';

interface ToolCallView {
  id: ToolCallId;
  tool: string;
  title: string | null;
  description: string | null;
  schemaDigest: string | null;
  annotations: Record<string, unknown> | null;
  reaches: string | null;
  state: 'open' | 'claimed' | 'completed' | 'settled';
  since: number | null;
  arguments: Record<string, unknown>;
  requester: StatedRequester;
  session: string;
  elicitations: (ElicitationView & { message: string; schema: unknown; visited: boolean; code?: string })[];
  result?: unknown;
}

/** Everything the server that made this call needs to continue it; `not-found` for any other. */
export async function showToolCall(engine: Engine, server: KeyScope, id: ToolCallId): Promise<ToolCallView> {
  const { call, first, rows } = await findCall(engine, server, id);
  const [original] = first.revision > 1 ? await engine.proceedings.revisions(first.id) : [];
  const question = original ? openReplaced(engine.ring, first, original) : openQuestion(engine.ring, first);
  const elicitations = await Promise.all(rows.map((row) => showAsked(engine, row)));
  return {
    id,
    tool: call.tool,
    title: question.tool.title,
    description: question.tool.description,
    schemaDigest: question.tool.schemaDigest,
    annotations: question.tool.annotations,
    reaches: question.tool.reaches ?? null,
    state: call.state,
    since: call.claimedAt,
    elicitations,
    arguments: JSON.parse(question.arguments) as Record<string, unknown>,
    requester: asStated(question.requester),
    session: ownerOf(engine.ring, first).session,
    ...(call.result && { result: cells.result.open(engine.ring, first, id, call.result) }),
  };
}

/** What the server said about the requester, for it to repeat. */
type StatedRequester = Omit<Requester, 'issuer' | 'verifiedBy'> & { issuer?: string };

function asStated(stored: Requester): StatedRequester {
  const { verifiedBy: _, issuer, ...requester } = stored;
  return { ...requester, ...(issuer && { issuer }) };
}

async function showAsked(engine: Engine, row: ElicitationRow): Promise<ToolCallView['elicitations'][number]> {
  const { message, schema } = openQuestion(engine.ring, row);
  const hasPage = row.mode === 'url' && row.status === 'open' && row.audience === 'requester';
  const code = hasPage ? await pageCode(engine, row) : {};
  return { ...(await viewWithInquiry(engine, row)), message, schema, visited: isVisited(row.state), ...code };
}
