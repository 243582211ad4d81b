import { askClient, formParams } from '#sdk/mcp/tools/ask-client';
import {
  type AskLimits,
  type ClientReply,
  type FormRequest,
  type IncomingCall,
  type ToolResult,
  type RoundQuestion,
  digestJson,
} from '#sdk/mcp/question/call';
import { Problem } from '#platform/model/problem';
import { rpcCodes, RpcFault, rpcError, isObject } from '../frames/frame.ts';
import { type OwnRequests, envelopeOf } from './connections.ts';
import { maxTimerMs } from '#sdk/client/transport';
import { emptyForm } from '#sdk/mcp/elicit/elicit';
import { runCall, runTool } from '#sdk/mcp/tools/own-tools';
import { definitionTool, isReservedTool } from '#platform/model/names';
import { localPrincipal } from '../identity/caller.ts';
import {
  digestTool,
  doubtfulClaim,
  isTabled,
  type ToolDefinition,
  judgeTool,
  type JudgedTool,
} from '../tools/definition.ts';
import { lookedAt, lookForm } from '../tools/look.ts';
import { lookGroups } from '#policies/contract/look';
import type { JsonForm } from '#sdk/mcp/question/question';
import { type Change, type Proposed, type Unaccepted, isServerPin, reachIn, type Pins } from '../tools/pins.ts';
import {
  type Serving,
  gatedTool,
  type GatedTool,
  guardOwnFiles,
  faultOf,
  receive,
  requesterOf,
  type ReceivedCall,
  callWith,
} from './arguments.ts';
import type { StateBinding } from '#requests/asking/contract/routes';
import type { Principal } from '#sdk/mcp/tools/principal';
import type { CallFrame } from '../frames/mcp-words.ts';
import { runDigest, type ToolCallState } from '#sdk/client/client';
import { NothingRanError } from '#sdk/mcp/question/errors';
import { continueCall, awaitTool, runPendingTool } from '#sdk/mcp/tools/tasks';
import type { Pass, Use } from './passes.ts';
import { otherServer, enclose, isHeldResult, isQuestion, Release } from './release.ts';

/** Asks the person at a client while its call is open, as in revisions before 2026-07-28. Never rejects. */
export const askPerson = (
  requests: OwnRequests,
  question: FormRequest,
  limits: AskLimits,
  id?: string,
): Promise<ClientReply> =>
  askClient((options) => requests.ask('elicitation/create', formParams(question), { ...options, id }), limits, explain);

function explain(error: unknown): ClientReply {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof RpcFault) {
    const { code } = error.error;
    const knowsNone = code === rpcCodes.methodNotFound;
    return knowsNone || code === rpcCodes.invalidParams
      ? { kind: 'unsupported', reason, knowsNone }
      : { kind: 'failed', reason };
  }
  return error instanceof Problem ? { kind: 'timeout' } : { kind: 'failed', reason };
}

type Asking = Pick<Serving, 'client' | 'settings' | 'server' | 'reaches' | 'session' | 'pins'>;

/** The question for approvers, and the effect of their decision. */
interface Proposal {
  tool: IncomingCall['tool'];
  args: Record<string, unknown>;
  question: string;
  form: JsonForm;
  accept(): Promise<void>;
  decline?(): Promise<void>;
}

/**
 * Asks approvers about a changed definition, or definitions that no one has seen, and pins their answer. All
 * processes that see the same definitions join one request. Resolves when it is decided, or with the signal.
 */
async function askAboutChange(asking: Asking, proposed: Proposed, signal: AbortSignal): Promise<void> {
  const { client, settings, reaches, session } = asking;
  const proposal = await ('tools' in proposed ? proposeLook(asking, proposed) : proposeChange(asking, proposed));
  const call: IncomingCall = {
    tool: { ...proposal.tool, reaches },
    args: proposal.args,
    session,
    requester: localPrincipal(),
    capabilities: undefined,
    signal,
    sendProgress: undefined,
    hasOutputSchema: false,
    ask: async () => ({ kind: 'unsupported', reason: 'No one is at a client.' }),
  };
  await runCall(call, client, { ...settings, holdTimeoutMs: maxTimerMs }, async (elicit) => {
    const answer = await elicit(proposal.question.slice(0, maxQuestion), proposal.form, { audience: 'approvers' });
    if (answer.status === 'accept') await proposal.accept();
    if (answer.status === 'decline') await proposal.decline?.();
    return { content: [] };
  });
}

const maxQuestion = 1_000;

async function proposeChange({ server, pins }: Asking, change: Change): Promise<Proposal> {
  const { accepted, definition, digest } = change;
  const isUnknown = !isReservedTool(definition.name) && !isTabled(definition, digest);
  const tools = isUnknown ? [lookedAt(definition, digest)] : [];
  return {
    tool: isServerPin(definition) ? serverTool : tool,
    args: { server, tool: definition.name, accepted, changed: definition, ...(isUnknown && { tools }) },
    question: questionAbout(definition, server),
    form: isUnknown ? lookForm(tools) : emptyForm,
    accept: () => pins.accept(change, isUnknown ? 'looked' : 'accepted'),
  };
}

/** The question about tools that people have not seen. Its answer is a policy; no later session asks again. */
async function proposeLook({ server, pins }: Asking, { tools: unseen, isWhole }: Unaccepted): Promise<Proposal> {
  const looked = await Promise.all(unseen.map(async (each) => lookedAt(each, await digestTool(each))));
  const count = unseen.length === 1 ? '1 tool' : `${unseen.length} tools`;
  return {
    tool: lookTool,
    args: { server, tools: looked.toSorted((a, b) => lookGroups.indexOf(a.group) - lookGroups.indexOf(b.group)) },
    question: isWhole ? `New server: ${server}, ${count}` : `New tools of ${server}: ${count}`,
    form: lookForm(looked),
    accept: () => pins.stand(unseen, 'looked'),
    decline: () => pins.stand(unseen, 'refused'),
  };
}

function questionAbout(definition: Change['definition'], server: string): string {
  const { name } = definition;
  if (isServerPin(definition)) return `Accept that ${server} now runs with ${reachIn(definition)}?`;
  const verb = doubtfulClaim(definition);
  if (verb === null) return `Accept the changed definition of ${name} on ${server}?`;
  return `Accept that ${name} on ${server} only reads? The server says so, but its name or description says “${verb}”.`;
}

/** High risk: the accepted server gets everything granted to the name. */
const serverTool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Accept what a server runs now',
  description:
    'Under this name something else ran when it was accepted. What runs now gets its policies, accepted tools and standing; until then, no tool of it is shown or called.',
  annotations: { destructiveHint: true },
};

/** High risk, so that no policy allows it by itself. */
const tool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Accept the definition of a tool',
  description:
    'The server describes this tool in another way than what was accepted. Until it is accepted, no client sees it.',
  annotations: { destructiveHint: true },
};

const lookTool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Look at the tools of a new server',
  description:
    'No one has seen these tools before. Until this is answered, each call of them waits. The answer is a policy about exactly these definitions. A tool that is added or changed later is asked about by itself.',
  annotations: { destructiveHint: true },
};

/*
 * Rounds in which an upstream asks the client during an approved call (2026-07-28). The client gets a state of ours, sealed by
 * Assentry, in place of the upstream's: every node of the gateway can continue with it. It continues only this call, once, for
 * the same person with the same tool and arguments.
 */

/** The approved call, of a tool in exactly this definition. */
type Approved = Pick<CallFrame['params'], 'name' | 'arguments'> & { definition: string };

/** A call and its requester. */
interface Asker {
  frame: CallFrame;
  principal: Principal;
}

/** Assentry, and the server name used there. */
export type Place = Pick<Serving, 'client' | 'server'>;

/** A tool that asked its client for more. */
interface Round {
  upstream: string;
  approved: Approved;
  /** The upstream's own state. */
  state?: unknown;
}

/** The result, with a state of ours if the tool asks its client for more. */
export async function sealRound(
  { client, server }: Place,
  { frame, principal }: Asker,
  approved: Approved,
  result: ToolResult,
): Promise<ToolResult> {
  if (result['resultType'] !== 'input_required') return result;
  const round: Round = { upstream: server, approved, state: result['requestState'] };
  const binding = await bindingOf('tools/call', frame.params, principal);
  const { state: requestState } = await client.sealRound({ binding, content: JSON.stringify(round) });
  return { ...result, requestState };
}

/** A call to forward without asking anyone, if its tool is still as it was approved. */
interface Resumed {
  frame: CallFrame;
  definition: string;
}

/**
 * The call as it was approved, with the upstream's own state; null for a call that continues none. Refuses a state that belongs
 * to no approved call.
 */
async function resumeRound(place: Place, { frame, principal }: Asker): Promise<Resumed | null> {
  const { requestState, ...params } = frame.params;
  if (requestState === undefined) return null;
  const { approved, state } = await redeem(place, requestState, await bindingOf('tools/call', params, principal));
  const { definition, ...run } = approved;
  const own = state !== undefined && { requestState: state };
  return { frame: { ...frame, params: { ...params, ...run, ...own } }, definition };
}

/** State for a question of the gateway's own, asked before anything is judged. It gives no right. */
export async function beginRound({ client, server }: Place, { frame, principal }: Asker): Promise<string> {
  const binding = await bindingOf(ownMethod, frame.params, principal);
  const { state } = await client.sealRound({ binding, content: JSON.stringify({ upstream: server }) });
  return ownPrefix + state;
}

/** A call that continues after a question of the gateway's own, and its client's answers. */
interface Answered {
  frame: CallFrame;
  responses: unknown;
}

/** The call without its question and answers, to be judged like any other, once; null if it has no such state. */
export async function continueRound(place: Place, { frame, principal }: Asker): Promise<Answered | null> {
  const { requestState, inputResponses: responses, ...params } = frame.params;
  if (typeof requestState !== 'string' || !requestState.startsWith(ownPrefix)) return null;
  await redeem(place, requestState.slice(ownPrefix.length), await bindingOf(ownMethod, params, principal));
  return { frame: { ...frame, params }, responses };
}

/** Keeps the two kinds of state apart: the kind is part of the binding. */
const ownMethod = 'assentry/credentials';
const ownPrefix = 'credentials.';

export const bindingOf = async (
  method: string,
  { name: tool, arguments: args = {} }: Pick<CallFrame['params'], 'name' | 'arguments'>,
  { subject, issuer, verified }: Principal,
): Promise<StateBinding> => ({
  principal: { subject, ...(issuer !== undefined && { issuer }), verified },
  method,
  tool,
  argumentsDigest: await digestJson(args),
});

async function redeem({ client, server }: Place, state: unknown, binding: StateBinding): Promise<Round> {
  if (typeof state !== 'string') throw invalidState();
  const { content } = await redeemBy(() => client.redeemRound({ state, binding }));
  const round = JSON.parse(content) as Round;
  if (round.upstream !== server) throw invalidState();
  return round;
}

/** Redeems a state; every fault of the state gives the same error. */
async function redeemBy<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw isInvalid(error) ? invalidState() : error;
  }
}

/** Was it no state, a used one, or one of another request? */
export const isInvalid = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'token-invalid' || error.code === 'INVALID_INPUT');

const invalidState = (): RpcFault =>
  new RpcFault(rpcError(rpcCodes.invalidParams, 'token-invalid', 'Invalid or expired requestState'));

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

/** Continues an approved call with its client's answers, unless the tool has changed. */
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

/** Pass for the call, and its run digest. Null if its result may be held: the result of a run by a pass is not kept. */
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

/** Runs the call and reports it, without a request of its own. */
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

/** The call as policies judge it: by name and hints, in exactly this definition. */
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
    args ?? {},
  );

/** Continues to wait for a call that ended pending, and runs it for this client. */
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

/** The definition, if it is still the approved one; looked up just before the call runs. */
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

/** The client's own message with the approved name and arguments. */
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

/** Milliseconds for an upstream to answer a cancelled call; after that its outcome is unknown. */
export const cancelTimeoutMs = 10_000;

type ChangeAsking = Parameters<typeof askAboutChange>[0];

/** Definitions that this process has asked approvers about; each is asked about once. */
export class AskedChanges {
  readonly #digests = new Set<string>();
  readonly #warn: (sentence: string) => void;

  constructor(warn: (sentence: string) => void) {
    this.#warn = warn;
  }

  /** Resolves when it is decided: true if it changed the tools that a client sees. Never rejects. */
  async ask(asking: () => Promise<ChangeAsking>, proposed: Proposed, signal: AbortSignal): Promise<boolean> {
    if (this.#digests.has(proposed.digest)) return false;
    this.#digests.add(proposed.digest);
    this.#warn('tools' in proposed ? unseen(proposed) : blocked(proposed));
    try {
      const parts = await asking();
      await askAboutChange(parts, proposed, signal);
      return !signal.aborted && (await isAccepted(parts.pins, proposed));
    } catch {
      return false; // the tool stays as it was, and the operator has been told
    }
  }
}

async function isAccepted(pins: Pins, proposed: Proposed): Promise<boolean> {
  if (!('tools' in proposed)) return (await pins.changeOf(proposed.definition)) === null;
  const standings = await Promise.all(proposed.tools.map(pins.standingOf));
  return standings.includes('looked');
}

function blocked({ accepted, definition }: Change): string {
  if (isServerPin(definition))
    return `It now runs with ${reachIn(definition)}, and was accepted as ${reachIn(accepted)}: until an approver accepts that in the console, or you with "assentry gateway pin", none of its tools is shown or called. If it is another server, give it a name of its own with --server.`;
  const verb = doubtfulClaim(definition);
  const why = verb === null ? 'has changed' : `says that the tool only reads, and “${verb}”`;
  return `The definition of ${JSON.stringify(definition.name)} ${why}, so it is kept from the client. An approver can accept it in the console, or you with "assentry gateway pin".`;
}

const unseen = ({ tools }: Unaccepted): string =>
  `No one has looked at ${tools.map(({ name }) => JSON.stringify(name)).join(', ')}. Until someone who may publish policies does in the console, each call of them waits, unless a policy decides.`;

/*
 * Rounds in which the gateway itself asks a client that gets questions as results (2026-07-28). A state returns the call that
 * asked; its answers count for that call's own questions only.
 */

/** A call with the channel of its own questions. */
interface RoundAsking {
  serving: Serving;
  call: ReceivedCall;
}

/** The call with its round; if it brings the state of an earlier call, it continues that call. */
async function takeRound(serving: Serving, call: ReceivedCall): Promise<RoundAsking> {
  if (!call.mcpClient.isModern) return { serving, call };
  const { requestState, inputResponses, ...params } = call.frame.params;
  const binding = await bindingOf('tools/call', params, call.principal);
  const isOwn = typeof requestState === 'string' && requestState.startsWith(prefix);
  if (!isOwn) return { serving, call: callWith(call, { round: { binding, answers: {}, askFor } }) };
  const state = requestState.slice(prefix.length);
  const { session, toolCall } = await redeemBy(() => serving.client.redeemState({ state, binding }));
  const answers = isObject(inputResponses) ? inputResponses : {};
  const frame = { ...call.frame, params };
  return {
    serving: { ...serving, session },
    call: callWith(call, { frame, round: { binding, answers, answered: toolCall, askFor } }),
  };
}

/** Tells states of the gateway's own questions from those of approved calls. */
const prefix = 'question.';

function askFor(questions: ReadonlyMap<string, RoundQuestion>, state: string): ToolResult {
  const inputRequests = Object.fromEntries([...questions].map(([step, question]) => [step, requestOf(question)]));
  const result = { resultType: 'input_required', inputRequests, requestState: prefix + state };
  return result as unknown as ToolResult; // such a result has no content
}

function requestOf(question: RoundQuestion) {
  const method = 'elicitation/create';
  if (question.mode === 'form') return { method, params: { mode: 'form', ...formParams(question) } };
  const { message, url, meta } = question;
  return { method, params: { mode: 'url', message, url, ...(meta && { _meta: meta }) } };
}
