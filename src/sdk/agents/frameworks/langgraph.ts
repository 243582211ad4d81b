import type { z } from 'zod';
import { isClosed } from '#requests/asking/contract/elicitation';
import type { Once } from '../../mcp/question/call/make-once.ts';
import type { AgentTool } from '../approvals/agent-call.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { CallRefusedError } from '../approvals/refused-error.ts';

/** What a graph is interrupted with. */
export interface AssentryInterrupt {
  /** The request that people decide. */
  elicitation: string;
  message: string;
  /** Where they see it. */
  statusUrl: string;
}

/** What a tool gets besides its input. */
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
    /** Waits until these interrupts of a graph are decided; the `resume` for its `Command`. */
    async settle(interrupts: readonly { id?: string | undefined; value?: unknown }[]): Promise<Record<string, string>> {
      const settleOne = async ({ id, value }: (typeof interrupts)[number]): Promise<[string, string][]> =>
        id !== undefined && isOurs(value) ? [[id, (await approvals.waitFor(value.elicitation)).status]] : [];
      return Object.fromEntries((await Promise.all(interrupts.map(settleOne))).flat());
    },
  };
}

const isOurs = (value: unknown): value is AssentryInterrupt =>
  typeof value === 'object' && value !== null && 'elicitation' in value && typeof value.elicitation === 'string';
