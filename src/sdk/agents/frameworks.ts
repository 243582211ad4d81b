import type { z } from 'zod';
import type { Once } from '../mcp/question/call.ts';
import { type AgentTool, type Approvals, refusalOf, CallRefusedError, type AgentCall } from './approvals.ts';
import { isClosed } from '#requests/asking/contract/elicitation';

/** Needed part of the SDK's options of a call. */
interface CallOptions {
  toolCallId: string;
  abortSignal?: AbortSignal | undefined;
}

/** A tool of the AI SDK. */
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
  /** Set if the SDK answers it itself. */
  isAutomatic?: boolean | undefined;
  toolCall?: { toolName: string; toolCallId: string; input: unknown };
}

/** The decision about a call in the SDK's format. */
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
    /** Waits until all approvals requested by this result for these tools are decided; returns the message for the SDK. */
    async settle(content: readonly Part[]): Promise<{ role: 'tool'; content: ApprovalResponse[] }> {
      return { role: 'tool', content: (await Promise.all(content.map(answer))).flat() };
    },
  };
}

/** Value of an interrupt of a graph. */
export interface AssentryInterrupt {
  /** Id of the request for people. */
  elicitation: string;
  message: string;
  /** Address at which they see it. */
  statusUrl: string;
}

/** Further parameter of a tool. */
interface ToolConfig {
  toolCall?: { id?: string | undefined } | undefined;
  signal?: AbortSignal | undefined;
}

/** Approvals for LangGraph.js. Pass its own `interrupt`. */
export function langGraphApprovals(approvals: Approvals, interrupt: (value: AssentryInterrupt) => unknown) {
  return {
    /**
     * The function for LangChain's `tool()`: the graph is interrupted until people have decided, and then it runs what
     * they approved.
     */
    guard:
      <Schema extends z.ZodObject, Output, Config extends ToolConfig = ToolConfig>(
        tool: AgentTool<Schema>,
        execute: (input: z.output<Schema>, config: Config, context: { once: Once }) => Promise<Output> | Output,
      ) =>
      async (input: z.output<Schema>, config: Config): Promise<Output> => {
        const id = config.toolCall?.id;
        if (id === undefined) throw new CallRefusedError('cancelled', 'The call has no id.');
        const call = { id, tool, input };
        for (let state = await approvals.ask(call); !isClosed(state.status); state = await approvals.ask(call))
          interrupt({ elicitation: state.id, message: `Run ${tool.name}?`, statusUrl: state.statusUrl });
        return approvals.run(call, (approved, context) => execute(approved, config, context), config.signal);
      },
    /** Waits until these interrupts of a graph are decided; returns the `resume` for its `Command`. */
    async settle(interrupts: readonly { id?: string | undefined; value?: unknown }[]): Promise<Record<string, string>> {
      const settleOne = async ({ id, value }: (typeof interrupts)[number]): Promise<[string, string][]> =>
        id !== undefined && isOurs(value) ? [[id, (await approvals.waitFor(value.elicitation)).status]] : [];
      return Object.fromEntries((await Promise.all(interrupts.map(settleOne))).flat());
    },
  };
}

const isOurs = (value: unknown): value is AssentryInterrupt =>
  typeof value === 'object' && value !== null && 'elicitation' in value && typeof value.elicitation === 'string';

/** Needed part of the SDK's details of a call. */
interface CallDetails {
  toolCall?: { callId: string };
  signal?: AbortSignal;
}

/** A tool of the OpenAI Agents SDK. */
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

/** A call that waits for an approval, as an interruption of the SDK's run. */
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
    /** Options for the SDK's `tool()`: its run is interrupted if people must decide, and it runs the approved call. */
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

/** The call with its id; without one it could not be told from another call. */
function callOf<Input>(tool: AgentTool, input: Input, id: string | undefined): AgentCall<Input> {
  if (id !== undefined) return { id, tool, input };
  throw new CallRefusedError('cancelled', 'The call has no id.');
}
