import { runDigest, type ToolCallState } from '#sdk/client/client';
import { isReservedTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem/problem';
import { NothingRanError } from '#sdk/mcp/question/errors/errors';
import type { ToolResult } from '#sdk/mcp/question/call/incoming-call';
import { continueCall } from '#sdk/mcp/tools/tasks/continue-call';
import { runTool } from '#sdk/mcp/tools/own-tools/own-tool';
import { awaitTool, runPendingTool } from '#sdk/mcp/tools/tasks/pending-tools';
import { isObject, rpcCodes, rpcError, RpcFault } from '../../frames/frame/frame.ts';
import type { CallFrame } from '../../frames/mcp-words/judge-frame.ts';
import type { ToolDefinition } from '../../tools/definition/definition.ts';
import { isServerPin } from '../../tools/pins/server-pin.ts';
import { doubtfulClaim } from '../../tools/definition/doubtful-claim.ts';
import { judgeTool, type JudgedTool } from '../../tools/definition/judged-hints.ts';
import { envelopeOf } from '../connections/mcp-client.ts';
import { gatedTool, type GatedTool } from '../arguments/gated-tool.ts';
import { guardOwnFiles } from '../arguments/guard-own-files.ts';
import type { Pass, Use } from '../passes.ts';
import { takeRound } from './asking-rounds.ts';
import { faultOf, receive, requesterOf, type ReceivedCall, type Serving } from '../arguments/received.ts';
import { otherServer } from '../release/other-server.ts';
import { enclose, isHeldResult, isQuestion, Release } from '../release/release.ts';
import { resumeRound, sealRound, type Resumed } from './rounds.ts';

/**
 * The result of a call, which reaches the upstream only if its tool's definition is accepted and the policies or people
 * approved it. Rejects with the error to answer.
 */
export async function serveCall(shared: Serving, received: ReceivedCall): Promise<ToolResult> {
  const { serving, call } = await takeRound(shared, received);
  const { frame, mcpClient } = call;
  const release = new Release(serving, call);
  if (frame.params['task'] !== undefined) await release.refuseTask();
  const resumed = await resumeRound(serving, call);
  const work = resumed ? runResumed(serving, call, resumed) : runNew(serving, call, release);
  const result = await release.open(work, { isKept: resumed === null });
  if (frame.params['task'] !== undefined && !call.hasRun() && !isQuestion(result)) throw faultOf(result);
  const isTyped = !mcpClient.isModern || result['resultType'] !== undefined;
  return isTyped ? result : { resultType: 'complete', ...result };
}

const runNew = (serving: Serving, call: ReceivedCall, release: Release): Promise<ToolResult> =>
  call.frame.params.name === awaitTool.name
    ? continuePending(serving, call, release)
    : runGated(serving, call, release);

/** What was approved goes on with what its client has answered, unless the tool has changed. */
async function runResumed(serving: Serving, call: ReceivedCall, resumed: Resumed): Promise<ToolResult> {
  const { name, arguments: args = {} } = resumed.frame.params;
  const definition = await findUnchanged(serving, call, { name, digest: resumed.definition });
  guardOwnFiles(serving, call, resumed.frame);
  const result = await runUpstream(serving, call, resumed.frame, definition);
  return enclose({ tool: name, arguments: args, result });
}

async function runGated(serving: Serving, call: ReceivedCall, release: Release): Promise<ToolResult> {
  const { name, arguments: args = {} } = call.frame.params;
  const definition = await findListed(serving, call, name);
  const free = await findPass(serving, call, definition, release);
  await requireAccepted(serving, definition);
  if (free?.pass.isGood && serving.tools.isCurrent(definition)) return runByPass(serving, call, free, definition);
  await call.beforeAsking?.();
  const tool = await toolOf(serving, call, definition, args);
  const received = await receive(serving, call, tool, args);
  const hasOutputSchema = definition['outputSchema'] !== undefined;
  return runTool(serving, tool, { ...received, delivery: release.delivery, hasOutputSchema }, {});
}

interface FreeCall {
  pass: Pass;
  run: string;
}

/** The pass by which it runs, and its run digest. Null if its result may be held: what runs by a pass is not kept. */
async function findPass(
  serving: Serving,
  call: ReceivedCall,
  definition: ToolDefinition,
  release: Release,
): Promise<FreeCall | null> {
  const [use, releasing] = await Promise.all([useOf(serving, call, definition), release.use]);
  const [pass, isFree] = await Promise.all([serving.passes.find(use), serving.passes.find(releasing)]);
  if (!pass || !isFree) return null;
  const run = await runDigest({ ...use, arguments: call.frame.params.arguments ?? {} });
  return { pass, run };
}

/** Runs it and reports it, which takes no request of its own. */
async function runByPass(
  serving: Serving,
  call: ReceivedCall,
  { pass, run }: FreeCall,
  definition: ToolDefinition,
): Promise<ToolResult> {
  const { name, arguments: args = {} } = call.frame.params;
  const result = runUpstream(serving, call, call.frame, definition);
  if (call.hasRun()) pass.report(run, args);
  return enclose({ tool: name, arguments: args, result: await result });
}

/** As the policies judge it: by its name and hints, in exactly this definition. */
async function useOf(serving: Serving, call: ReceivedCall, definition: ToolDefinition): Promise<Use> {
  const { reaches, tools } = serving;
  const schemaDigest = await tools.digestOf(definition);
  const judged = await judge(serving, definition, call.frame.params.arguments);
  return { tool: { name: definition.name, ...judged, schemaDigest, reaches }, requester: requesterOf(call) };
}

const judge = async (
  { tools, pins }: Serving,
  definition: ToolDefinition,
  args: Record<string, unknown> | undefined,
): Promise<JudgedTool> =>
  judgeTool(
    definition,
    await tools.digestOf(definition),
    async (tool) => (await pins.standingOf(tool)) === 'accepted',
    args,
  );

/** Waits on for a call that has ended pending, and runs it in front of this client. */
async function continuePending(serving: Serving, call: ReceivedCall, release: Release): Promise<ToolResult> {
  const { client, session } = serving;
  const goOn = async (stored: ToolCallState): Promise<ToolResult> => {
    if (isHeldResult(stored)) return release.continue(stored);
    const definition = await findTool(serving, call, stored.tool);
    const tool = await toolOf(serving, call, definition, stored.arguments);
    const received = await receive(serving, call, tool, stored.arguments);
    return continueCall(serving, tool, stored, { ...received, delivery: release.delivery }, {});
  };
  const caller = { ...call.principal, session };
  await call.beforeAsking?.();
  return runPendingTool(awaitTool, { client, caller, signal: call.signal, goOn }, call.frame.params.arguments ?? {});
}

/** The tool of exactly this name, with an accepted definition. */
async function findTool(serving: Serving, call: ReceivedCall, name: string): Promise<ToolDefinition> {
  const definition = await findListed(serving, call, name);
  await requireAccepted(serving, definition);
  return definition;
}

/** The same, as it was when the call was approved; looked up when the call is about to run. */
async function findUnchanged(
  serving: Serving,
  call: ReceivedCall,
  { name, digest }: { name: string; digest: string },
): Promise<ToolDefinition> {
  const definition = await findTool(serving, call, name);
  if ((await serving.tools.digestOf(definition)) === digest) return definition;
  throw new Problem('digest-mismatch', { detail: changed(name) });
}

async function requireAccepted(serving: Serving, definition: ToolDefinition): Promise<void> {
  const change = await serving.pins.changeOf(definition);
  if (change === null) return;
  if (isServerPin(change.definition)) throw otherServer(serving.server);
  const explain = doubtfulClaim(definition) === null ? changed : doubted;
  throw new Problem('forbidden', { detail: explain(definition.name) });
}

async function findListed({ tools }: Serving, { frame }: ReceivedCall, name: string): Promise<ToolDefinition> {
  const definition = isReservedTool(name) ? undefined : await tools.find(name, envelopeOf(frame));
  if (definition) return definition;
  throw new RpcFault(rpcError(rpcCodes.invalidParams, 'not-found', `Unknown tool: ${name}`));
}

const changed = (name: string): string =>
  `Ask an approver to accept the new definition of ${name}: it has changed. Nothing was run.`;

const doubted = (name: string): string =>
  `Ask an approver to look at ${name}: it says that it only reads, and its name or description says otherwise. Nothing was run.`;

async function toolOf(
  serving: Serving,
  call: ReceivedCall,
  definition: ToolDefinition,
  called: Record<string, unknown>,
): Promise<GatedTool> {
  const { tools } = serving;
  const digest = await tools.digestOf(definition);
  const judged = await judge(serving, definition, called);
  return gatedTool(serving, definition, { digest, ...judged }, async (args) => {
    const unchanged = await findUnchanged(serving, call, { name: definition.name, digest });
    const frame = asApproved(call.frame, definition.name, args);
    guardOwnFiles(serving, call, frame);
    const result = await runUpstream(serving, call, frame, unchanged);
    return enclose({ tool: definition.name, arguments: args, result });
  });
}

/** The client's own message, but for what was approved. */
function asApproved(frame: CallFrame, name: string, args: Record<string, unknown>): CallFrame {
  const isBare = frame.params.arguments === undefined && Object.keys(args).length === 0;
  return { ...frame, params: { ...frame.params, name, ...(!isBare && { arguments: args }) } };
}

async function runUpstream(
  serving: Serving,
  call: ReceivedCall,
  frame: CallFrame,
  definition: ToolDefinition,
): Promise<ToolResult> {
  const result = await call.forward(frame, definition).catch((error: unknown) => {
    throw call.signal.aborted && !call.hasRun() ? new NothingRanError(error) : error;
  });
  if (!isObject(result)) throw new Problem('outcome-unknown');
  const { name, arguments: args } = frame.params;
  const approved = { name, ...(args && { arguments: args }), definition: await serving.tools.digestOf(definition) };
  return sealRound(serving, call, approved, result as ToolResult);
}
