import { z } from 'zod';
import type { AssentryClient, ToolCallState } from '../../../client/client.ts';
import type { FormContent } from '#platform/form/schema';
import { actions } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { stillDeclared, supportsElicitation, type ElicitationCapabilities } from '../../question/call/capabilities.ts';
import type { IncomingCall, ToldAnswer, ToolResult } from '../../question/call/incoming-call.ts';
import { findOwnCall, type Caller } from '../principal/own-call.ts';
import { awaitToolName, relayToolName } from '../../question/result/pending-results.ts';
import { Reply } from '../../channels/channels/reply.ts';
import type { RunSettings } from '../../run/run/run.ts';
import { isToolResult, problemResult } from '../../question/result/tool-results.ts';

/** How the tools below continue a call in any process. */
interface GoingOn {
  client: AssentryClient;
  caller: Caller;
  signal: AbortSignal;
  /** Runs the stored call's tool from its start, for the current client. */
  goOn(call: ToolCallState, relayedAnswer?: IncomingCall['relayedAnswer']): Promise<ToolResult>;
}

interface ListingFacts {
  capabilities: ElicitationCapabilities | undefined;
  settings: RunSettings;
}

/** A tool of ours next to the author's own, with which a client goes on with a call that has ended pending. */
export interface PendingTool {
  name: string;
  config: { title: string; description: string; inputSchema: z.ZodObject; annotations: { openWorldHint: false } };
  /** No other client sees or calls it. */
  isFor(facts: ListingFacts): boolean;
  run(going: GoingOn, input: unknown): Promise<ToolResult>;
}

const elicitId = z.string().describe('From _meta.elicitationPending, or the text, of the result that is pending.');
const RelayInput = z.looseObject({
  elicitId,
  inquiry: z.string().optional().describe("With a reply to an approver's question: its id, from the same result."),
  action: z.enum(actions).describe('accept: they answered; decline: they said no; cancel: they did not choose.'),
  content: z.unknown().optional().describe("With accept: the person's answer. It satisfies the schema of the request."),
});
const AwaitInput = z.object({ elicitId });
const annotations = { openWorldHint: false } as const;

const relayTool: PendingTool = {
  name: relayToolName,
  config: {
    title: 'Pass on an answer',
    description:
      "Passes on the person's answer to a request that a tool of this server made, and returns that tool's result. " +
      'Call it only after they have answered; never answer for them.',
    inputSchema: RelayInput,
    annotations,
  },
  isFor: ({ capabilities, settings }) =>
    settings.withoutElicitation === 'relay' && !supportsElicitation(stillDeclared(capabilities)),
  async run(going, input) {
    const { elicitId: id, inquiry } = RelayInput.parse(input);
    const answer = Reply.parse(input);
    const { call, question } = await findOwnCall(going.client, going.caller, id, going);
    if (question.status === 'expired') throw new Problem('not-found');
    if (inquiry !== undefined) {
      await reportReply(going, id, inquiry, answer);
      return going.goOn(call);
    }
    if (question.audience === 'approvers') throw forApprovers();
    const isOver = call.state === 'settled' || (question.action !== null && question.action !== answer.action);
    if (isOver) throw new Problem('already-closed');
    return going.goOn(call, { elicitId: id, answer });
  },
};

/** Information for the approvers, not a vote; a reply that does not fit changes nothing. */
async function reportReply(
  { client, signal }: GoingOn,
  id: string,
  inquiry: string,
  { action, content }: ToldAnswer,
): Promise<void> {
  const answer = action === 'accept' ? { content: content as FormContent } : {}; // the orchestrator holds it to its form
  await client.giveInformation(id, { inquiry, action, ...answer, channel: 'told' }, { signal });
}

const forApprovers = (): Problem =>
  new Problem('forbidden', {
    detail:
      'Approvers answer this request in the console; an answer passed on does not count. A reply to their question names its ' +
      'inquiry.',
  });

export const awaitTool: PendingTool = {
  name: awaitToolName,
  config: {
    title: 'Wait for an answer',
    description:
      'Waits for the answer to a request that is pending, and returns the result of the tool that made it. ' +
      "If it isn't answered in time, you get another pending result; call this tool again.",
    inputSchema: AwaitInput,
    annotations,
  },
  isFor: () => true,
  async run(going, input) {
    const { elicitId: id } = AwaitInput.parse(input);
    const { call } = await findOwnCall(going.client, going.caller, id, going);
    if (call.state !== 'settled') return going.goOn(call);
    if (isToolResult(call.result)) return call.result;
    throw new Problem('already-closed');
  },
};

export const pendingTools: readonly PendingTool[] = [relayTool, awaitTool];

/** Resolves with a result even for a problem, because the model reads it. */
export async function runPendingTool(tool: PendingTool, going: GoingOn, input: unknown): Promise<ToolResult> {
  try {
    return await tool.run(going, input);
  } catch (error) {
    if (error instanceof Problem) return problemResult(error);
    throw error;
  }
}
