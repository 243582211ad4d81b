import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  isObject,
  errorFrame,
  resultFrame,
  rpcCodes,
  rpcError,
  RpcFault,
  type Frame,
  errorOf,
  progressTokenOf,
  textOfFrame,
  textInTurns,
} from '../frames/frame.ts';
import type { ToolDefinition } from '../tools/definition.ts';
import { headerText, textOfHeader, type AdmittedRequest } from './headers.ts';
import { askOwn, type Conversation } from './conversations.ts';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { supportsElicitation, type ClientReply } from '#sdk/mcp/question/call';
import { type McpClient, ProgressOffsets, clientOf, envelopeOf, type OwnRequests } from '../calls/connections.ts';
import { beginRound, continueRound } from '../calls/serve-call.ts';
import { type CallFrame, type JudgedFrame, outwardResult, outwardTasks } from '../frames/mcp-words.ts';
import type { Caller } from '../identity/caller.ts';
import { CredentialsNeeded } from '../upstreams/credentials.ts';
import { type UpstreamGate, UpstreamExchange } from './upstream.ts';
import { isReservedTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { Principal } from '#sdk/mcp/tools/principal';
import type { Received } from '../calls/arguments.ts';
import { serveJudged } from '../calls/serve-reading.ts';
import { readUpstream } from '../frames/reading.ts';
import {
  answerWith,
  answerWithText,
  ClientAnswer,
  isJsonType,
  askOnStream,
  questionsOn,
  mismatch,
} from './messages.ts';
import { sessionOf, UpstreamRefusal, onceClosed } from '../upstreams/upstream.ts';

/**
 * Headers that repeat arguments of a call, as the tool's definition names them (`x-mcp-header`). They are made from the
 * arguments; the client's own, from before an edit, are never passed on.
 */
export function argumentHeaders(
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
): Record<string, string> {
  return Object.fromEntries(namedIn(inputSchema, args).map(([name, value]) => [name, headerText(String(value))]));
}

/** The first of these headers that a client omitted or that differs from the arguments; null if none. */
export function otherHeader(
  { inputSchema }: ToolDefinition,
  args: Record<string, unknown>,
  headers: IncomingHttpHeaders,
): string | null {
  const other = namedIn(inputSchema, args).find(([name, value]) => !says(headers[name], value));
  return other?.[0] ?? null;
}

/** A whole number may be written with zeros after the point: 42.0 is 42. */
function says(header: string | string[] | undefined, value: Plain): boolean {
  const sent = typeof header === 'string' ? textOfHeader(header) : null;
  return (typeof value === 'number' ? sent?.replace(/\.0+$/, '') : sent) === String(value);
}

/** Headers and values of marked arguments, found by `properties` alone. */
function namedIn(schema: unknown, value: unknown): [name: string, value: Plain][] {
  if (!isObject(schema) || value === undefined || value === null) return [];
  const { 'x-mcp-header': name, type, properties } = schema;
  const isNamed = typeof name === 'string' && token.test(name) && types.has(type);
  const own: [string, Plain][] = isNamed && isPlain(value) ? [[`mcp-param-${name.toLowerCase()}`, value]] : [];
  if (!isObject(properties) || !isObject(value)) return own;
  const inner = Object.entries(properties).filter(([member]) => Object.hasOwn(value, member));
  return [...own, ...inner.flatMap(([member, part]) => namedIn(part, value[member]))];
}

/** Form of a header's name, by RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types = new Set<unknown>(['string', 'integer', 'boolean']);

type Plain = string | number | boolean;

/** Excludes whole numbers too large to be exact. */
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value)));

/*
 * States of one call of a client over HTTP, as data. Everything that happens to a call is an event, and `transition` alone
 * decides its effect. `HttpCall` does the I/O.
 */

/**
 * `held`: it was not given to the upstream. `forwarded`: it was, once; also while its result waits for its release.
 * `left`: its caller no longer waits, so what was held is not forwarded any more. `lost`: its session ended while it was
 * held, and its client was answered so. `answered`: its client was sent the answer.
 */
export type CallState =
  | { readonly at: 'held' | 'forwarded' | 'lost' }
  | { readonly at: 'left'; readonly why: Leaving; readonly hasRun: boolean }
  | { readonly at: 'answered'; readonly hasRun: boolean };

type Leaving = 'cancel' | 'disconnect' | 'end';

export type CallEvent =
  /** The call is about to be given to the upstream. */
  | 'forward'
  /** The answer for its client is there. */
  | 'answer'
  /** The client cancels the call. */
  | 'cancel'
  | 'disconnect'
  /** The gateway ends. */
  | 'end'
  /** The call's session with the upstream has ended. */
  | 'lose';

export const initialCall: CallState = { at: 'held' };

/** The next state, or the same one if the event changes nothing; null if the event is impossible in this state. */
export function transition(state: CallState, event: CallEvent): CallState | null {
  if (event === 'forward') return state.at === 'held' ? { at: 'forwarded' } : null;
  if (event === 'answer') return afterAnswer(state);
  // The stream of a forwarded call shows its outcome.
  if (event === 'lose') return state.at === 'held' ? { at: 'lost' } : state;
  return afterLeaving(state, event);
}

/** A call whose client no longer waits gets no answer, unless the gateway ends: then the client is there, and may call again. */
function afterAnswer(state: CallState): CallState {
  if (state.at === 'lost' || state.at === 'answered' || (state.at === 'left' && state.why !== 'end')) return state;
  return { at: 'answered', hasRun: hasRun(state) };
}

function afterLeaving(state: CallState, why: Leaving): CallState {
  if (state.at === 'lost' || state.at === 'answered') return state;
  if (state.at !== 'left') return { at: 'left', why, hasRun: hasRun(state) };
  return why === 'end' && state.why !== 'end' ? { ...state, why } : state;
}

/** True once the upstream was given the call. */
export const hasRun = (state: CallState): boolean => state.at === 'forwarded' || ('hasRun' in state && state.hasRun);

/** Milliseconds for which a call waits for its person, who was sent to the page: clients give a call a minute. */
const maxRoundMs = 45_000;
const pause = 500;
/** Name of the question. */
const question = 'credentials';

/** Gets the credentials of a call's person. */
class CredentialRound {
  readonly #gate: UpstreamGate;
  readonly #mcpClient: McpClient;
  readonly #caller: Caller;
  /** The client was already asked. */
  #isAsked = false;

  constructor(gate: UpstreamGate, mcpClient: McpClient, caller: Caller) {
    this.#gate = gate;
    this.#mcpClient = mcpClient;
    this.#caller = caller;
  }

  /** The message to judge, once the upstream can serve this person. Rejects with the error to answer if it cannot. */
  async admit(frame: JudgedFrame, { signal }: { signal: AbortSignal }): Promise<JudgedFrame> {
    const { upstream, holdTimeoutMs: most = maxRoundMs } = this.#gate;
    const { principal } = this.#caller;
    const answered = isCall(frame) ? await continueRound(await this.#gate.place(), { frame, principal }) : null;
    this.#isAsked = answered !== null;
    if (answered && !isAccepted(answered.responses)) throw new RpcFault(declined);
    for (const end = performance.now() + (answered ? most : 0); ; await rest(signal)) {
      try {
        await upstream.admit?.(this.#caller);
        return answered?.frame ?? frame;
      } catch (error) {
        if (!(error instanceof CredentialsNeeded) || performance.now() >= end) throw error;
      }
    }
  }

  /** Clients that open addresses get the address past the model; the others get it as the tool's result, which people read. */
  async ask(needed: CredentialsNeeded, frame: JudgedFrame): Promise<Frame> {
    const { id } = frame;
    const { isModern } = this.#mcpClient;
    if (needed.url !== null && supportsElicitation(this.#mcpClient.capabilities, 'url')) {
      if (!isModern) return errorFrame(id, needed.asElicitation().error);
      if (isCall(frame) && !this.#isAsked && frame.params['requestState'] === undefined)
        return resultFrame(id, await this.#questionFor(needed, frame));
    }
    if (!isCall(frame)) return errorFrame(id, needed.error);
    const content = [{ type: 'text', text: needed.error.message }];
    return resultFrame(id, { ...(isModern && { resultType: 'complete' }), content, isError: true });
  }

  /** The state gives no right: a call with it is judged like any other. */
  async #questionFor({ sentence: message, url }: CredentialsNeeded, frame: CallFrame) {
    const request = { method: 'elicitation/create', params: { mode: 'url', message, url } };
    const requestState = await beginRound(await this.#gate.place(), { frame, principal: this.#caller.principal });
    return { resultType: 'input_required', inputRequests: { [question]: request }, requestState };
  }
}

/** Pauses; rejects with the signal's reason. */
const rest = (signal: AbortSignal): Promise<void> =>
  sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());

const isCall = (frame: JudgedFrame): frame is CallFrame => frame.method === 'tools/call';

function isAccepted(responses: unknown): boolean {
  const response = isObject(responses) ? responses[question] : undefined;
  return isObject(response) && response['action'] === 'accept';
}

const declined = rpcError(
  rpcCodes.internal,
  'unauthenticated',
  'Call again if you want to give this server your credentials: you declined it. Nothing was run.',
);

const sessionEnded = 'Connect again: the server has ended. Nothing was run.';

/** One call of a client over HTTP, with its ways to client and upstream. */
export class HttpCall implements Received {
  frame: JudgedFrame;
  readonly principal: Principal;
  readonly accessToken: string | undefined;
  readonly mcpClient: McpClient;
  readonly sendProgress: Received['sendProgress'];
  readonly delivery: Received['delivery'];
  readonly #gate: UpstreamGate;
  readonly #conversation: Conversation;
  readonly #admitted: AdmittedRequest;
  readonly #response: ServerResponse;
  readonly #answer: ClientAnswer;
  readonly #controller = new AbortController();
  readonly #exchange: UpstreamExchange;
  readonly #progressOffsets = new ProgressOffsets();
  readonly #questions: OwnRequests;
  readonly #credentials: CredentialRound;
  #state = initialCall;
  /** Assentry records the outcome, because the call does not run by a pass. */
  #isRecorded = false;
  /** Aborts when the call's session with the upstream ends. */
  #loss: AbortSignal | null = null;
  readonly #onLoss = (): void => this.#lose();

  constructor(gate: UpstreamGate, conversation: Conversation, frame: JudgedFrame, admitted: AdmittedRequest) {
    const { caller, response } = admitted;
    this.frame = frame;
    this.principal = caller.principal;
    this.accessToken = (gate.sendsTokens && caller.token) || undefined;
    this.mcpClient = clientOf(frame, conversation.connected);
    this.#gate = gate;
    this.#conversation = conversation;
    this.#admitted = admitted;
    this.#response = response;
    this.#answer = new ClientAnswer(response);
    this.#questions = questionsOn(this.#answer);
    this.delivery = {
      isTaken: this.#answer.isTaken.then((isTaken) => isTaken && this.#state.at !== 'lost'),
      isConnected: () => this.#answer.isConnected && this.#state.at !== 'lost',
    };
    this.#exchange = new UpstreamExchange({
      gate,
      conversation,
      admitted,
      mcpClient: this.mcpClient,
      toClient: (message, id) => this.#pass(message, id),
    });
    this.#credentials = new CredentialRound(gate, this.mcpClient, caller);
    const token = progressTokenOf(frame);
    this.sendProgress = token === undefined ? undefined : async (...beat) => this.#beat(token, ...beat);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  hasRun(): boolean {
    return hasRun(this.#state);
  }

  /** Ends the wait of its client. */
  cancel(): void {
    this.#leave('cancel', new Problem('not-now', { detail: 'The client cancelled this call.' }));
  }

  ask(...question: Parameters<Received['ask']>): Promise<ClientReply> {
    return askOnStream(this.#gate.place(), this.principal, this.#questions, question);
  }

  /** Serves the call until it is answered. Never rejects. */
  async serve(): Promise<void> {
    const { calls, questions } = this.#conversation;
    calls?.set(this.frame.id, this);
    questions.add(this.#questions);
    const end = (): void => this.#leave('end', this.#gate.ending.reason);
    this.#gate.ending.addEventListener('abort', end, { once: true });
    onceClosed(this.#response, () => this.#disconnect());
    try {
      this.frame = await this.#credentials.admit(this.frame, this);
      const other = await this.#otherHeader();
      if (other !== null) return this.#refuse(errorFrame(this.frame.id, mismatch(other)));
      const result = await serveJudged(await this.#gate.shared(this.#conversation), this);
      const tasks = this.#gate.tasksOf(this.#admitted);
      const answer = resultFrame(this.frame.id, tasks ? outwardResult(tasks)(result) : result);
      this.#finish(answer, await textInTurns(answer));
    } catch (error) {
      await this.#fail(error).catch((fault: unknown) => this.#finish(errorFrame(this.frame.id, errorOf(fault))));
    } finally {
      this.#gate.ending.removeEventListener('abort', end);
      this.#loss?.removeEventListener('abort', this.#onLoss);
      calls?.delete(this.frame.id);
      questions.delete(this.#questions);
    }
  }

  /** Checks that the session lives: after the stream to the client has begun, its answer can no longer be a status. */
  async beforeAsking(): Promise<void> {
    this.#isRecorded = true;
    const { upstream } = this.#gate;
    const { headers } = this.#admitted;
    if (sessionOf(headers) !== undefined) await askOwn(upstream, this.#admitted, 'ping');
    this.#loss = await upstream.lossOf(headers);
    if (this.#loss?.aborted) this.#lose();
    this.#loss?.addEventListener('abort', this.#onLoss, { once: true });
  }

  /** Sends the call to the upstream, once; the upstream's messages on the way go to the client. */
  async forward(frame: JudgedFrame, definition?: ToolDefinition): Promise<unknown> {
    this.signal.throwIfAborted();
    const more = definition && this.mcpClient.isModern ? argumentHeaders(definition, argumentsOf(frame)) : {};
    this.#dispatch('forward');
    return this.#exchange.run(frame, more);
  }

  /** The first header that differs from the arguments: an intermediary may read only the headers. */
  async #otherHeader(): Promise<string | null> {
    const { method, params } = this.frame;
    if (!this.mcpClient.isModern || method !== 'tools/call') return null;
    const { name } = params as CallFrame['params'];
    if (isReservedTool(name)) return null; // the gateway's own
    const definition = await this.#conversation.tools.find(name, envelopeOf(this.frame));
    return definition ? otherHeader(definition, argumentsOf(this.frame), this.#admitted.headers) : null;
  }

  /** Applies the event and returns whether it changed anything. Throws if it is impossible. */
  #dispatch(event: CallEvent): boolean {
    const next = transition(this.#state, event);
    if (next === null) throw new Problem('internal');
    const hasChanged = next !== this.#state;
    this.#state = next;
    return hasChanged;
  }

  /** The first time, ends everything that waits for this call, and stops a running call as far as possible. */
  #leave(why: 'cancel' | 'disconnect' | 'end', reason: unknown): void {
    if (!this.#dispatch(why) || this.signal.aborted) return;
    this.#controller.abort(reason);
    if (this.hasRun())
      this.#exchange.stop(reason, { isConnected: this.#answer.isConnected, isRecorded: this.#isRecorded });
  }

  #disconnect(): void {
    if (!this.#response.writableFinished)
      this.#leave('disconnect', new Problem('not-now', { detail: 'The client has gone.' }));
  }

  #lose(): void {
    if (!this.#dispatch('lose')) return;
    this.#answer.end(textOfFrame(errorFrame(this.frame.id, rpcError(rpcCodes.internal, 'unavailable', sessionEnded))));
    this.#controller.abort(new Problem('not-now', { detail: sessionEnded }));
  }

  #beat(progressToken: string | number, progress: number, message: string): void {
    this.#progressOffsets.note(progressToken, progress);
    const params = { progressToken, progress, message };
    void this.#answer.send(textOfFrame({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }

  async #pass(message: Frame, id: string | undefined): Promise<void> {
    const tasks = this.#gate.tasksOf(this.#admitted);
    const frame = tasks ? outwardTasks(message, tasks) : message;
    if (frame) await this.#answer.send(textOfFrame(this.#progressOffsets.raise(frame) ?? frame), id);
  }

  #finish(frame: Frame, text = textOfFrame(frame)): void {
    this.#answerBy(() => this.#answer.end(text));
  }

  /** Answers as a bad request, if the answer has not begun. */
  #refuse(frame: Frame): void {
    if (this.#answer.hasBegun) return this.#finish(frame);
    this.#answerBy(() => answerWith(this.#response, 400, frame));
  }

  #answerBy(send: () => void): void {
    if (this.#dispatch('answer')) return send();
    if (this.#state.at === 'lost') return;
    this.#answer.begin(); // a cancelled call gets no answer
    this.#response.end();
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof CredentialsNeeded) return this.#finish(await this.#credentials.ask(error, this.frame));
    const refusal = error instanceof UpstreamRefusal && !this.#answer.hasBegun ? error : null;
    const body = refusal && (await this.#shownBody(refusal));
    if (!refusal || body === null || this.#answer.hasBegun)
      return this.#finish(errorFrame(this.frame.id, errorOf(error)));
    this.#answerBy(() => answerWithText(this.#response, refusal.status, { text: body, type: refusal.contentType }));
  }

  /** The body of a refused request, shown like every other message; null if the client may not read it. */
  async #shownBody({ body, contentType }: UpstreamRefusal): Promise<string | null> {
    if (this.#gate.ownFiles.findSecret(body) !== null) return null;
    const read = readUpstream(Buffer.from(body));
    if ('fault' in read) return isJsonType(contentType) && body !== '' ? null : body;
    const shown = await this.#gate.showMessage(read, this.#conversation, this.mcpClient);
    return shown && 'text' in shown ? shown.text : null;
  }
}

const argumentsOf = ({ params }: JudgedFrame): Record<string, unknown> =>
  (params as CallFrame['params']).arguments ?? {};
