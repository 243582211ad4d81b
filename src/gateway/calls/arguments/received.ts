import type { AssentryClient } from '#sdk/client/client';
import type { AskLimits, IncomingCall, ToolResult } from '#sdk/mcp/question/call/incoming-call';
import type { RunSettings } from '#sdk/mcp/run/run/run';
import { describeTool } from '#sdk/mcp/tools/own-tools/own-tool';
import type { Principal } from '#sdk/mcp/tools/principal/principal';
import { traceIn } from '#sdk/mcp/tools/principal/trace-in';
import { metaOf, rpcCodes, RpcFault } from '../../frames/frame/frame.ts';
import type { CallFrame, JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import type { ToolDefinition } from '../../tools/definition/definition.ts';
import type { KnownTools } from '../../tools/known-tools.ts';
import type { OwnFiles } from '../../own-files/own-files/own-files.ts';
import type { Pins } from '../../tools/pins/pins.ts';
import type { McpClient } from '../connections/mcp-client.ts';
import type { GatedTool } from './gated-tool.ts';
import type { Passes } from '../passes.ts';
import type { RefusedCalls } from '../own-files.ts';
import { withArguments } from './with-arguments.ts';

/** What all calls of one connection share. */
export interface Serving {
  client: AssentryClient;
  settings: RunSettings;
  /** The upstream's name, as approvers read it. */
  server: string;
  /** What it runs or where it is. */
  reaches: string;
  session: string;
  tools: KnownTools;
  pins: Pins;
  passes: Passes;
  ownFiles: OwnFiles;
  refusals: RefusedCalls;
  /** Is told what the operator should read. */
  warn(sentence: string): void;
}

/** One call of the client, or one reading, with its ways to client and upstream. */
export interface Received<Judged extends JudgedFrame = JudgedFrame> extends Pick<
  IncomingCall,
  'signal' | 'delivery' | 'sendProgress' | 'ask' | 'accessToken' | 'round'
> {
  frame: Judged;
  /** For whom it is. */
  principal: Principal;
  mcpClient: McpClient;
  /**
   * Sends a call to the upstream, under the client's id; resolves with the result, rejects with the upstream's error. By
   * the time it returns, the upstream was given the call, or never will be. The definition is that of the tool to call.
   */
  forward(frame: JudgedFrame, definition?: ToolDefinition): Promise<unknown>;
  /** True once the upstream was given the call. */
  hasRun(): boolean;
  /** Is awaited before anyone is asked; rejects if the upstream would not take the call. */
  beforeAsking?(): Promise<void>;
}

export type ReceivedCall = Received<CallFrame>;

/** The same call with another message, or with a way to ask its client by results. */
export const callWith = (call: ReceivedCall, parts: Pick<Partial<ReceivedCall>, 'frame' | 'round'>): ReceivedCall => ({
  frame: call.frame,
  principal: call.principal,
  mcpClient: call.mcpClient,
  accessToken: call.accessToken,
  signal: call.signal,
  delivery: call.delivery,
  sendProgress: call.sendProgress,
  ask: (...question) => call.ask(...question),
  forward: (...message) => call.forward(...message),
  hasRun: () => call.hasRun(),
  beforeAsking: async () => call.beforeAsking?.(),
  ...parts,
});

/** The call as the library for MCP servers takes it. */
export async function receive(
  { session }: Serving,
  call: Received,
  tool: GatedTool,
  args: Record<string, unknown>,
): Promise<IncomingCall> {
  const { mcpClient, accessToken, signal, delivery, sendProgress, round } = call;
  const say = ({ message }: { message: string }): string => withArguments(message, args, tool.reaches);
  return {
    tool: await describeTool(tool),
    args,
    session,
    requester: requesterOf(call),
    accessToken,
    traceparent: traceIn(metaOf(call.frame)),
    // Without a round, no one at a client of these revisions can be asked.
    capabilities: mcpClient.isModern && !round ? undefined : mcpClient.capabilities,
    signal,
    delivery,
    sendProgress,
    hasOutputSchema: false,
    ask: (question, limits) =>
      call.ask(isDeciding(limits) ? { ...question, message: say(question) } : question, limits),
    round: round && {
      ...round,
      askFor: (questions, state) =>
        round.askFor(
          new Map([...questions].map(([step, question]) => [step, { ...question, message: say(question) }])),
          state,
        ),
    },
  };
}

/** An approver's question during a call decides nothing. */
const isDeciding = ({ elicitationId }: AskLimits): boolean => elicitationId !== undefined;

export const requesterOf = ({ principal, mcpClient: { info } }: Pick<Received, 'principal' | 'mcpClient'>) => ({
  ...principal,
  ...(info && { client: info }),
});

/** The same as an error, for a client that takes no such result. */
export function faultOf({ content, _meta: meta }: ToolResult): RpcFault {
  const [first] = content as { text?: string }[];
  return new RpcFault({ code: rpcCodes.internal, message: first?.text ?? 'Nothing was run.', data: meta });
}
