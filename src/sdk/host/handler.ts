import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CancelledNotificationSchema, type RequestId, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Action, isClosed } from '#requests/asking/contract/elicitation';
import {
  type ElicitationContext,
  AskedParams,
  elicitationCapabilities,
  type ElicitationAnswer,
  type ElicitationRequest,
  readOptions,
  type HostOptions,
  type HostSettings,
  isRefused,
  unavailable,
  type Refused,
  withdrawn,
  isAllowedAddress,
  type AskedUrl,
  type AskedForm,
} from './options.ts';
import { underSignals, withDeadline, waitAtMost } from '../client/transport.ts';
import {
  type ElicitationState,
  type OpenedElicitation,
  type OpenElicitation,
  runDigest,
  type ClaimToolCall,
} from '../client/client.ts';
import { Problem } from '#platform/model/problem';
import { faultOfAddress } from '#platform/model/names';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

/**
 * Runs the work under a signal that aborts if request 0 is cancelled. Clients of SDK v1 ignore that cancellation, and 0
 * is the id of a server's first question, so approvers would read a dead question.
 */
export async function withCancellation<T>(
  client: Client,
  requestId: RequestId,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { transport } = client;
  if (requestId !== 0 || !transport) return work(signal);
  const cancelled = new AbortController();
  const deliver = transport.onmessage;
  const listen: typeof deliver = (message, extra) => {
    const { success, data } = CancelledNotificationSchema.safeParse(message);
    if (success && data.params.requestId === 0) cancelled.abort(data.params.reason);
    deliver?.(message, extra);
  };
  transport.onmessage = listen;
  try {
    return await work(AbortSignal.any([signal, cancelled.signal]));
  } finally {
    if (transport.onmessage === listen && deliver) transport.onmessage = deliver;
  }
}

const UrlsRequired = z.object({
  code: z.literal(ErrorCode.UrlElicitationRequired),
  data: z.object({
    elicitations: z
      .array(z.object({ mode: z.literal('url'), message: z.string(), url: z.string(), elicitationId: z.string() }))
      .min(1),
  }),
});

/**
 * Handles error -32042 of a call: each address it names goes to approvers, one after the other, until one is not
 * accepted. Resolves with 'accept' if the call may be sent again, with null for any other error.
 */
export async function answerRequiredUrls(
  error: unknown,
  handleElicitation: HandleElicitation,
  context?: ElicitationContext,
): Promise<Action | null> {
  const required = UrlsRequired.safeParse(error);
  if (!required.success) return null;
  for (const params of required.data.data.elicitations) {
    const { action } = await handleElicitation({ params }, context);
    if (action !== 'accept') return action;
  }
  return 'accept';
}

/**
 * Resolves with the approvers' decision, or with a decline or cancel and its reason in `_meta`. Rejects only with error
 * -32602, if the mode is not declared.
 */
export type HandleElicitation = (
  request: ElicitationRequest,
  context?: ElicitationContext,
) => Promise<ElicitationAnswer>;

/**
 * Makes the handler of `elicitation/create` for the client of one server; fits clients of SDK v1 and v2.
 * Throws `config-invalid` if an option is not usable.
 */
export function createElicitationHandler(options: HostOptions): HandleElicitation {
  const settings = readOptions(options);
  return async (request, context = {}) => {
    const mode = request.params?.mode ?? 'form';
    requireDeclared(settings, mode);
    const outcome = await underSignals([settings.signal, context.signal, context.mcpReq?.signal], (signal) =>
      decide(settings, { ...request.params, mode }, signal).catch((error: unknown) =>
        unavailable(settings.whenUnanswered, error),
      ),
    );
    return isRefused(outcome) ? reportRefusal(settings, mode, outcome) : outcome;
  };
}

function requireDeclared(settings: HostSettings, mode: string): void {
  if (Object.hasOwn(elicitationCapabilities(settings).elicitation, mode)) return;
  throw new McpError(
    ErrorCode.InvalidParams,
    `This client has not declared elicitation of mode ${JSON.stringify(mode)}.`,
  );
}

async function decide(
  settings: HostSettings,
  params: unknown,
  signal: AbortSignal,
): Promise<ElicitationAnswer | Refused> {
  const { serverName, perMinute } = settings;
  if (!mayAsk(serverName, perMinute)) return tooMany(settings);
  const result = AskedParams.safeParse(params);
  if (!result.success) return malformed(serverName);
  const refused = refuseAddress(settings, result.data);
  if (refused) return refused;
  const request = openRequest(settings, result.data);
  const state = await askApprovers(settings, request, signal);
  return isRefused(state) ? state : releaseAnswer(settings, result.data, { request, signal }, state);
}

const tooMany = ({ serverName, perMinute }: HostSettings): Refused => ({
  reason: 'rate-limited',
  action: 'decline',
  detail: `${serverName} asked more than the ${perMinute} questions a minute that it may ask.`,
});

const malformed = (serverName: string): Refused => ({
  reason: 'question-not-askable',
  action: 'decline',
  detail: `The question of ${serverName} is not an elicitation: it needs a message, and a requestedSchema or a url.`,
});

/** Reports a refusal. The server learns the kind of reason, not the text, which may reveal the host's own rules. */
async function reportRefusal(
  { serverName, onRefused }: HostSettings,
  mode: string,
  refused: Refused,
): Promise<ElicitationAnswer> {
  try {
    await onRefused?.({ server: serverName, mode, ...refused });
  } catch {
    // A failed log must not count as a person's answer.
  }
  return { action: refused.action, _meta: { 'assentry/reason': refused.reason } };
}

/** Milliseconds. The row expires first; this limit is for when the server cannot be reached. */
const grace = 30_000;
/** Milliseconds for a withdrawal, whose answer is not awaited. */
const withdrawalMs = 5_000;

/**
 * Asks, and waits until approvers have decided or ended the question. If the wait is aborted, the question is
 * withdrawn.
 */
async function askApprovers(
  settings: HostSettings,
  request: OpenElicitation,
  signal: AbortSignal,
): Promise<ElicitationState | Refused> {
  if (signal.aborted) return withdrawn();
  const opened = await open(settings, request);
  if (isRefused(opened)) return opened;
  const outcome = await waitFor(settings, opened, signal);
  if (!isRefused(outcome)) return outcome;
  if (outcome.reason === 'withdrawn' || outcome.reason === 'unavailable') await withdraw(settings, opened.id);
  return { ...outcome, elicitation: opened.id };
}

/** Opens a question without the signal: a question with an unknown id could not be withdrawn. */
async function open(
  { client, serverName, whenUnanswered }: HostSettings,
  request: OpenElicitation,
): Promise<OpenedElicitation | Refused> {
  try {
    return await client.open(request);
  } catch (error) {
    if (!(error instanceof Problem) || !notAskable.has(error.code)) return unavailable(whenUnanswered, error);
    const detail = `The question of ${serverName} cannot be shown to approvers: ${error.message}`;
    return { reason: 'question-not-askable', action: 'decline', detail, errors: error.errors };
  }
}

const notAskable = new Set<Problem['code']>(['INVALID_INPUT', 'body-too-large']);

async function waitFor(
  { client, whenUnanswered }: HostSettings,
  opened: ElicitationState,
  signal: AbortSignal,
): Promise<ElicitationState | Refused> {
  const timeout = opened.deadlineAt - opened.openedAt + grace;
  try {
    const state = await client.waitForOutcome(opened.id, { signal, timeout });
    if (!isClosed(state.status)) return unavailable(whenUnanswered);
    if (state.status !== 'expired') return state;
    const detail = `No one answered within ${Math.round((state.deadlineAt - state.openedAt) / 1000)} seconds.`;
    return { reason: 'unanswered', action: whenUnanswered, detail };
  } catch (error) {
    return signal.aborted ? withdrawn() : unavailable(whenUnanswered, error);
  }
}

async function withdraw({ client }: HostSettings, id: string): Promise<void> {
  try {
    await withDeadline(withdrawalMs, undefined, (signal) => client.cancel(id, { cause: 'caller_gone' }, { signal }));
  } catch {
    // It ends at its deadline instead.
  }
}

/** The question to approvers, attributed to the server under the host's own name for it. */
export function openRequest(settings: HostSettings, params: AskedParams): OpenElicitation {
  const { serverName, serverInfo, principal, ttl } = settings;
  const info = serverInfo?.();
  const named = params.mode === 'url' && params.elicitationId !== undefined;
  return {
    tool: {
      name: `${serverName}.elicitation.create`,
      title: `Question from ${serverName}`,
      description: consequence(serverName, params.mode),
    },
    arguments: {
      server: serverName,
      ...(info && { callsItself: { name: info.name, version: info.version } }),
      ...(named && { elicitationId: params.elicitationId }),
    },
    message: params.message,
    ...(params.mode === 'form'
      ? { mode: params.mode, schema: params.requestedSchema }
      : { mode: params.mode, url: params.url }),
    audience: 'approvers',
    requester: principal,
    ttl,
  };
}

const consequence = (server: string, mode: AskedParams['mode']): string =>
  mode === 'form'
    ? `The MCP server "${server}" wrote this question and gets the answer exactly as given here.`
    : `The MCP server "${server}" wants this address to be opened. An approval allows it to be opened once.`;

/** Reason why this address is not shown to approvers; null if it may be. */
function refuseAddress({ serverName, allowedDomains }: HostSettings, params: AskedParams): Refused | null {
  if (params.mode !== 'url') return null;
  const address = URL.canParse(params.url) ? new URL(params.url) : null;
  const fault = faultOfAddress(params.url);
  if (address && fault === null && isAllowedAddress(address, allowedDomains)) return null;
  if (address && fault !== null)
    return { reason: 'url-not-allowed', action: 'decline', detail: `${serverName} asked to open an address. ${fault}` };
  const detail = address
    ? `${serverName} asked to open an address at ${address.host || address.protocol}, which is not among allowedDomains.`
    : `${serverName} asked to open something that is not an address.`;
  return { reason: 'url-not-allowed', action: 'decline', detail };
}

/** Milliseconds to wait for the record of the end; after that the server gets its answer anyway. */
const recordTime = 5_000;

/** The question, and whether the server still waits for the answer. */
interface Asked {
  request: OpenElicitation;
  signal: AbortSignal;
}

/** Releases a decision once: claimed before anything acts on it, and settled when the server gets it. */
async function releaseAnswer(
  settings: HostSettings,
  params: AskedParams,
  { request, signal }: Asked,
  state: ElicitationState,
): Promise<ElicitationAnswer | Refused> {
  const attempt = crypto.randomUUID();
  const outcome =
    state.action === 'accept'
      ? await releaseAccept(settings, params, state, { claim: { attempt, run: await runDigest(request) }, signal })
      : { action: state.action ?? 'cancel' };
  await settle(settings, state, attempt);
  return isRefused(outcome) ? { ...outcome, elicitation: state.id } : outcome;
}

async function releaseAccept(
  settings: HostSettings,
  params: AskedParams,
  state: ElicitationState,
  { claim, signal }: { claim: ClaimToolCall; signal: AbortSignal },
): Promise<ElicitationAnswer | Refused> {
  try {
    const { state: claimState } = await settings.client.claim(state.toolCall, claim);
    if (claimState !== 'claimed') return unavailable(settings.whenUnanswered);
  } catch (error) {
    return unavailable(settings.whenUnanswered, error);
  }
  if (signal.aborted) return withdrawn();
  const form: FormAnswer | Refused = params.mode === 'form' ? fitAnswer(settings, params, state.content ?? {}) : {};
  if (isRefused(form)) return form;
  return params.mode === 'url' ? openUrl(settings, params, state) : { action: 'accept', ...form };
}

/** Passes an address on only after its consent, the recorded decision. */
async function openUrl(
  { serverName, onOpenUrl }: HostSettings,
  { url }: AskedUrl,
  { id, digest, statusUrl, closedAt, openedAt }: ElicitationState,
): Promise<ElicitationAnswer | Refused> {
  const consent = { server: serverName, elicitation: id, digest, statusUrl, decidedAt: closedAt ?? openedAt };
  try {
    await onOpenUrl?.(url, consent);
    return { action: 'accept' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { reason: 'url-not-opened', action: 'cancel', detail: `The address could not be opened: ${why}` };
  }
}

async function settle({ client }: HostSettings, { toolCall }: ElicitationState, attempt: string): Promise<void> {
  const settled = client.complete(toolCall, { attempt, delivered: true });
  await waitAtMost(
    recordTime,
    settled.catch(() => {}), // the decision and its claim are recorded
  );
}

const minute = 60_000;

/** Counts the questions of the last minute; times are milliseconds of a monotonic clock. */
export class SlidingWindow {
  #taken: number[] = [];

  /** Returns true and counts one if fewer than `limit` were counted in the minute before `now`. */
  tryTake(limit: number, now: number): boolean {
    if (this.countAt(now) >= limit) return false;
    this.#taken.push(now);
    return true;
  }

  countAt(now: number): number {
    this.#taken = this.#taken.filter((at) => now - at < minute);
    return this.#taken.length;
  }
}

const windows = new Map<string, SlidingWindow>();

/**
 * May the server ask? One window for each server's name in this process: a server that makes its client reconnect gains
 * nothing.
 */
export function mayAsk(server: string, limit: number, now = performance.now()): boolean {
  for (const [name, window] of windows) if (window.countAt(now) === 0) windows.delete(name);
  const window = windows.get(server) ?? new SlidingWindow();
  windows.set(server, window);
  return window.tryTake(limit, now);
}

type Content = Record<string, string | number | boolean | string[]>;
type FormAnswer = { content?: Content };

/**
 * The answer to send: with the server's defaults if wanted, and validated by the schema the server sent, with the
 * validator that MCP servers use. People were already held to stricter rules.
 */
export function fitAnswer(
  { serverName, applyDefaults }: HostSettings,
  { requestedSchema }: AskedForm,
  answered: Content,
): FormAnswer | Refused {
  const content = applyDefaults ? { ...defaultsOf(requestedSchema), ...answered } : answered;
  const fault = faultOf(requestedSchema, content);
  if (fault === undefined) return { content };
  const detail = `The answer was not passed on, because ${serverName} would refuse it: ${fault}`;
  return { reason: 'answer-not-fitting', action: 'cancel', detail };
}

/** Fault of the content, found by a new validator each time: a shared one would collect schemas without limit. */
function faultOf(schema: object, content: Content): string | undefined {
  try {
    return new AjvJsonSchemaValidator().getValidator(schema)(content).errorMessage;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Defaults of the fields; Assentry has accepted the schema, so every one fits. */
function defaultsOf({ properties }: Record<string, unknown>): Content {
  const fields = Object.entries((properties ?? {}) as Record<string, { default?: Content[string] }>);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  );
}
