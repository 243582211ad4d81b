import { sha256 } from '#sdk/client/digest/digest';
import { releasingTool } from '#platform/model/names';
import { emptyForm } from '#sdk/mcp/elicit/request/approve';
import type { Elicit } from '#sdk/mcp/elicit/request/elicit';
import type { ToolResult } from '#sdk/mcp/question/call/incoming-call';
import { text } from '#sdk/mcp/question/result/tool-results';
import { isObject, rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';
import type { GatedTool } from '../arguments/gated-tool.ts';
import type { Use } from '../passes.ts';
import { faultOf } from '../arguments/received.ts';

/** What a tool of the upstream has returned, as the policies judge it. */
export interface Returned {
  tool: string;
  arguments: Record<string, unknown>;
  result: ToolResult;
}

const schemaDigest = sha256('assentry/release/v1');
/** It only reads: without a policy that names it, it is allowed. */
const config = { annotations: { readOnlyHint: true } };

/** With a pass for this, every result of a call of this requester is free. */
export const releaseUse = async (requester: Use['requester']): Promise<Use> => ({
  tool: { name: releasingTool, ...config, schemaDigest: await schemaDigest },
  requester,
});

/** Asks approvers to release what a tool of this server has returned. It does nothing else. */
export const releaseTool = (
  { server, reaches }: { server: string; reaches: string },
  { tool }: Returned,
): GatedTool => ({
  name: releasingTool,
  config,
  schemaDigest,
  reaches,
  read: async (args) => args,
  handler: async (_args, context) => {
    const { elicit } = context as { elicit: Elicit };
    const question = `Release the result of ${tool} on ${server}?`;
    const { status, comment } = await elicit(question, emptyForm, { audience: 'approvers' });
    return status === 'accept' ? { content: [], isReleased: true } : refusedResult(status, comment);
  },
});

/** Milliseconds after which another attempt to release the same counts as dead: it has nothing to do but to be recorded. */
export const releaseLeaseMs = 10_000;

export const isReleased = (answer: ToolResult): boolean => answer['isReleased'] === true;

/** People do not release it: there is nothing to come back for. */
export const isRefused = ({ _meta: meta }: ToolResult): boolean => isObject(meta) && refusals.includes(meta['code']);

const refusals: unknown[] = ['declined', 'cancelled'];

function refusedResult(status: 'decline' | 'cancel', comment: string | undefined): ToolResult {
  const [reason, code] =
    status === 'decline'
      ? ['people refused to release its result', 'declined']
      : ['the request to release its result was withdrawn', 'cancelled'];
  const sentence = `Do not repeat this call to get its result: it has run, and ${reason}.`;
  const lines = comment === undefined ? [] : [`Reason: ${comment}`];
  return { content: text(sentence, ...lines), isError: true, _meta: { code } };
}

/** For a client whose result is not released: how it comes back, which it also does by making the same call if `isKept`. */
export function heldFault(answer: ToolResult, { isKept }: { isKept: boolean }): RpcFault {
  const { _meta: meta } = answer;
  const pending = isObject(meta) && meta['elicitationPending'];
  if (!isObject(pending)) return faultOf(answer);
  const byId = `call awaitElicitationResult with elicitId ${String(pending['elicitId'])}`;
  const ways = isKept ? `Make the same call again within the hour, or ${byId},` : `C${byId.slice(1)}`;
  const instructions = `${ways} to get the result: the call has run, and an approver must release its result.`;
  const data = { code: 'not-now', elicitationPending: { ...pending, instructions } };
  return new RpcFault({ code: rpcCodes.internal, message: instructions, data });
}

export const taskFault = (): RpcFault =>
  new RpcFault(
    rpcError(
      rpcCodes.internal,
      'forbidden',
      'Make this call without a task: an approver may have to release its result, and the result of a task cannot be held.',
    ),
  );
