import type { ElicitationState, AssentryClient, OpenElicitation } from '../client/client.ts';
import { Expects } from '#connect/providers/expects';
import { checkAnswer, applyDefaults, type AnswerResult } from '#platform/form/answer';
import type { FormContent, FormSchema, ResultSchema } from '#platform/form/schema';
import { InvalidInputError } from '../mcp/question/errors.ts';
import {
  outcomeAction,
  type Outcome,
  defaultApproverTtl,
  defaultRequesterTtl,
  type Audience,
  type Mode,
  actions,
  type Action,
} from '#requests/asking/contract/elicitation';
import { type ToolCallId, idPrefixes, type ElicitationId, type Id, type IdKind } from '#platform/model/id';
import type { Elicit } from '../mcp/elicit/elicit.ts';
import type { ElicitOptions, Asks } from '../mcp/question/question.ts';
import { type IncomingCall, requireAskable } from '../mcp/question/call.ts';
import { makeConnection } from '../mcp/connect/connection.ts';
import { readSettings, type CommonOptions, runCall, type Steps } from '../mcp/tools/own-tools.ts';
import { lintFormSchema, type LintResult } from '#platform/form/lint';
import { Problem, type FieldError } from '#platform/model/problem';

/** End of a question. */
export interface Ending {
  status: Outcome;
  content?: FormContent | undefined;
  /** Comment of the person. */
  comment?: string | undefined;
  /** Reason of a cancellation; by default the person. */
  cause?: 'mismatch' | 'unsettled' | undefined;
  /** It came after the deadline, while the provider settled it. */
  isLate?: boolean | undefined;
}

/** The end of a question by a result. Throws InvalidInputError if it does not fit the form. */
export function endWith(question: AskedQuestion, result: ElicitationResult): Ending {
  if (result.action === 'accept') return acceptWith(question, result.content);
  if (result.action === 'cancel') return { status: 'cancelled' };
  return { status: 'declined', comment: result._meta?.reason };
}

/** Accepts a question; an address without a form for its result gets no content. */
export function acceptWith({ schema }: AskedQuestion, content?: FormContent, comment?: string): Ending {
  if (!schema) return { status: 'accepted', comment };
  const checked = checkAnswer(schema, { action: 'accept', content });
  if (!checked.ok) throw new InvalidInputError(checked.errors);
  return { status: 'accepted', content: checked.content, comment };
}

/** The closed row of the question. */
export function closedState(question: AskedQuestion, toolCall: ToolCallId, ending: Ending): ElicitationState {
  const { id, step, audience, mode, ttl } = question;
  const { status, content, comment = null, cause = 'user', isLate = false } = ending;
  const closedAt = Date.now();
  const openedAt = closedAt - (status === 'expired' ? ttl : isLate ? ttl + 1 : 0);
  return {
    id,
    toolCall,
    step,
    status,
    audience,
    mode,
    comment,
    action: outcomeAction[status],
    ...(content && { content }),
    cause: status === 'cancelled' ? cause : null,
    openedAt,
    deadlineAt: openedAt + ttl,
    closedAt,
    revision: 1,
    digest: '',
    statusUrl: `https://assentry.invalid/requests/${id}`,
  };
}

export interface DefaultAnswers {
  /** Values by field name, for every form that has the field; they override the form's own defaults. */
  defaults?: FormContent | undefined;
  /** Answers first; undefined leaves the request to the defaults. */
  answer?: AnswerRequest | undefined;
  /** Gets the reason when a request is declined; by default `console.warn`. */
  warn?: ((reason: string) => void) | undefined;
}

/** Answer of a program without a person. */
export type AnswerRequest = (
  request: ElicitationRequest,
) => ElicitationResult | undefined | Promise<ElicitationResult | undefined>;

/**
 * Answers requests if no person can: fills in a form with the given defaults and its own, and declines everything else,
 * including every address, with a warning. Takes the parameters of a request as MCP clients get them, and throws
 * INVALID_INPUT if they are invalid.
 *
 * ```ts
 * const answer = answerWithDefaults({ defaults: { name: 'CI User' } });
 * await answer(formRequest({ message: 'Who?', properties: { name: { type: 'string' } } })); // accept
 * ```
 */
export function answerWithDefaults({ defaults = {}, answer, warn = console.warn }: DefaultAnswers = {}) {
  return async (params: object): Promise<ElicitationResult> => {
    const request = readRequest(params);
    const own = await answer?.(request);
    if (own) return own;
    const result = request.mode === 'url' ? decline(noOneGoes) : fillIn(request, defaults);
    if (result.action === 'decline') warn(`Declined: ${result._meta?.reason}`);
    return result;
  };
}

const noOneGoes = 'No one is there to go to an address.';

function fillIn(request: FormRequest, defaults: FormContent): ElicitationResult {
  const names = Object.keys(request.requestedSchema.properties);
  const pairs = names.flatMap((name) => (Object.hasOwn(defaults, name) ? [[name, defaults[name]]] : []));
  const content = applyDefaults(request.requestedSchema, Object.fromEntries(pairs));
  const checked = checkResult(request, { action: 'accept', content });
  if (checked.ok) return accept(checked.content);
  const faults = checked.errors.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return decline(`No one is there to fill in the form. ${faults.join(' ')}`);
}

/** The call around the tool's code. */
export interface AloneOptions extends Pick<CommonOptions, 'hooks' | 'ttl'> {
  /** With `annotations: { destructiveHint: true }` its questions are for approvers. */
  tool?: Partial<IncomingCall['tool']>;
  args?: Record<string, unknown>;
  /** Caller. */
  requester?: string;
}

/** An `elicit()` without MCP around it: each question is a separate call, numbered as if they were one. */
export function elicitAlone(client: AssentryClient, options: AloneOptions): Elicit {
  let steps = 0;
  const elicit = async (message: string, asks: Asks, askOptions: ElicitOptions = {}) => {
    requireAskable(message, asks, askOptions);
    const key = askOptions.key ?? String(steps++);
    return runAlone(client, options, (ask) => (ask as AskAnything)(message, asks, { ...askOptions, key }));
  };
  return elicit as Elicit; // as for the real one, the overloads tie the form's type to the content's
}

/** Steps at providers for a handler; each is a call of its own. */
export function stepsAlone(client: AssentryClient, options: AloneOptions): Omit<Steps, 'once'> {
  const person = { requester: callOf(options).requester };
  return {
    async connect(provider, request = {}) {
      const connectOnce = async () => {
        const { scopes, provider: key } = await runAlone(client, options, (_, { connect }) =>
          connect(provider, request),
        );
        const answer = await client.findConnection({ provider: key, scopes: [...scopes], ...person });
        if (answer.state !== 'stored') throw new Problem('connection-declined');
        return answer.connection;
      };
      return makeConnection({ client, person, reconnect: connectOnce }, await connectOnce());
    },
    payment: (...parameters) => runAlone(client, options, (_, { payment }) => payment(...parameters)),
    signature: (...parameters) => runAlone(client, options, (_, { signature }) => signature(...parameters)),
    secret: (...parameters) => runAlone(client, options, (_, { secret }) => secret(...parameters)),
  };
}

/** One step of a handler in a call of its own. */
async function runAlone<T>(
  client: AssentryClient,
  options: AloneOptions,
  step: (elicit: Elicit, steps: Steps) => Promise<T>,
): Promise<T> {
  let answer: Promise<T> | undefined;
  await runCall(callOf(options), client, readSettings(options), async (elicit, _args, steps) => {
    answer = step(elicit, steps);
    await answer.catch(() => {}); // the rejection is reported to the caller that awaits it below
    return { content: [] };
  });
  return answer as Promise<T>; // a call runs its code before it ends
}

type AskAnything = (message: string, asks: Asks, options: ElicitOptions) => Promise<never>;

const callOf = ({ tool, args = {}, requester = 'requester' }: AloneOptions): IncomingCall => ({
  tool: { name: 'tool', ...tool },
  args,
  session: crypto.randomUUID(),
  requester: { subject: requester, verified: true },
  capabilities: { elicitation: { form: {}, url: {} } },
  signal: new AbortController().signal,
  sendProgress: undefined,
  hasOutputSchema: false,
  ask: async () => ({ kind: 'unsupported', reason: 'There is no client.' }),
});

/** The fake human's reply to a question: a result of MCP, an approver's vote, or nothing until it expires. */
export type Reply = ElicitationResult | Vote | { action: 'time-out' };

/** An approver's vote. Only a vote answers a question for approvers, and it answers no other. */
export interface Vote {
  action: 'approve' | 'refuse';
  content?: FormContent;
  comment?: string;
}

/** The approvers say yes, with this in the form. */
export const approve = (content: FormContent = {}, comment?: string): Vote => ({
  action: 'approve',
  content,
  ...(comment !== undefined && { comment }),
});

/** An approver says no, and why. */
export const refuse = (comment: string): Vote => ({ action: 'refuse', comment });

/** No one answers: `elicit()` throws ElicitationTimeoutError, at once. */
export const timeOut = (): Reply => ({ action: 'time-out' });

/** A question as the stand-in for a person receives it. */
export interface AskedQuestion {
  id: ElicitationId;
  message: string;
  mode: Mode;
  /** In URL mode what the result must satisfy; undefined if there is none. */
  schema: ResultSchema | undefined;
  url: string | undefined;
  /** What is to happen at a provider, as `connect`, `payment` and `signature` ask for it. */
  expects: Expects | undefined;
  audience: Audience;
  /** The question's `key`, else its number within the call, from '0'. */
  step: string;
  tool: string;
  args: Record<string, unknown>;
  requester: string;
  /** Milliseconds. */
  ttl: number;
}

export function askedQuestion(id: ElicitationId, request: OpenElicitation): AskedQuestion {
  const { message, mode = 'form', url, audience = 'requester', step = '0', tool, requester } = request;
  const expects = request.expects && Expects.parse(request.expects);
  const ttl = request.ttl ?? (audience === 'approvers' ? defaultApproverTtl : defaultRequesterTtl);
  const schema = request.schema as ResultSchema | undefined; // the asking server linted it
  const whose = { tool: tool.name, args: request.arguments, requester: requester.subject };
  return { id, message, mode, schema, url, expects, audience, step, ...whose, ttl };
}

/** The question as a request to an MCP client. */
export function requestOf({ id, message, mode, schema, url }: AskedQuestion): ElicitationRequest {
  if (mode === 'url') return { mode, message, url: url ?? `https://assentry.invalid/e/${id}`, elicitationId: id };
  return { message, requestedSchema: schema as FormSchema };
}

/** An id in the form of Assentry's own. */
export function newId<K extends IdKind>(kind: K): Id<K> {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const tail = btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');
  return `${idPrefixes[kind]}_${tail.replaceAll('+', '-').replaceAll('/', '_')}`;
}

/** An MCP client's result of `elicitation/create`. */
export type ElicitationResult =
  | { action: 'accept'; content?: FormContent }
  | { action: 'decline'; _meta?: { reason: string } }
  | { action: 'cancel' };

/** The person filled in the form, or agreed to go to the address. */
export const accept = (content?: FormContent): ElicitationResult => ({
  action: 'accept',
  ...(content && { content: { ...content } }),
});

/** The person declined. MCP has no field for a reason, so it is in `_meta`. */
export const decline = (reason?: string): ElicitationResult => ({
  action: 'decline',
  ...(reason !== undefined && { _meta: { reason } }),
});

/** The person went away without an answer. */
export const cancel = (): ElicitationResult => ({ action: 'cancel' });

/**
 * Validates a client's result by its request, as the server will; one error for each field. Send it only if `ok`.
 * `content` is there for an accepted form alone.
 */
export function checkResult(request: ElicitationRequest, result: { action: string; content?: unknown }): AnswerResult {
  const { action, content } = result;
  if (!isAction(action))
    return { ok: false, errors: [{ path: ['action'], message: `Must be ${actions.join(', ')}.` }] };
  if (request.mode === 'url') return { ok: true };
  return checkAnswer(request.requestedSchema, { action, content });
}

const isAction = (action: string): action is Action => (actions as readonly string[]).includes(action);

/** The parameters of `elicitation/create` in form mode; clients of all revisions take them without a mode. */
export interface FormRequest {
  mode?: 'form';
  message: string;
  requestedSchema: FormSchema;
}

/** The parameters of `elicitation/create` in URL mode. */
export interface UrlRequest {
  mode: 'url';
  message: string;
  url: string;
  elicitationId: string;
}

export type ElicitationRequest = FormRequest | UrlRequest;

export interface FormParts {
  message: string;
  properties: Record<string, object>;
  required?: readonly string[];
  title?: string;
}

/**
 * Makes a server's request with a form. Throws INVALID_INPUT if MCP does not allow the form.
 *
 * ```ts
 * formRequest({
 *   message: 'Who are you?',
 *   properties: { email: { type: 'string', format: 'email' }, age: { type: 'integer', default: 25 } },
 *   required: ['email'],
 * });
 * ```
 */
export function formRequest({ message, properties, required, title }: FormParts): FormRequest {
  const labels = { ...(title !== undefined && { title }), ...(required && { required: [...required] }) };
  return readRequest({ message, requestedSchema: { type: 'object', properties, ...labels } }) as FormRequest;
}

/** Makes a server's request to go to an address. Throws INVALID_INPUT if a part is missing. */
export const urlRequest = (parts: Omit<UrlRequest, 'mode'>): UrlRequest =>
  readRequest({ mode: 'url', ...parts }) as UrlRequest;

/** Tells a client that the person is done at an address. */
export const completeNotification = (elicitationId: string) => ({
  method: 'notifications/elicitation/complete' as const,
  params: { elicitationId },
});

/** The parameters of an `elicitation/create`, a form without its `$schema`; INVALID_INPUT names each that is wrong. */
export function readRequest(params: unknown): ElicitationRequest {
  const { mode = 'form', message, requestedSchema, url, elicitationId } = (params ?? {}) as Record<string, unknown>;
  const isUrl = mode === 'url';
  const lint: LintResult<FormSchema> | null = isUrl ? null : lintFormSchema(requestedSchema);
  const faults = [
    ...need('mode', mode === 'form' || isUrl, 'Must be form or url.'),
    ...need('message', isFilled(message), 'Say what is asked, and why.'),
    ...need('url', !isUrl || (isFilled(url) && URL.canParse(url)), 'Give the address to go to.'),
    ...need('elicitationId', !isUrl || isFilled(elicitationId), 'Give the id that names this request.'),
    ...(lint?.ok === false ? lint.errors.map((error) => under('requestedSchema', error)) : []),
  ];
  if (faults.length === 0)
    return { ...(params as ElicitationRequest), ...(lint?.ok && { requestedSchema: lint.schema }) };
  throw new Problem('INVALID_INPUT', { detail: 'Correct the request: it is not a valid elicitation.', errors: faults });
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const need = (name: string, isMet: boolean, message: string): FieldError[] =>
  isMet ? [] : [{ path: [name], message }];
const under = (name: string, { path, message }: FieldError): FieldError => ({ path: [name, ...path], message });
