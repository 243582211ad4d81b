import { sha256 } from '#sdk/client/digest';
import { runDigest } from '#sdk/client/client';
import { readingTools } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import { refuseUnapproved, type Elicit } from '#sdk/mcp/elicit/elicit';
import type { ToolResult } from '#sdk/mcp/question/call';
import { runTool } from '#sdk/mcp/tools/own-tools';
import { isObject } from '../frames/frame.ts';
import type { ReadFrame } from '../frames/mcp-words.ts';
import {
  guardOwnFiles,
  type GatedTool,
  faultOf,
  receive,
  requesterOf,
  type Received,
  type ReceivedCall,
  type Serving,
} from './arguments.ts';
import { otherServer } from './release.ts';
import { serveCall } from './serve-call.ts';

/** The result of a call or of a reading, which reaches the upstream only as the policies or people decide. */
export async function serveJudged(serving: Serving, received: Received): Promise<unknown> {
  guardOwnFiles(serving, received);
  return isReading(received) ? serveReading(serving, received) : serveCall(serving, received as ReceivedCall);
}

type Reading = Received<ReadFrame>;

const isReading = (received: Received): received is Reading =>
  Object.hasOwn(readingTools, String(received.frame.method));

/**
 * The result of a reading. Policies allow it unless one names it; then it runs at once by a pass, and is in the log a moment
 * later. Rejects with the error to answer.
 */
async function serveReading(serving: Serving, reading: Reading): Promise<unknown> {
  const args = argumentsOf(reading.frame);
  const tool = toolFor(serving, reading, isPlainReading(reading.frame.method, args) ? plain : other);
  const { name, config } = tool;
  const use = {
    tool: { name, annotations: config.annotations, schemaDigest: await tool.schemaDigest, reaches: serving.reaches },
    requester: requesterOf(reading),
  };
  const pass = await serving.passes.find(use);
  await requireSameServer(serving);
  const run = pass && (await runDigest({ ...use, arguments: args }));
  if (run && pass.isGood) {
    const result = reading.forward(reading.frame);
    if (reading.hasRun()) pass.report(run, args);
    return result;
  }
  await reading.beforeAsking?.();
  const result = await runTool(serving, tool, await receive(serving, reading, tool, args), {});
  if ('content' in result) throw faultOf(result); // the gateway's own: a reading has no such member
  return result;
}

/** Rejects if another server runs under the name than was accepted. */
async function requireSameServer({ pins, server }: Serving): Promise<void> {
  if ((await pins.changeOfServer()) !== null) throw otherServer(server);
}

const ofRequest = ['_meta', 'inputResponses', 'requestState'];

/** Parameters of the reading, without those that belong to the request. */
const argumentsOf = ({ params }: ReadFrame): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !ofRequest.includes(name)));

/** The client's own message with the approved arguments. */
function asApproved(frame: ReadFrame, args: Record<string, unknown>): ReadFrame {
  const own = Object.entries(frame.params).filter(([name]) => ofRequest.includes(name));
  return { ...frame, params: { ...Object.fromEntries(own), ...args } };
}

/** A reading as a tool of ours: its code asks approvers, and reads with the approved arguments. */
const toolFor = (serving: Serving, reading: Reading, hints: typeof plain): GatedTool & { config: typeof plain } => ({
  name: readingTools[reading.frame.method],
  config: hints,
  reaches: serving.reaches,
  schemaDigest: sha256(`assentry/reading/v1\n${reading.frame.method}`),
  read: async (args) => args,
  handler: async (args, context) => {
    const { elicit } = context as { elicit: Elicit };
    const question = `Pass ${reading.frame.method} to ${serving.server}?`;
    const refusal = await refuseUnapproved(elicit, question, { audience: 'approvers' });
    if (refusal) return refusal;
    const frame = asApproved(reading.frame, args as Record<string, unknown>);
    guardOwnFiles(serving, reading, frame);
    await requireSameServer(serving);
    const result = await reading.forward(frame);
    if (!isObject(result)) throw new Problem('outcome-unknown');
    return result as ToolResult;
  },
});

const plain = { annotations: { readOnlyHint: true } };
const other = { annotations: { readOnlyHint: false } };

/** True for addresses of files and pages. Reading another address, or one with a query, may do anything. */
const isPlainReading = (method: Reading['frame']['method'], { uri }: Record<string, unknown>): boolean =>
  method !== 'resources/read' || (typeof uri === 'string' && /^(?:file|https?):[^?]*$/i.test(uri));
