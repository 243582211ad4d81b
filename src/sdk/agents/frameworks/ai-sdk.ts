import type { z } from 'zod';
import type { Once } from '../../mcp/question/call/make-once.ts';
import type { AgentTool } from '../approvals/agent-call.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { refusalOf } from '../approvals/refused-error.ts';

/** What of the SDK's options of a call is needed here. */
interface CallOptions {
  toolCallId: string;
  abortSignal?: AbortSignal | undefined;
}

/** A tool as the AI SDK has it. */
export interface AiSdkTool<Schema extends z.ZodObject, Output, Options extends CallOptions = CallOptions> extends Omit<
  AgentTool<Schema>,
  'schema' | 'name'
> {
  inputSchema: Schema;
  execute: (input: z.output<Schema>, options: Options & { once: Once }) => Promise<Output> | Output;
}

/** A part of a result or a message; those that ask for an approval have both members. */
interface Part {
  type: string;
  approvalId?: string;
  /** The SDK answers it itself. */
  isAutomatic?: boolean | undefined;
  toolCall?: { toolName: string; toolCallId: string; input: unknown };
}

/** What the SDK reads as the decision about a call. */
interface ApprovalResponse {
  type: 'tool-approval-response';
  approvalId: string;
  approved: boolean;
  reason?: string;
}

/** Approvals for the AI SDK. */
export function aiSdkApprovals(approvals: Approvals) {
  const tools = new Map<string, AgentTool>();
  const answer = async ({ approvalId, toolCall, isAutomatic }: Part): Promise<ApprovalResponse[]> => {
    const tool = tools.get(toolCall?.toolName ?? '');
    if (!tool || !toolCall || approvalId === undefined || isAutomatic) return [];
    const { toolCallId: id, input } = toolCall;
    const refusal = refusalOf(await approvals.decide({ id, tool, input }));
    const reason = refusal && { reason: refusal.message };
    return [{ type: 'tool-approval-response', approvalId, approved: !refusal, ...reason }];
  };
  return {
    /** The tool of this name for the SDK: its call waits if people must decide, and it runs what they approved. */
    tool<Schema extends z.ZodObject, Output, Options extends CallOptions = CallOptions>(
      name: string,
      options: AiSdkTool<Schema, Output, Options>,
    ) {
      const { inputSchema, execute, ...described } = options;
      const tool = { ...described, name, schema: inputSchema };
      tools.set(name, tool);
      return {
        description: tool.description,
        inputSchema,
        needsApproval: (input: z.output<Schema>, { toolCallId: id }: { toolCallId: string }): Promise<boolean> =>
          approvals.needsDecision({ id, tool, input }),
        execute: (input: z.output<Schema>, options: Options) =>
          approvals.run(
            { id: options.toolCallId, tool, input },
            (approved, context) => execute(approved, { ...options, ...context }),
            options.abortSignal,
          ),
      };
    },
    /** Waits until what this result asks about these tools is decided; the message for the SDK. */
    async settle(content: readonly Part[]): Promise<{ role: 'tool'; content: ApprovalResponse[] }> {
      return { role: 'tool', content: (await Promise.all(content.map(answer))).flat() };
    },
  };
}
