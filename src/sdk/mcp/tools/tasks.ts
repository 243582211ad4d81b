import { z } from 'zod';
import { runDigest, type AboutToRun, type AssentryClient, type ToolCallState } from '../../client/client.ts';
import { waitAtMost } from '../../client/transport.ts';
import { randomHex } from '../../client/digest.ts';
import { RelayedAnswer } from '#requests/asking/contract/open';
import { Problem, problemSentences } from '#platform/model/problem';
import { Reply } from '../channels/channels.ts';
import { takeUnused } from '../run/settlements.ts';
import { type OwnConfig, type OwnTool, type Binding, readSeen, runTool } from './own-tools.ts';
import {
  type Delivery,
  stillDeclared,
  supportsElicitation,
  type ElicitationCapabilities,
  type IncomingCall,
  type ToldAnswer,
  type ToolResult,
  type RoundQuestion,
  plainArguments,
} from '../question/call.ts';
import type { FormContent, FormSchema } from '#platform/form/schema';
import { actions } from '#requests/asking/contract/elicitation';
import { findOwnCall, type Caller } from './principal.ts';
import { awaitToolName, relayToolName, isToolResult, problemResult, messageFor } from '../question/result.ts';
import type { RunSettings } from '../run/run.ts';
import { messageOfInquiry, sentenceOfInquiry } from '../question/question.ts';

/** Milliseconds the client waits for the record of an end, which is made in any case. */
const recordTime = 10_000;

/** Runs at work in this process, by tool call: a task that is polled often is still run once. */
const running = new Map<string, AbortController>();

/** Runs the call's tool from its start, with the answers given so far; its result is kept. */
type RunInBackground = (call: ToolCallState, signal: AbortSignal) => Promise<unknown>;

export interface TaskServing {
  client: AssentryClient;
  /** Milliseconds after which a run that never reported its end counts as dead. */
  leaseMs: number;
  /** Set if the current client can show a form to its person. */
  takesForms: boolean;
  run: RunInBackground;
}

/** The current task. If everything is answered and no run uses the answers yet, this process runs it. */
export async function readTask(
  { client, leaseMs, takesForms, run }: TaskServing,
  call: ToolCallState,
): Promise<TaskView> {
  if (isRunnable(call)) start(call, run);
  const task = viewTask(call, Date.now(), leaseMs, takesForms);
  if (call.state === 'completed' && task.status === 'completed') {
    // Fetched: the next equal call asks again, and the task can still be read again.
    const fetched = { attempt: 'fetched', delivered: true, result: call.result };
    await waitAtMost(
      recordTime,
      unlessRefused(() => client.complete(call.id, fetched)),
    );
  }
  return task;
}

function start(call: ToolCallState, run: RunInBackground): void {
  if (running.has(call.id)) return;
  const controller = new AbortController();
  running.set(call.id, controller);
  run(call, controller.signal)
    .catch(() => {}) // its end is recorded as the call's result
    .finally(() => running.delete(call.id));
}

/** Passes on the answer of the client's person. Anything else, or an answer to a closed question, is ignored. */
export async function answerTask(
  { client }: TaskServing,
  { elicitations }: ToolCallState,
  answers: Readonly<Record<string, unknown>>,
): Promise<void> {
  const replyTo = (name: string) => (Object.hasOwn(answers, name) ? readReply(answers[name]) : null);
  for (const { id, step, status, audience, inquiry } of elicitations) {
    const reply = status === 'open' && audience === 'requester' ? replyTo(step) : null;
    if (reply) await unlessRefused(() => client.answer(id, reply));
    const inquiryReply = inquiry && replyTo(inquiry.id);
    if (inquiryReply) await unlessRefused(() => client.giveInformation(id, { inquiry: inquiry.id, ...inquiryReply }));
  }
}

/** Withdraws the question; a tool that is already running only gets a signal, and its result counts. */
export async function cancelTask({ client }: TaskServing, call: ToolCallState): Promise<void> {
  const { id, state, elicitations } = call;
  running.get(id)?.abort(new Problem('not-now', { detail: 'The client cancelled this task.' }));
  if (state !== 'open') return;
  for (const { id: elicitId, status } of elicitations) {
    if (status === 'open') await unlessRefused(() => client.cancel(elicitId, { cause: 'user' }));
  }
  const attempt = randomHex();
  const outcome = await takeUnused(client, id, { attempt, run: await runDigest(approvedRun(call)) });
  if (outcome !== 'refused')
    await waitAtMost(recordTime, client.complete(id, { attempt, delivered: true, result: cancelledResult }));
}

/** The approved run, with the arguments of the last edit. */
function approvedRun(call: ToolCallState): AboutToRun {
  const edited = call.elicitations.findLast((elicitation) => elicitation.arguments !== undefined);
  return { ...storedRun(call), ...(edited?.arguments && { arguments: edited.arguments }) };
}

const Answer = z.object(RelayedAnswer.pick({ action: true, content: true }).shape);

function readReply(reply: unknown): RelayedAnswer | null {
  const { data } = Answer.safeParse(Reply.safeParse(reply).data);
  if (!data) return null;
  return data.action === 'accept' ? data : { action: data.action };
}

/**
 * Ignores a refused change: an answer to a closed question, or one that does not fit, changes nothing, and the next read of the
 * task shows it.
 */
async function unlessRefused(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (!(error instanceof Problem) || !refusals.has(error.code)) throw error;
  }
}

const refusals = new Set<Problem['code']>(['already-closed', 'not-claimed', 'not-now', 'INVALID_INPUT']);

/** A registered tool in the form that both SDKs return for changes. */
export interface UpdatableTool extends Pick<OwnConfig, 'title' | 'description' | 'annotations'> {
  inputSchema?: unknown;
  outputSchema?: unknown;
  update(updates: { name?: string | null; paramsSchema?: unknown; callback?: OwnTool<unknown>['handler'] }): void;
}

/**
 * Follows the SDK's `update`: approvers see the changed tool, and another callback asks as the first one did. A removed tool is
 * no longer there for waiting calls.
 */
export function followUpdates<Config extends OwnConfig>(
  tools: Map<string, OwnTool<Config>>,
  tool: OwnTool<Config>,
  registered: UpdatableTool,
  readInput: (schema: unknown) => Pick<OwnTool<Config>, 'schemaDigest' | 'read'>,
): void {
  const update = registered.update.bind(registered);
  registered.update = ({ callback, ...updates }) => {
    update(updates);
    if (callback !== undefined) tool.handler = callback;
    const { title, description, annotations, inputSchema, outputSchema } = registered;
    tool.config = { ...tool.config, title, description, annotations, outputSchema };
    if (updates.paramsSchema !== undefined) Object.assign(tool, readInput(inputSchema));
    if (updates.name !== undefined) rename(tools, tool, updates.name);
  };
}

function rename<Config>(tools: Map<string, OwnTool<Config>>, tool: OwnTool<Config>, name: string | null): void {
  tools.delete(tool.name);
  if (name === null) return;
  tool.name = name;
  tools.set(name, tool);
}

/** The part of both SDKs' transports that handles responses. */
interface SendingTransport {
  send(message: unknown, options?: unknown): Promise<void>;
}

type RequestId = string | number;

/**
 * Watches the response to one request. The SDKs send it after the handler has returned and report no result, so the transport's
 * `send` is watched: it rejects if the stream of the request has gone.
 */
export function watchDelivery(
  transport: SendingTransport | undefined,
  { id, signal }: { id: RequestId; signal: AbortSignal },
): Delivery {
  const delivery = new Promise<boolean>((resolve) => {
    if (!transport || signal.aborted) return resolve(false);
    const responses = watchResponses(transport);
    const leave = (): void => {
      responses.delete(id);
      resolve(false);
    };
    responses.set(id, (isTaken) => {
      // A transport for one request closes, and so aborts, as it takes the response.
      signal.removeEventListener('abort', leave);
      resolve(isTaken);
    });
    signal.addEventListener('abort', leave, { once: true });
  });
  return { isTaken: delivery, isConnected: () => transport !== undefined && hasStream(transport, id) };
}

/** The transport of each awaited response. */
type Responses = Map<RequestId, (isTaken: Promise<boolean>) => void>;
const watched = new WeakMap<object, Responses>();

function watchResponses(transport: SendingTransport): Responses {
  const watchedResponses = watched.get(transport);
  if (watchedResponses) return watchedResponses;
  const responses: Responses = new Map();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (isResponse(message)) {
      responses.get(message.id)?.(
        sent.then(
          () => true,
          () => false,
        ),
      );
      responses.delete(message.id);
    }
    return sent;
  };
  watched.set(transport, responses);
  return responses;
}

const isResponse = (message: unknown): message is { id: RequestId } =>
  typeof message === 'object' && message !== null && 'id' in message && ('result' in message || 'error' in message);

/** Streams of the SDKs' HTTP transports, which forget one whose client has gone; they offer no other way to ask. */
interface HttpStreams {
  _webStandardTransport?: HttpStreams;
  _requestToStreamMapping?: unknown;
  _streamMapping?: unknown;
}

function hasStream(transport: HttpStreams | SendingTransport, id: RequestId): boolean {
  const { _webStandardTransport: inner } = transport as HttpStreams;
  const { _requestToStreamMapping: streams, _streamMapping: open } = inner ?? (transport as HttpStreams);
  if (!(streams instanceof Map) || !(open instanceof Map)) return true;
  const stream: unknown = streams.get(id);
  return stream === undefined || open.has(stream);
}

/** Ways of the tools below to continue a call in any process. */
interface GoingOn {
  client: AssentryClient;
  caller: Caller;
  signal: AbortSignal;
  /** Runs the stored call's tool from its start, for the current client. */
  goOn(call: ToolCallState, relayedAnswer?: IncomingCall['relayedAnswer']): Promise<ToolResult>;
}

interface ListingFacts {
  capabilities: ElicitationCapabilities | undefined;
  settings: RunSettings;
}

/** A tool of ours next to the author's own, by which a client continues a call that ended pending. */
export interface PendingTool {
  name: string;
  config: { title: string; description: string; inputSchema: z.ZodObject; annotations: { openWorldHint: false } };
  /** Is it for this client? No other client sees or calls it. */
  isFor(facts: ListingFacts): boolean;
  run(going: GoingOn, input: unknown): Promise<ToolResult>;
}

const elicitId = z.string().describe('From _meta.elicitationPending, or the text, of the result that is pending.');
const RelayInput = z.looseObject({
  elicitId,
  inquiry: z.string().optional().describe("With a reply to an approver's question: its id, from the same result."),
  action: z.enum(actions).describe('accept: they answered; decline: they said no; cancel: they did not choose.'),
  content: z.unknown().optional().describe("With accept: the person's answer. It satisfies the schema of the request."),
});
const AwaitInput = z.object({ elicitId });
const annotations = { openWorldHint: false } as const;

const relayTool: PendingTool = {
  name: relayToolName,
  config: {
    title: 'Pass on an answer',
    description:
      "Passes on the person's answer to a request that a tool of this server made, and returns that tool's result. " +
      'Call it only after they have answered; never answer for them.',
    inputSchema: RelayInput,
    annotations,
  },
  isFor: ({ capabilities, settings }) =>
    settings.withoutElicitation === 'relay' && !supportsElicitation(stillDeclared(capabilities)),
  async run(going, input) {
    const { elicitId: id, inquiry } = RelayInput.parse(input);
    const answer = Reply.parse(input);
    const { call, question } = await findOwnCall(going.client, going.caller, id, going);
    if (question.status === 'expired') throw new Problem('not-found');
    if (inquiry !== undefined) {
      await reportReply(going, id, inquiry, answer);
      return going.goOn(call);
    }
    if (question.audience === 'approvers') throw forApprovers();
    const isOver = call.state === 'settled' || (question.action !== null && question.action !== answer.action);
    if (isOver) throw new Problem('already-closed');
    return going.goOn(call, { elicitId: id, answer });
  },
};

/** Passes on information for the approvers, not a vote; a reply that does not fit changes nothing. */
async function reportReply(
  { client, signal }: GoingOn,
  id: string,
  inquiry: string,
  { action, content }: ToldAnswer,
): Promise<void> {
  const answer = action === 'accept' ? { content: content as FormContent } : {}; // the orchestrator checks it by its form
  await client.giveInformation(id, { inquiry, action, ...answer, channel: 'told' }, { signal });
}

const forApprovers = (): Problem =>
  new Problem('forbidden', {
    detail:
      'Approvers answer this request in the console; an answer passed on does not count. A reply to their question names its ' +
      'inquiry.',
  });

export const awaitTool: PendingTool = {
  name: awaitToolName,
  config: {
    title: 'Wait for an answer',
    description:
      'Waits for the answer to a request that is pending, and returns the result of the tool that made it. ' +
      "If it isn't answered in time, you get another pending result; call this tool again.",
    inputSchema: AwaitInput,
    annotations,
  },
  isFor: () => true,
  async run(going, input) {
    const { elicitId: id } = AwaitInput.parse(input);
    const { call } = await findOwnCall(going.client, going.caller, id, going);
    if (call.state !== 'settled') return going.goOn(call);
    if (isToolResult(call.result)) return call.result;
    throw new Problem('already-closed');
  },
};

export const pendingTools: readonly PendingTool[] = [relayTool, awaitTool];

/** Resolves with a result even for a problem, because the model reads it. */
export async function runPendingTool(tool: PendingTool, going: GoingOn, input: unknown): Promise<ToolResult> {
  try {
    return await tool.run(going, input);
  } catch (error) {
    if (error instanceof Problem) return problemResult(error);
    throw error;
  }
}

/** A task for its client, without any SDK's types. */
export type TaskView = TaskTimes &
  (
    | { status: 'working'; statusMessage: string }
    | { status: 'input_required'; questions: ReadonlyMap<string, RoundQuestion> }
    | { status: 'completed'; result: ToolResult }
    | { status: 'failed'; error: { code: number; message: string } }
    | { status: 'cancelled' }
  );

type Asked = ToolCallState['elicitations'][number];

interface TaskTimes {
  taskId: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: null;
  pollIntervalMs: number;
}

/** Milliseconds. */
const pollInterval = 1_000;
/** JSON-RPC's own code for internal errors. */
const internalError = -32603;

/** The result of a call that was cancelled before it ran. */
export const cancelledResult: ToolResult = {
  content: [{ type: 'text', text: 'The call was cancelled before it ran.' }],
  isError: true,
  _meta: { code: 'cancelled' },
};

/** Result of a call whose result, or place, was taken by another call with the same arguments. */
const absentResult: ToolResult = {
  content: [{ type: 'text', text: 'Check before you call again: this call has ended, and its result is not kept.' }],
  isError: true,
};

/**
 * The task of a stored call: nothing else is kept, so every process sees the same. An approver's inquiry is an input request,
 * by its id, if the client takes forms.
 */
export function viewTask(call: ToolCallState, now: number, leaseMs: number, takesForms = true): TaskView {
  const times = timesOf(call);
  if (call.state === 'completed' || call.state === 'settled') return { ...times, ...endOf(call.result) };
  const questions = new Map([...openQuestions(call), ...(takesForms ? openInquiries(call) : [])]);
  if (questions.size > 0) return { ...times, status: 'input_required', questions };
  if (call.state === 'claimed' && (call.since ?? 0) + leaseMs < now) {
    const error = { code: internalError, message: problemSentences['outcome-unknown'] };
    return { ...times, status: 'failed', error };
  }
  return { ...times, status: 'working', statusMessage: messageOf(call) };
}

function messageOf(call: ToolCallState): string {
  if (isDecided(call)) return 'The tool is running.';
  const isForRequester = call.elicitations.some(
    ({ status, audience }) => status === 'open' && audience === 'requester',
  );
  if (isForRequester) return 'Waiting for the result from the address.';
  const sentences = call.elicitations.flatMap(({ inquiry }) => (inquiry ? [sentenceOfInquiry(inquiry)] : []));
  return ['Waiting for approval.', ...sentences].join(' ');
}

/** True if every question so far is answered, and no run uses the answers. */
export const isRunnable = (call: ToolCallState): boolean => call.state === 'open' && isDecided(call);

const isDecided = ({ elicitations }: ToolCallState): boolean => elicitations.every(({ status }) => status !== 'open');

function timesOf({ id, since, elicitations }: ToolCallState): TaskTimes {
  const createdAt = Math.min(...elicitations.map(({ openedAt }) => openedAt));
  const changes = elicitations.map(({ openedAt, closedAt }) => closedAt ?? openedAt);
  return taskTimes(id, createdAt, Math.max(since ?? 0, ...changes));
}

/** Times of a task, in milliseconds. A task has no end of its own: the stored call decides. */
export const taskTimes = (taskId: string, createdAt: number, changedAt: number): TaskTimes => ({
  taskId,
  createdAt: new Date(createdAt).toISOString(),
  lastUpdatedAt: new Date(changedAt).toISOString(),
  ttlMs: null,
  pollIntervalMs: pollInterval,
});

function endOf(result: unknown): { status: 'cancelled' } | { status: 'completed'; result: ToolResult } {
  if (!isToolResult(result)) return { status: 'completed', result: absentResult };
  if (result._meta?.['code'] === 'cancelled') return { status: 'cancelled' };
  return { status: 'completed', result };
}

/** Open questions of a task. A person who agreed to open an address is not asked to again; the task waits for the result. */
function openQuestions({ elicitations }: ToolCallState): Map<string, RoundQuestion> {
  const open = elicitations.filter(({ status, audience }) => status === 'open' && audience === 'requester');
  const answerable = open.filter(({ mode, visited }) => mode === 'form' || !visited);
  return new Map(answerable.map((question) => [question.step, roundQuestion(question)]));
}

const openInquiries = ({ elicitations }: ToolCallState): [string, RoundQuestion][] =>
  elicitations.flatMap(({ inquiry, message }): [string, RoundQuestion][] => {
    if (!inquiry) return [];
    const schema = inquiry.schema as FormSchema;
    return [[inquiry.id, { mode: 'form', message: messageOfInquiry(inquiry, message), schema }]];
  });

function roundQuestion({ mode, message, schema, url = '', code }: Asked): RoundQuestion {
  if (mode === 'url') return { mode, message: messageFor(message, { code }), url };
  return { mode, message, schema: schema as FormSchema };
}

/**
 * Runs the stored call's tool from its start, for the client that continues it. If the run would differ, because the
 * tool has changed or another agent continues it, people are asked again.
 */
export async function continueCall(
  binding: Pick<Binding<never>, 'client' | 'settings'>,
  tool: OwnTool<OwnConfig>,
  stored: ToolCallState,
  received: IncomingCall,
  context: object,
): Promise<ToolResult> {
  const call = await resumeCall(tool, stored, received);
  if (call) return runTool(binding, tool, call, context);
  await giveUp(binding.client, stored, received);
  const { round } = received;
  const unanswered = round && { ...round, answers: {} };
  const again = { ...received, told: undefined, round: unanswered, args: await readAgain(tool, stored) };
  return runTool(binding, tool, again, context);
}

/** The current call as a continuation of the stored one; null if the run would differ. */
export async function resumeCall(
  tool: OwnTool<unknown>,
  stored: ToolCallState,
  received: IncomingCall,
): Promise<IncomingCall | null> {
  const args = (await readSeen(tool, stored.arguments)) ?? stored.arguments;
  const isSame = (await runDigest(aboutToRun(received))) === (await runDigest(storedRun(stored)));
  return isSame ? { ...received, args, session: stored.session, continues: stored.id } : null;
}

/** Withdraws questions of another run, with an entry in the log. */
export async function giveUp(
  client: AssentryClient,
  { id, elicitations }: ToolCallState,
  received: IncomingCall,
): Promise<void> {
  await takeUnused(client, id, { attempt: randomHex(), run: await runDigest(aboutToRun(received)) });
  for (const { id: elicitId, status } of elicitations) {
    if (status === 'open') await client.cancel(elicitId, { cause: 'superseded' }).catch(ignoreClosed);
  }
}

const aboutToRun = ({ tool, args, requester }: IncomingCall): AboutToRun => ({
  tool,
  arguments: plainArguments(args),
  requester,
});

/** The requested run. */
export const storedRun = ({
  tool,
  title,
  description,
  schemaDigest,
  annotations,
  reaches,
  requester,
  ...call
}: ToolCallState): AboutToRun => ({
  tool: {
    name: tool,
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(schemaDigest !== null && { schemaDigest }),
    ...(annotations && { annotations }),
    ...(typeof reaches === 'string' && { reaches }),
  },
  arguments: call.arguments,
  requester,
});

function ignoreClosed(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'already-closed')) throw error;
}

/** The arguments, read as in a call now. */
async function readAgain({ read }: OwnTool<unknown>, { arguments: storedArgs }: ToolCallState): Promise<unknown> {
  if (!read) return undefined;
  const args = await read(storedArgs);
  if (args !== undefined) return args;
  throw new Problem('INVALID_INPUT', {
    detail: 'Call the tool again: its arguments have changed since this was asked.',
  });
}
