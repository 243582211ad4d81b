import { runDigest, type AssentryClient, type ToolCallState } from '../../client/client.ts';
import { isReadingTool } from '../../model/names.ts';
import { Problem } from '../../model/problem.ts';
import type { IncomingCall, ToolResult } from '../../mcp/question/incoming-call.ts';
import type { RunSettings } from '../../mcp/run/run.ts';
import { continueCall } from '../../mcp/tools/continue-call.ts';
import { describeTool, runTool } from '../../mcp/tools/own-tool.ts';
import { awaitTool, runPendingTool } from '../../mcp/tools/pending-tools.ts';
import type { Principal } from '../../mcp/tools/principal.ts';
import { isObject, rpcCodes, rpcError, RpcFault } from '../frames/frame.ts';
import type { CallFrame, JudgedFrame } from '../frames/judge-frame.ts';
import { annotationsOf, type ToolDefinition } from '../tools/definition.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { Pins } from '../tools/pins.ts';
import { envelopeOf, type CallingClient } from './caller.ts';
import { gatedTool, type GatedTool } from './gated-tool.ts';
import type { Pass, Passes, Use } from './passes.ts';
import type { Rounds } from './rounds.ts';

/** What all calls of one connection share. */
export interface Serving {
  client: AssentryClient;
  settings: RunSettings;
  /** The upstream's name, as approvers read it. */
  server: string;
  session: string;
  tools: KnownTools;
  pins: Pins;
  passes: Passes;
  rounds: Rounds;
}

/** One call of the client, or one reading, with its ways to client and upstream. */
export interface Received<Judged extends JudgedFrame = JudgedFrame> extends Pick<
  IncomingCall,
  'signal' | 'delivery' | 'sendProgress' | 'ask' | 'accessToken'
> {
  frame: Judged;
  /** For whom it is. */
  principal: Principal;
  caller: CallingClient;
  /** Sends a call to the upstream, under the client's id; resolves with the result, rejects with the upstream's error. */
  forward(frame: JudgedFrame): Promise<unknown>;
  /** True once the upstream was given the call. */
  hasRun(): boolean;
  /** Is awaited before anyone is asked; rejects if the upstream would not take the call. */
  beforeAsking?(): Promise<void>;
}

export type ReceivedCall = Received<CallFrame>;

/**
 * The result of a call, which reaches the upstream only if its tool's definition is accepted and the policies or people
 * approved it. Rejects with the error to answer.
 */
export async function serveCall(serving: Serving, call: ReceivedCall): Promise<ToolResult> {
  const { frame, caller } = call;
  const resumed = serving.rounds.resume(frame, call.principal);
  if (resumed) return runUpstream(serving, call, resumed);
  const isOurs = frame.params.name === awaitTool.name;
  const result = await (isOurs ? continuePending(serving, call) : runGated(serving, call));
  if (frame.params['task'] !== undefined && !call.hasRun()) throw faultOf(result);
  const isTyped = !caller.isModern || result['resultType'] !== undefined;
  return isTyped ? result : { resultType: 'complete', ...result };
}

async function runGated(serving: Serving, call: ReceivedCall): Promise<ToolResult> {
  const { name, arguments: args = {} } = call.frame.params;
  const listed = await findListed(serving, call, name);
  const use = await useOf(serving, call, listed);
  const pass = await serving.passes.find(use);
  const run = pass && (await runDigest({ ...use, arguments: args }));
  const definition = await findTool(serving, call, name);
  if (run && pass.isGood && definition === listed) return runByPass(serving, call, pass, run);
  await call.beforeAsking?.();
  const tool = toolOf(serving, call, definition);
  const received = await receive(serving, call, tool, args);
  const hasOutputSchema = definition['outputSchema'] !== undefined;
  return runTool(serving, tool, { ...received, hasOutputSchema }, {});
}

/** Runs it and reports it, which takes no request of its own. */
function runByPass(serving: Serving, call: ReceivedCall, pass: Pass, run: string): Promise<ToolResult> {
  const result = runUpstream(serving, call, call.frame);
  if (call.hasRun()) pass.report(run);
  return result;
}

/** As the policies judge it: by its name and hints, in exactly this definition. */
const useOf = async ({ tools }: Serving, call: ReceivedCall, definition: ToolDefinition): Promise<Use> => ({
  tool: {
    name: definition.name,
    annotations: annotationsOf(definition),
    schemaDigest: await tools.digestOf(definition),
  },
  requester: requesterOf(call),
});

/** Waits on for a call that has ended pending, and runs it in front of this client. */
async function continuePending(serving: Serving, call: ReceivedCall): Promise<ToolResult> {
  const { client, session } = serving;
  const goOn = async (stored: ToolCallState): Promise<ToolResult> => {
    const definition = await findTool(serving, call, stored.tool);
    const tool = toolOf(serving, call, definition);
    const received = await receive(serving, call, tool, stored.arguments);
    return continueCall(serving, tool, stored, received, {});
  };
  const caller = { ...call.principal, session };
  await call.beforeAsking?.();
  return runPendingTool(awaitTool, { client, caller, signal: call.signal, goOn }, call.frame.params.arguments ?? {});
}

/** The tool of exactly this name, with an accepted definition. */
async function findTool(serving: Serving, call: ReceivedCall, name: string): Promise<ToolDefinition> {
  const definition = await findListed(serving, call, name);
  if ((await serving.pins.changeOf(definition)) === null) return definition;
  throw new Problem('forbidden', { detail: changed(name) });
}

async function findListed({ tools }: Serving, { frame }: ReceivedCall, name: string): Promise<ToolDefinition> {
  const definition = isReadingTool(name) ? undefined : await tools.find(name, envelopeOf(frame));
  if (definition) return definition;
  throw new RpcFault(rpcError(rpcCodes.invalidParams, 'not-found', `Unknown tool: ${name}`));
}

const changed = (name: string): string =>
  `Ask an approver to accept the new definition of ${name}: it has changed. Nothing was run.`;

function toolOf(serving: Serving, call: ReceivedCall, definition: ToolDefinition): GatedTool {
  const { server, tools } = serving;
  const digest = tools.digestOf(definition);
  return gatedTool(server, definition, digest, async (args) => {
    const now = await findTool(serving, call, definition.name);
    if ((await tools.digestOf(now)) !== (await digest))
      throw new Problem('digest-mismatch', { detail: changed(definition.name) });
    return runUpstream(serving, call, asApproved(call.frame, definition.name, args));
  });
}

/** The client's own message, but for what was approved. */
function asApproved(frame: CallFrame, name: string, args: Record<string, unknown>): CallFrame {
  const isBare = frame.params.arguments === undefined && Object.keys(args).length === 0;
  return { ...frame, params: { ...frame.params, name, ...(!isBare && { arguments: args }) } };
}

async function runUpstream(serving: Serving, call: ReceivedCall, frame: CallFrame): Promise<ToolResult> {
  const result = await call.forward(frame);
  if (!isObject(result)) throw new Problem('outcome-unknown');
  const { name, arguments: args } = frame.params;
  return serving.rounds.seal(call, { name, ...(args && { arguments: args }) }, result as ToolResult);
}

/** The call as the library for MCP servers takes it. */
export async function receive(
  { session }: Serving,
  call: Received,
  tool: GatedTool,
  args: Record<string, unknown>,
): Promise<IncomingCall> {
  const { caller, accessToken, signal, delivery, sendProgress, ask } = call;
  return {
    tool: await describeTool(tool),
    args,
    session,
    requester: requesterOf(call),
    accessToken,
    capabilities: caller.capabilities,
    signal,
    delivery,
    sendProgress,
    hasOutputSchema: false,
    ask,
  };
}

export const requesterOf = ({ principal, caller: { info } }: Received) => ({
  ...principal,
  ...(info && { client: info }),
});

/** The same as an error, for a client that takes no such result. */
export function faultOf({ content, _meta: meta }: ToolResult): RpcFault {
  const [first] = content as { text?: string }[];
  return new RpcFault({ code: rpcCodes.internal, message: first?.text ?? 'Nothing was run.', data: meta });
}
