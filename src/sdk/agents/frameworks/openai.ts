import type { z } from 'zod';
import type { Once } from '../../mcp/question/call/make-once.ts';
import type { AgentCall, AgentTool } from '../approvals/agent-call.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { CallRefusedError, refusalOf } from '../approvals/refused-error.ts';

/** What of the SDK's details of a call is needed here. */
interface CallDetails {
  toolCall?: { callId: string };
  signal?: AbortSignal;
}

/** A tool as the OpenAI Agents SDK has it. */
export interface OpenAiTool<
  Schema extends z.ZodObject,
  Output,
  Context = unknown,
  Details extends CallDetails = CallDetails,
> extends Omit<AgentTool<Schema>, 'schema'> {
  parameters: Schema;
  execute: (
    input: z.output<Schema>,
    context: Context | undefined,
    details: Details | undefined,
    steps: { once: Once },
  ) => Promise<Output> | Output;
}

/** A call that waits for an approval, as the SDK interrupts a run with it. */
interface Interruption {
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
  rawItem: object;
}

/** The part of the SDK's `RunState` that decides about interruptions. */
interface InterruptedState<Item extends Interruption> {
  getInterruptions(): Item[];
  approve(item: Item): void;
  reject(item: Item, options: { message: string }): void;
}

/** Approvals for the OpenAI Agents SDK. */
export function openAiApprovals(approvals: Approvals) {
  const tools = new Map<string, AgentTool>();
  const decide = async ({ name = '', arguments: text = '', rawItem }: Interruption) => {
    const tool = tools.get(name);
    if (!tool || !('callId' in rawItem)) return null;
    const input = await tool.schema.parseAsync(JSON.parse(text));
    return approvals.decide({ id: String(rawItem.callId), tool, input });
  };
  return {
    /** What the SDK's `tool()` takes: its run is interrupted if people must decide, and it runs what they approved. */
    tool<Schema extends z.ZodObject, Output, Context = unknown, Details extends CallDetails = CallDetails>(
      options: OpenAiTool<Schema, Output, Context, Details>,
    ) {
      const { parameters, execute, ...named } = options;
      const tool = { ...named, schema: parameters };
      tools.set(tool.name, tool);
      const { name, description } = tool;
      return {
        name,
        description,
        parameters,
        needsApproval: async (_context: unknown, input: z.output<Schema>, id?: string): Promise<boolean> =>
          approvals.needsDecision(callOf(tool, input, id)),
        execute: (input: z.output<Schema>, context?: Context, details?: Details) =>
          approvals.run(
            callOf(tool, input, details?.toolCall?.callId),
            (approved, steps) => execute(approved, context, details, steps),
            details?.signal,
          ),
      };
    },
    /** Waits until the interruptions of these tools are decided, and enters the decisions into the state. */
    async settle<Item extends Interruption>(state: InterruptedState<Item>): Promise<void> {
      const settleOne = async (item: Item): Promise<void> => {
        const decision = await decide(item);
        if (!decision) return;
        const refusal = refusalOf(decision);
        if (refusal) state.reject(item, { message: refusal.message });
        else state.approve(item);
      };
      await Promise.all(state.getInterruptions().map(settleOne));
    },
  };
}

/** A call without an id could not be told from another one. */
function callOf<Input>(tool: AgentTool, input: Input, id: string | undefined): AgentCall<Input> {
  if (id !== undefined) return { id, tool, input };
  throw new CallRefusedError('cancelled', 'The call has no id.');
}
