import { knownHints } from '../../client/known-hints.ts';
import {
  type IncomingCall,
  type ToolResult,
  plainArguments,
  withoutElicitations,
  type WithoutElicitation,
  type Delivery,
  type Once,
} from '../question/call.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';
import { nearestName } from '#platform/text/nearest-name';
import { createApprove, refuseUnapproved, createElicit, type Elicit } from '../elicit/elicit.ts';
import { type AssentryClient, createClient } from '../../client/client.ts';
import { assertNames, waitAtMost, withDeadline, readAddresses } from '../../client/transport.ts';
import { defaultRequesterTtl } from '#requests/asking/contract/elicitation';
import { readHooks } from '../hooks/hooks.ts';
import { readPrincipal, type Principal, type PrincipalOption } from './principal.ts';
import { type RunSettings, Run } from '../run/run.ts';
import { giveBackUnused } from '../../client/claims.ts';
import { createOnce } from '../elicit/once.ts';
import { createConnect, type Connect } from '../connect/connect.ts';
import { createPayment, createSignature, type Payment, type Signature } from '../connect/outcome.ts';
import { createSecret, type AskSecret } from '../connect/secret.ts';
import { leaveExecution, type Execution } from '../run/executions.ts';
import { takeUnused, chooseSettlement, trackSettlement } from '../run/settlements.ts';
import { NothingRanError, tellAuthor } from '../question/errors.ts';
import { abandonUndecided } from '../elicit/edits.ts';
import { failureResult, problemResult } from '../question/result.ts';
import { readClientEnv } from '../../client/env.ts';

/** A tool that was registered with us. */
export interface OwnTool<Config> {
  name: string;
  config: Config;
  schemaDigest: Promise<string>;
  /** Command or address of its server, if this code is in front of it. */
  reaches?: string;
  /** Set if its definition is not accepted. */
  unaccepted?: boolean;
  /** Set if the arguments of its call are as its definition says. */
  fits?: boolean;
  /** The arguments by the tool's input schema; undefined if they do not fit. Null for a tool without one. */
  read: ((args: Record<string, unknown>) => Promise<unknown>) | null;
  /** Arguments, if the tool has an input schema, then the SDK's context of the call. */
  handler: (...parameters: unknown[]) => unknown;
}

/** Assentry's members of a tool's registration. */
export interface OwnConfig extends Pick<IncomingCall['tool'], 'title' | 'description' | 'annotations'> {
  /** Each call waits for approvers before the handler runs, unless a policy allows it. */
  approval?: boolean | undefined;
}

/** The tool as approvers see it. */
export async function describeTool(tool: OwnTool<OwnConfig>): Promise<IncomingCall['tool']> {
  const { name, config, schemaDigest, reaches, unaccepted = false, fits = false } = tool;
  const { title, description, annotations } = config;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations: knownHints(annotations) }),
    schemaDigest: await schemaDigest,
    ...(reaches !== undefined && { reaches }),
    ...(unaccepted && { unaccepted }),
    ...(fits && { fits }),
  };
}

/**
 * For code without types: throws `config-invalid` if the tool's registration has a misspelt `approval`, with which it
 * would run without asking.
 */
export function assertApproval(name: string, config: object): void {
  const misspelt = Object.keys(config).find((key) => key !== 'approval' && isLikeApproval(key));
  const value = (config as OwnConfig).approval ?? false;
  if (misspelt === undefined && typeof value === 'boolean') return;
  const wrong = misspelt ?? `approval: ${JSON.stringify(value)}`;
  throw new Problem('config-invalid', { detail: `Write approval: true for the tool ${name}, not ${wrong}.` });
}

/** Makes the SDK's own `registerTool` refuse `approval`, which it would ignore. */
export function refuseApprovalOf(mcp: object): void {
  const sdk = mcp as { registerTool(name: string, config: object, handler: unknown): unknown };
  const register = sdk.registerTool.bind(mcp);
  sdk.registerTool = (name, config, handler) => {
    if (!('approval' in config)) return register(name, config, handler);
    const detail = `Register ${name} with the registerTool that assentry() returns: the SDK's own runs it without asking.`;
    throw new Problem('config-invalid', { detail });
  };
}

const isLikeApproval = (key: string): boolean => /approv/i.test(key) || nearestName(key, ['approval']) !== null;

/** The configuration without the members that are for Assentry alone. */
export function sdkConfig<Config extends Pick<OwnConfig, 'approval'>>({
  approval: _ours,
  ...config
}: Config): Omit<Config, 'approval'> {
  return config;
}

/**
 * Runs the tool's handler with the call's arguments, and with an `elicit` in its context, the last parameter. A tool with
 * `approval` runs only after a yes of approvers or a policy.
 */
export function runTool(
  { client, settings }: Pick<Binding<never>, 'client' | 'settings'>,
  tool: OwnTool<OwnConfig>,
  call: IncomingCall,
  context: object,
): Promise<ToolResult> {
  const { session: sessionId } = call;
  const handle: Handle = async (elicit, args, more) => {
    const { name, config } = tool;
    const question = `Run ${config.title ?? name}?`;
    const refusal = config.approval ? await refuseUnapproved(elicit, question, { approval: true }) : null;
    if (refusal) return refusal;
    const requester: Principal = readPrincipal(call.requester);
    const toolContext = { ...context, sessionId, requester, elicit, approve: createApprove(elicit), ...more };
    return (await (tool.read ? tool.handler(args, toolContext) : tool.handler(toolContext))) as ToolResult;
  };
  return runCall({ ...call, readSeen: (args) => readSeen(tool, args) }, client, settings, handle);
}

/**
 * Arguments for the tool's code from ones that people have seen: parsed by the input schema, but only if unchanged; otherwise
 * undefined.
 */
export async function readSeen({ read }: OwnTool<unknown>, args: Record<string, unknown>): Promise<unknown> {
  const value = await read?.(args);
  return value !== undefined && canonicalText(plainArguments(value)) === canonicalText(args) ? value : undefined;
}

/** Milliseconds a requester's question stays open by default. */
export const DEFAULT_ELICIT_TTL = defaultRequesterTtl;

export interface CommonOptions {
  /** ASSENTRY_URL by default. */
  url?: string | undefined;
  /** ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of address and key. */
  client?: AssentryClient | undefined;
  /** Milliseconds a call is held for approvers: 50 000 by default, 600 000 if the caller gets progress. */
  holdTimeoutMs?: number | undefined;
  /** Milliseconds a question stays open unless it says otherwise itself. */
  ttl?: number | undefined;
  /**
   * If the client cannot ask its own person: `link`, the default, ends the call with the address of a page to answer
   * on, and the same call comes back to the answer; `relay` lets the agent ask and pass the answer on with the tool
   * `sendElicitationResult`; `deny` throws ElicitationNotSupportedError.
   */
  withoutElicitation?: WithoutElicitation | undefined;
  /** Milliseconds between two progress notifications; 10 000 by default. */
  progressIntervalMs?: number | undefined;
  /** Milliseconds after which a run that never reported its end counts as dead; 600 000 by default. */
  leaseMs?: number | undefined;
  /** Hooks for the stages of every question, and objects with methods decorated as hooks, in order. */
  hooks?: readonly object[] | undefined;
}

/** With the context of a call as one SDK hands it over. */
export interface OptionsIn<Context> extends CommonOptions {
  /** The caller; by default the subject of the access token, otherwise the client's name, unverified. */
  principal?: PrincipalOption<Context> | undefined;
  /**
   * Sends the caller's access token along with each question, so that the orchestrator verifies the requester itself; it
   * keeps nothing of it. For a server whose issuer is configured there.
   */
  sendAccessToken?: boolean | undefined;
}

/** Parts of an adapter. */
export interface Binding<Context> {
  client: AssentryClient;
  settings: RunSettings;
  principal: PrincipalOption<Context> | undefined;
  sendAccessToken: boolean;
}

/**
 * The options with their defaults; throws `config-invalid` if the orchestrator's address or this server's key is
 * missing, or if there is no such option or value.
 */
export function readOptions<Context>(options: OptionsIn<Context>): Binding<Context> {
  assertOptions(options);
  const settings = readSettings(options);
  const { client = shareClient(options), principal, sendAccessToken = false } = options;
  return { client, settings, principal, sendAccessToken };
}

/** Checks options for code without types. */
function assertOptions(options: OptionsIn<never>): void {
  assertNames('assentry', options, optionNames);
  const { withoutElicitation = 'link' } = options;
  if (withoutElicitations.includes(withoutElicitation)) return;
  throw new Problem('config-invalid', { detail: `Give withoutElicitation as ${withoutElicitations.join(', ')}.` });
}

const optionNames = Object.keys({
  url: true,
  apiKey: true,
  client: true,
  holdTimeoutMs: true,
  ttl: true,
  withoutElicitation: true,
  progressIntervalMs: true,
  leaseMs: true,
  hooks: true,
  principal: true,
  sendAccessToken: true,
} satisfies Record<keyof OptionsIn<never>, true>);

/** Settings of runs, with their defaults. */
export function readSettings(options: CommonOptions): RunSettings {
  const { holdTimeoutMs, ttl, withoutElicitation = 'link', progressIntervalMs = 10_000, leaseMs = 600_000 } = options;
  const hooks = readHooks(options.hooks ?? []);
  return { holdTimeoutMs, ttl, withoutElicitation, progressIntervalMs, leaseMs, hooks };
}

/** Milliseconds the caller waits for the record of the end; after that it gets its result anyway. */
const recordTimeoutMs = 10_000;

type Ending = { result: ToolResult; error?: unknown; isUnused?: boolean };

/** A tool's code, with the arguments of the run. */
export type Handle = (elicit: Elicit, args: unknown, more: Steps) => Promise<ToolResult>;

/** Steps of a handler besides questions to people. */
export interface Steps {
  once: Once;
  connect: Connect;
  payment: Payment;
  signature: Signature;
  secret: AskSecret;
}

/**
 * Runs a tool's code with its own `elicit()`, and again from its start if approvers edited the arguments. Costs nothing if the
 * tool asks no one. Resolves with the caller's result; rejects with the tool's error, unless that is a Problem.
 */
export async function runCall(
  call: IncomingCall,
  client: AssentryClient,
  settings: RunSettings,
  handle: Handle,
): Promise<ToolResult> {
  for (let run = new Run(call, client, settings); ;) {
    const ending = await runOnce(run, handle);
    if (run.next) {
      run = new Run(run.next, client, settings, run);
    } else {
      if ('error' in ending) throw ending.error;
      return ending.result;
    }
  }
}

async function runOnce(run: Run, handle: Handle): Promise<Ending> {
  const handled = runHandler(run, handle);
  const first = await Promise.race([handled, run.ended.then((result): Ending => ({ result }))]);
  run.dispatch({ type: 'finish', isUnused: first.isUnused === true });
  // A tool thrown out of elicit() may return before the result that ended it.
  const ending = run.hasEnded ? { result: await run.ended } : first;
  run.close();
  abandonUndecided(run);
  const recorded = recordEnd(run, ending.result);
  if (run.isCallerGone) await rememberLeaving(run, recorded);
  await recorded;
  return ending;
}

/** Makes a caller that calls again at once wait: it must not find the question that is being withdrawn. */
async function rememberLeaving({ callName }: Run, recorded: Promise<void>): Promise<void> {
  const name = await callName;
  if (name !== undefined)
    trackSettlement(
      name,
      recorded.catch(() => {}),
    );
}

const stepsOf = (run: Run): Steps => ({
  once: createOnce(run),
  connect: createConnect(run),
  payment: createPayment(run),
  signature: createSignature(run),
  secret: createSecret(run),
});

async function runHandler(run: Run, handle: Handle): Promise<Ending> {
  try {
    return {
      result: await handle(createElicit(run), run.call.args, stepsOf(run)),
    };
  } catch (error) {
    if (!(error instanceof Problem)) return { result: failureResult(error), error };
    return { result: problemResult(error), isUnused: error instanceof NothingRanError };
  }
}

async function recordEnd(run: Run, result: ToolResult): Promise<void> {
  await run.cleanups();
  if (!run.joined) return;
  const { toolCall, execution } = run.joined;
  if (run.holdsClaim && run.isUnused) await giveBack(run, execution, toolCall);
  const { how, holdsClaim: hasClaimed, isCallerGone } = run;
  const isBackground = run.call.task?.isBackground === true;
  const isAwaited = execution.isAwaited();
  const settlement = chooseSettlement({ how, hasClaimed, isCallerGone, isBackground, isAwaited });
  const isEnding = settlement !== 'nothing' && (await mayEnd(run, execution, toolCall));
  execution.release(run, isEnding ? result : undefined);
  const end = { toolCall, attempt: execution.attempt, result };
  if (isEnding && settlement === 'settle' && run.call.delivery && !isCallerGone)
    await settleOnDelivery(run, end, run.call.delivery);
  else if (isEnding) await complete(run, end, { delivered: settlement === 'settle' });
  leaveExecution(toolCall, run, { isUnfinished: hasClaimed && settlement === 'nothing' });
}

/** Gives the execution back if nothing ran for a caller that left: its next call finds the approval unused. */
async function giveBack(run: Run, execution: Execution, toolCall: string): Promise<void> {
  run.dispatch({ type: 'give-back' });
  await giveBackUnused(run.client, toolCall, execution.attempt);
  execution.renewAttempt();
}

/** May the call end? An unused accept is claimed in order to give it up, so that the same call asks again. */
async function mayEnd(run: Run, execution: Execution, toolCall: string): Promise<boolean> {
  if (run.holdsClaim || run.how === 'replayed' || !run.hasAccepted) return true;
  if (!execution.tryOwn(run)) return false;
  const { attempt } = execution;
  const outcome = await withDeadline(recordTimeoutMs, undefined, async (signal) =>
    takeUnused(run.client, toolCall, { attempt, run: await run.digest() }, signal),
  ).catch(() => 'refused' as const);
  if (outcome === 'taken') run.dispatch({ type: 'claimed-unused' });
  if (outcome === 'refused') execution.renewAttempt();
  return outcome !== 'refused';
}

/** Keeps the result until the transport has taken it, so that a caller killed meanwhile finds it. */
async function settleOnDelivery(run: Run, end: CallEnd, { isTaken: delivery }: Delivery): Promise<void> {
  if (run.holdsClaim) await complete(run, end, { delivered: false });
  const settled = delivery.then(async (isTaken) => {
    if (isTaken) await complete(run, end, { delivered: true });
  });
  trackSettlement(end.toolCall, settled);
  const callName = await run.callName;
  if (callName !== undefined) trackSettlement(callName, settled);
}

interface CallEnd {
  toolCall: string;
  attempt: string;
  result: ToolResult;
}

/**
 * Records the end. Without a record the next equal call finds this one running: it waits, and never runs twice. The caller
 * waits only its time for the record; it is sent until Assentry has it.
 */
async function complete(
  { client, call }: Run,
  { toolCall, attempt, result }: CallEnd,
  { delivered }: { delivered: boolean },
): Promise<void> {
  const send = (kept: ToolResult) =>
    client.complete(toolCall, { attempt, delivered, ...((!delivered || call.task) && { result: kept }) });
  const sent = send(result)
    .catch((error) => {
      if (error instanceof Problem && error.code === 'body-too-large') return send(tooLarge);
      throw error;
    })
    .catch(() => {}); // silent: the caller has its result, and the orchestrator logs its own outages
  await waitAtMost(recordTimeoutMs, sent);
}

const tooLarge = failureResult('The tool has run, but no caller was there and its result was too large to keep.');

const clients = new Map<string, AssentryClient>();

/**
 * One client for all MCP sessions of a process, and with it one stream. The first use reports its identity on standard error.
 * Throws `config-invalid` if settings are missing.
 */
function shareClient({ url: own, apiKey }: { url?: string | undefined; apiKey?: string | undefined }): AssentryClient {
  const env = readClientEnv();
  const url = own ?? env.url ?? '';
  const name = JSON.stringify([url, apiKey ?? env.apiKey]);
  const shared = clients.get(name);
  if (shared) return shared;
  const client = createClient({ url: own, apiKey });
  clients.set(name, client);
  void reportIdentity(client, readAddresses(url));
  return client;
}

/** Milliseconds. */
const timeoutMs = 5_000;

/**
 * Reports on standard error, in one line, which server this process is to Assentry, or what its operator must correct: at the
 * start, not at the first call. Never rejects.
 */
async function reportIdentity(client: Pick<AssentryClient, 'identify'>, addresses: readonly string[]): Promise<void> {
  const place = addresses.map(withoutPassword).join(', ');
  try {
    const { name, version } = await client.identify({ signal: AbortSignal.timeout(timeoutMs), retries: 2 });
    tellAuthor(`Assentry ${version} at ${place}, as ${name}`);
  } catch (error) {
    const fault = error instanceof Problem ? error.message : 'Check that Assentry runs: it does not answer.';
    tellAuthor(`${fault} (${place})`);
  }
}

const withoutPassword = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin : 'no valid address';
