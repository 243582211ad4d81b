import type { JudgedFrame, CallFrame } from '../frames/mcp-words.ts';
import { assertNotOwnPath, warningOf, type RefusedCalls } from './own-files.ts';
import type { AssentryClient } from '#sdk/client/client';
import type { AskLimits, IncomingCall, ToolResult } from '#sdk/mcp/question/call';
import type { RunSettings } from '#sdk/mcp/run/run';
import { describeTool, type OwnTool } from '#sdk/mcp/tools/own-tools';
import { type Principal, traceIn } from '#sdk/mcp/tools/principal';
import { metaOf, rpcCodes, RpcFault } from '../frames/frame.ts';
import { type ToolDefinition, describeTool as describeGatedTool, type JudgedTool } from '../tools/definition.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { OwnFiles } from '../own-files/own-files.ts';
import type { Pins } from '../tools/pins.ts';
import type { McpClient } from './connections.ts';
import type { Passes } from './passes.ts';
import { escapeHiddenInJson } from '#platform/text/hidden-characters';
import { refuseUnapproved, type Elicit } from '#sdk/mcp/elicit/elicit';

/**
 * Throws if the arguments to forward lead into Assentry's own files; tells the operator and Assentry. Checks again after a
 * wait: people may have edited the arguments, and links may lead elsewhere by now.
 */
export function guardOwnFiles(
  { ownFiles, refusals, server, warn }: Serving,
  received: Received,
  frame: JudgedFrame = received.frame,
): void {
  assertNotOwnPath(ownFiles, frame, (call) => {
    warn(warningOf(call));
    refusals.note({ ...call, server, requester: requesterOf(received) });
  });
}

/** The shared parts of all calls of one connection. */
export interface Serving {
  client: AssentryClient;
  settings: RunSettings;
  /** The upstream's name, as approvers read it. */
  server: string;
  /** Its command or address. */
  reaches: string;
  session: string;
  tools: KnownTools;
  pins: Pins;
  passes: Passes;
  ownFiles: OwnFiles;
  refusals: RefusedCalls;
  /** Reports a sentence to the operator. */
  warn(sentence: string): void;
}

/** One call of the client, or one reading, with its ways to client and upstream. */
export interface Received<Judged extends JudgedFrame = JudgedFrame> extends Pick<
  IncomingCall,
  'signal' | 'delivery' | 'sendProgress' | 'ask' | 'accessToken' | 'round'
> {
  frame: Judged;
  /** Person for whom the call is made. */
  principal: Principal;
  mcpClient: McpClient;
  /**
   * Sends a call to the upstream under the client's id; resolves with the result, rejects with the upstream's error. When it
   * returns, the upstream has the call or will never get it. The definition is that of the called tool.
   */
  forward(frame: JudgedFrame, definition?: ToolDefinition): Promise<unknown>;
  /** True once the upstream was given the call. */
  hasRun(): boolean;
  /** Awaited before anyone is asked; rejects if the upstream would not take the call. */
  beforeAsking?(): Promise<void>;
}

export type ReceivedCall = Received<CallFrame>;

/** The call with another message, or with a way to ask its client by results. */
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

/** The call in the form that the library for MCP servers takes. */
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

/** The result as an error, for a client that accepts no such result. */
export function faultOf({ content, _meta: meta }: ToolResult): RpcFault {
  const [first] = content as { text?: string }[];
  return new RpcFault({ code: rpcCodes.internal, message: first?.text ?? 'Nothing was run.', data: meta });
}

/** Limits in characters of the reached server, of each argument and of all; a longer text is cut and marked as cut. */
const maxReach = 1_000;
const maxCharacters = 300;
const maxArguments = 20;

/**
 * The question with the server's reach and the arguments, since a client may show its person nothing else: a line for the
 * reach, if known, and one for each argument, as JSON without hidden characters, so that no text of a server or an argument
 * passes for a line of ours.
 */
export function withArguments(message: string, args: Record<string, unknown>, reaches?: string): string {
  const all = Object.entries(args);
  const place = reaches === undefined ? [] : [`Server: ${shown(reaches, maxReach)}`];
  const lines = all.slice(0, maxArguments).map(([name, value]) => `${shown(name)}: ${shown(value)}`);
  const more = all.length - lines.length;
  const parts = [...place, ...lines, ...(more > 0 ? [`and ${more} more arguments`] : [])];
  return parts.length === 0 ? message : [message, '', ...parts].join('\n');
}

function shown(value: unknown, most = maxCharacters): string {
  const json = escapeHiddenInJson(JSON.stringify(value));
  const characters = [...json];
  if (characters.length <= most) return json;
  return `${characters.slice(0, most).join('')} … (${characters.length} characters)`;
}

/** A tool of the upstream, in the form of the library for MCP servers. */
export type GatedTool = OwnTool<Pick<IncomingCall['tool'], 'title' | 'description' | 'annotations'>>;

/** Runs the upstream's tool with these arguments. */
type RunUpstream = (args: Record<string, unknown>) => Promise<ToolResult>;

/**
 * An upstream's tool as one of ours: its code asks approvers, and runs the upstream's tool with the approved arguments. Its
 * digest covers the whole definition, so that an approval is for the tool as described.
 */
export const gatedTool = (
  { server, reaches }: { server: string; reaches: string },
  definition: ToolDefinition,
  { digest, annotations, unaccepted, fits }: JudgedTool & { digest: string },
  run: RunUpstream,
): GatedTool => ({
  name: definition.name,
  config: { ...describeGatedTool(definition), annotations },
  schemaDigest: Promise.resolve(digest),
  reaches,
  ...(unaccepted && { unaccepted }),
  ...(fits && { fits }),
  read: async (args) => args,
  handler: async (args, context) => {
    const { elicit } = context as { elicit: Elicit };
    const refusal = await refuseUnapproved(elicit, `Run ${definition.name} on ${server}?`, { audience: 'approvers' });
    return refusal ?? run(args as Record<string, unknown>);
  },
});
