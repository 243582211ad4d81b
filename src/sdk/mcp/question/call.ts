import type { AskedTool, ElicitationState, NamedRequester } from '#requests/asking/contract/open';
import type { StateBinding } from '#requests/asking/contract/routes';
import type { FormSchema } from '#platform/form/schema';
import { type Action, type Audience, type Mode, audiences, modes } from '#requests/asking/contract/elicitation';
import { z } from 'zod';
import { Problem, type FieldError } from '#platform/model/problem';
import { formatUnknown } from '#platform/text/nearest-name';
import type { AssentryClient, BeginMemo } from '../../client/client.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { sha256, runDigest, type AboutToRun } from '../../client/digest.ts';

/** A tool's result in MCP's form, without any SDK's types. */
export interface ToolResult {
  content: unknown[];
  isError?: boolean;
  _meta?: Record<string, unknown>;
  [more: string]: unknown;
}

/** The alleged answer of the person; not checked yet. */
export interface ToldAnswer {
  action: Action;
  content: unknown;
}

/** The person's answer at the MCP client, or the reason why they could not be asked. */
export type ClientReply =
  | ({ kind: 'answer'; channel?: 'told' } & ToldAnswer)
  /** With `knowsNone` it can be asked in no mode at all. */
  | { kind: 'unsupported'; reason: string; knowsNone?: boolean }
  | { kind: 'timeout' }
  | { kind: 'failed'; reason: string };

/** A form for the client to show to its person. */
export interface FormRequest {
  message: string;
  schema: FormSchema;
  /** `_meta` for the client itself. */
  meta?: Record<string, unknown> | undefined;
}

/** An address for the client to show to its person. */
export interface UrlRequest {
  message: string;
  url: string;
  elicitationId: string;
  /** `_meta` for the client itself. */
  meta?: Record<string, unknown> | undefined;
}

/** A question in a result, for the client to ask its person. */
export type RoundQuestion = ({ mode: 'form' } & FormRequest) | ({ mode: 'url' } & Omit<UrlRequest, 'elicitationId'>);

/** Limits of a question. */
export interface AskLimits {
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
  /** The request that the answer decides; absent if none. */
  elicitationId?: string | undefined;
}

/** Ways of an adapter to send the person at the client to an address. */
export interface UrlSending {
  /** Asks for the person's consent on this call's own stream. Never rejects. */
  ask(request: UrlRequest, limits: AskLimits): Promise<ClientReply>;
  /** Tells the client, on this call's own stream, that the person is done at the address. Never rejects. */
  notifyDone(elicitationId: string): Promise<void>;
  /** Tells the client, on the stream of its session, when the call is over. Never rejects. */
  notifyLater(elicitationId: string): Promise<void>;
  /** Aborts when the client's connection ends. */
  ended(): AbortSignal;
  /** Represents a result: the call fails with the address, and the client calls again. */
  require(request: UrlRequest): ToolResult;
}

/** One round of a call whose client is asked by the result, and calls again with the answers. */
export interface Round {
  /** Replies of the client, by step; not checked. */
  answers: Readonly<Record<string, unknown>>;
  /** The stored call that asked, named by the state: the answers count for its questions alone. */
  answered?: string | undefined;
  /** The request that may return the state. */
  binding: StateBinding;
  /** The result that makes the client ask its person these questions, by step, and call again. */
  askFor(questions: ReadonlyMap<string, RoundQuestion>, state: string): ToolResult;
}

/** Task for a client that fetches the result later. */
export interface Task {
  /** Set for a run without a waiting client: its result is kept to be fetched. */
  isBackground: boolean;
  /** Set if the requester's questions, too, are fetched with the task. */
  holdsQuestions: boolean;
  /** The result with the task. */
  handOut(state: ElicitationState): ToolResult;
}

/** Authorization that the SDK found in the caller's access token. */
export interface CallAuthorization {
  clientId: string;
  scopes: string[];
  extra?: Record<string, unknown> | undefined;
}

/** One `tools/call` from the adapter of an SDK; nothing else in this folder depends on an SDK. */
export interface IncomingCall {
  tool: z.infer<typeof AskedTool>;
  /** Arguments for the tool's code. */
  args: unknown;
  /**
   * Arguments for the tool's code from ones that people have seen, by its input schema; undefined if the schema would change
   * them. A tool without this accepts no edits.
   */
  readSeen?: ((args: Record<string, unknown>) => Promise<unknown>) | undefined;
  /** The connection this call came by; never undefined, so that questions of two connections never meet. */
  session: string;
  requester: z.infer<typeof NamedRequester>;
  capabilities: ElicitationCapabilities | undefined;
  authInfo?: CallAuthorization | undefined;
  /** Token for the orchestrator alone, if the author lets it be sent. */
  accessToken?: string | undefined;
  /** Trace of the call, from its caller. */
  traceparent?: string | undefined;
  /** Aborts when the caller cancels or its connection ends. */
  signal: AbortSignal;
  /** Delivery of the call's response; undefined if the adapter cannot tell. */
  delivery?: Delivery | undefined;
  /** Undefined if the caller gave no progress token. */
  sendProgress: ((progress: number, message: string) => Promise<void>) | undefined;
  /** True if the tool promises structured content, without which only an error result is allowed. */
  hasOutputSchema: boolean;
  /** Shows the form to the person on this call's own stream. Never rejects. */
  ask(question: FormRequest, limits: AskLimits): Promise<ClientReply>;
  urls?: UrlSending | undefined;
  /** Makes the client read the list of tools again. Never throws. */
  notifyToolsChanged?: (() => void) | undefined;
  /** Set if the client cannot ask its person while its call is open. */
  round?: Round | undefined;
  /** Set if the client accepts a task as a result. */
  task?: Task | undefined;
  /** The stored call that this run continues: it asks as part of that call, or not at all. */
  continues?: string | undefined;
  /** Answer that the agent passes on to one of its questions. */
  relayedAnswer?: { elicitId: string; answer: ToldAnswer } | undefined;
}

/**
 * Way of a question: to the person at the client over this call's stream (`push`), as its result (`round`) or with a task; to
 * the same person by the address of a page (`link`) or by the agent (`relay`); or to the console while the call is held or is a
 * task.
 */
export type Channel = 'push' | 'round' | 'link' | 'relay' | 'hold' | 'task' | 'unsupported';

interface ChannelFacts {
  /** Audience decided by Assentry. */
  audience: Audience;
  mode: Mode;
  capabilities: ElicitationCapabilities | undefined;
  /** Set if the client gets questions as results, and calls again. */
  hasRounds: boolean;
  /** People whose questions may become part of a task, for a client that takes one. */
  task?: 'approvers' | 'everyone' | undefined;
  withoutElicitation: WithoutElicitation;
}

/**
 * What to do with a requester's question if the client cannot ask: give the address of a page, let the agent ask and
 * pass on the answer, or throw an error.
 */
export type WithoutElicitation = (typeof withoutElicitations)[number];
export const withoutElicitations = ['link', 'relay', 'deny'] as const;

export function chooseChannel(facts: ChannelFacts): Channel {
  const { audience, mode, capabilities, hasRounds, task, withoutElicitation } = facts;
  if (audience === 'approvers') return task ? 'task' : 'hold';
  const isAble = supportsElicitation(capabilities, mode);
  if (task === 'everyone' && isAble) return 'task';
  if (isAble) return hasRounds ? 'round' : 'push';
  if (mode === 'form' && withoutElicitation === 'relay' && !supportsElicitation(capabilities)) return 'relay';
  return withoutElicitation === 'deny' ? 'unsupported' : 'link';
}

interface AudienceFacts {
  audience?: Audience | undefined;
  approval?: boolean | undefined;
  isDestructive: boolean;
}

/** Audience: the author's choice, otherwise approvers if the tool is destructive. */
export function chooseAudience({ audience, approval, isDestructive }: AudienceFacts): Audience {
  if (audience) return audience;
  return approval || isDestructive ? 'approvers' : 'requester';
}

/**
 * For code without types: throws INVALID_INPUT, with each path, if message, form or options of `elicit()` have a wrong
 * type, or if there is no such option.
 */
export function requireAskable(message: unknown, asks: unknown, options: unknown): void {
  const errors = [...faultsOfMessage(message), ...faultsOfForm(asks), ...faultsOfOptions(options)];
  if (errors.length > 0)
    throw new Problem('INVALID_INPUT', { detail: 'Correct the question: parts of it are invalid.', errors });
}

const faultsOfMessage = (message: unknown): FieldError[] =>
  typeof message === 'string' && message !== ''
    ? []
    : [{ path: ['message'], message: 'Give a message that says what is asked.' }];

function faultsOfForm(asks: unknown): FieldError[] {
  const message = adviceOn(asks);
  return message === null ? [] : [{ path: ['schema'], message }];
}

/** Advice on an invalid form; null if its shape is valid. */
function adviceOn(asks: unknown): string | null {
  if (typeof asks === 'string') return null;
  if (typeof asks !== 'object' || asks === null || Array.isArray(asks))
    return 'Give a zod object, a JSON Schema or an address.';
  if (isZod3(asks))
    return 'Write the form with zod 4: this one is of zod 3. A project with both imports it from "zod/v4".';
  const isShape = Object.values(asks).some((field) => isZod3(field) || isZod4(field));
  return isShape && !isZod4(asks) ? 'Wrap these fields in z.object({ … }).' : null;
}

/** Recognized by marks, not classes: a tool may have another copy of zod. */
const isZod4 = (value: unknown): boolean => typeof value === 'object' && value !== null && '_zod' in value;
const isZod3 = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);

function faultsOfOptions(options: unknown): FieldError[] {
  const { data, error } = Options.safeParse(options);
  if (!error) return faultsOfNames(data, Object.keys(Options.shape));
  return error.issues.map(({ path: [name], message }) => ({
    path: name === undefined ? ['options'] : [String(name)],
    message,
  }));
}

/** Recognized by methods, not by class: it may come from another realm. */
const isSignal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;

const Options = z
  .looseObject({
    ttl: z.number(),
    key: z.string(),
    audience: z.enum(audiences),
    approval: z.boolean(),
    facts: z.array(z.looseObject({ label: z.string(), path: z.string() })),
    after: z.array(z.looseObject({ proof: z.string() }), 'Give what payment() or signature() resolved with.'),
    reason: z.string(),
    supersede: z.enum(['session', 'call', 'none']),
    signal: z.custom(isSignal, 'Give an AbortSignal.'),
    mode: z.enum(modes),
    url: z.union([z.string(), z.instanceof(URL)], 'Give an address.'),
    elicitationId: z.union([z.string(), z.looseObject({ token: z.string() })], 'Give a token.'),
    completedBy: z.literal('requester'),
    state: z.boolean(),
    throwUrlRequired: z.boolean(),
  })
  .partial();

/** Faults of option names, for code without types: a misspelt option would silently do nothing. */
const faultsOfNames = (options: object, names: readonly string[]): FieldError[] =>
  Object.keys(options)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: [name], message: formatUnknown('option', name, names) }));

/**
 * Makes something once for a call, such as a checkout session. A handler runs again from its start when its call comes
 * back; `once` gives each of these runs what the first one made. `make` gets an idempotency key that stays the same
 * until its result is kept, for the service: after a crash it may be called again. The result must be JSON.
 *
 * @example
 * const session = await once('checkout', ({ idempotencyKey }) => stripe.checkout.sessions.create(order, { idempotencyKey }));
 */
export type Once = <T>(key: string, make: (step: { idempotencyKey: string }) => T | Promise<T>) => Promise<T>;

/** Place of the call's memos: the stored call, or its possible names. */
export type MemoPlace = Omit<BeginMemo, 'key'>;

/** A result not kept yet. */
export interface NewMemo {
  id: string;
  key: string;
  value: unknown;
}

/** Finds the step's result, or makes it now; `onMade` keeps it. */
export async function makeOnce(
  client: AssentryClient,
  place: MemoPlace,
  { key, make }: { key: string; make: Parameters<Once>[1] },
  onMade: (memo: NewMemo) => Promise<void>,
): Promise<unknown> {
  const begun = await client.beginMemo({ ...place, key });
  if (begun.isKept) return (begun.value as { made?: unknown }).made;
  const value = plainArguments({ made: await make({ idempotencyKey: begun.id }) });
  await onMade({ id: begun.id, key, value });
  return value['made'];
}

/** Checks the step for code without types. */
export function requireStep(key: unknown, make: unknown): void {
  if (typeof key !== 'string' || key === '' || key.length > 64)
    throw new Problem('INVALID_INPUT', {
      errors: [{ path: ['key'], message: 'Name the step in 1 to 64 characters.' }],
    });
  if (typeof make !== 'function')
    throw new Problem('INVALID_INPUT', { errors: [{ path: ['make'], message: 'Give the function that makes it.' }] });
}

export interface CallFacts extends AboutToRun {
  /** Audience of the call's first question. */
  audience: Audience;
  session: string;
}

/**
 * Names a tool call so that only the caller's retry finds it. For approvers the name covers the whole run, so that a restarted
 * client or MCP server joins the pending one. For the requester also the session: one connection's answer is never replayed to
 * another connection.
 */
export async function nameCall({ audience, session, ...facts }: CallFacts): Promise<string> {
  const scope = audience === 'requester' ? session : null;
  return sha256(canonicalText(['assentry/call/v1', scope, await runDigest(facts)]));
}

export const digestJson = (value: unknown): Promise<string> => sha256(canonicalText(value));

/** The arguments as approvers read them; values that JSON cannot show must not run unseen. */
export function plainArguments(args: unknown): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(args ?? {}, showAll())) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('INVALID_INPUT', { detail: `${unshowable}.`, cause });
  }
}

const unshowable = 'Use arguments that JSON can express: people could not see these';
const shown = new Set(['[object Array]', '[object String]', '[object Number]', '[object Boolean]']);

/** Refuses values that JSON would misrepresent: maps, sets, bytes, functions, NaN, instances of classes, and cycles. */
function showAll() {
  const holders: unknown[] = [];
  const path: (string | number)[] = [];
  return function showMember(this: unknown, key: string, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    for (; holders.length > 0 && holders.at(-1) !== this; path.pop()) holders.pop();
    const place = holders.length === 0 ? [] : [...path, Array.isArray(this) ? Number(key) : key];
    if (!isShown(value) || holders.includes(value)) throw unshown(place);
    if (typeof value !== 'object') return value;
    holders.push(value);
    path.splice(0, path.length, ...place);
    return value;
  };
}

function isShown(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' ? isPlain(value as object) : shown.has(tag);
}

/** Is it a plain object of any realm? An instance of a class may have invisible content. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const unshown = (path: (string | number)[]): Problem =>
  new Problem('INVALID_INPUT', {
    detail: path.length === 0 ? `${unshowable}.` : `${unshowable} (${path.join('.')}).`,
    errors: [{ path, message: 'Use a value that JSON can express.' }],
  });

/** Part of an MCP client's declared capabilities about asking its person. */
export interface ElicitationCapabilities {
  elicitation?: { form?: object | undefined; url?: object | undefined } | undefined;
}

/** Can this client be asked at all, or in this mode? An empty declaration means forms. */
export function supportsElicitation(capabilities: ElicitationCapabilities | undefined, mode?: Mode): boolean {
  const declared = capabilities?.elicitation;
  if (!declared) return false;
  const hasUrl = declared.url !== undefined;
  const hasForm = declared.form !== undefined || !hasUrl;
  if (mode === undefined) return true;
  return mode === 'form' ? hasForm : hasUrl;
}

/** Modes that clients have refused after declaring them; a declaration lives as long as its session. */
const refused = new WeakMap<object, Set<Mode>>();

/** Makes this client count from now on as one that never declared these modes. */
export function rememberRefusal(declared: ElicitationCapabilities | undefined, which: readonly Mode[]): void {
  if (declared) refused.set(declared, new Set([...(refused.get(declared) ?? []), ...which]));
}

/** The declaration without modes refused since. */
export function stillDeclared(declared: ElicitationCapabilities | undefined): ElicitationCapabilities | undefined {
  const lost = declared && refused.get(declared);
  if (!lost) return declared;
  const kept = modes.filter((mode) => supportsElicitation(declared, mode) && !lost.has(mode));
  const elicitation = kept.length > 0 ? Object.fromEntries(kept.map((mode) => [mode, {}])) : undefined;
  return { ...declared, elicitation };
}

/** The delivery of the response to one request. */
export interface Delivery {
  /** True when the transport has taken the response on an existing stream; false if it never does. */
  isTaken: Promise<boolean>;
  /** False while the stream of this request is closed. */
  isConnected(): boolean;
}
