import type { ServerResponse } from 'node:http';
import { isReservedTool } from '#protocol/model/names';
import { Problem } from '#protocol/model/problem';
import type { ClientReply } from '#sdk/mcp/question/incoming-call';
import type { Principal } from '#sdk/mcp/tools/principal';
import { Beats } from '../calls/beats.ts';
import { callerOf, envelopeOf, type CallingClient } from '../calls/caller.ts';
import type { Received } from '../calls/received.ts';
import type { OwnRequests } from '../calls/own-requests.ts';
import { serveJudged } from '../calls/serve-reading.ts';
import {
  errorFrame,
  errorOf,
  notPassedOn,
  progressTokenOf,
  resultFrame,
  rpcCodes,
  rpcError,
  RpcFault,
  textOfFrame,
  type Frame,
} from '../frames/frame.ts';
import type { CallFrame, JudgedFrame } from '../frames/judge-frame.ts';
import { resultIn } from '../frames/read-result.ts';
import { readUpstream } from '../frames/read-upstream.ts';
import { argumentHeaders, otherHeader } from './argument-headers.ts';
import { answerWith, ClientAnswer } from './client-answer.ts';
import { askOnStream, questionsOn } from './client-questions.ts';
import { CredentialRound } from './credential-round.ts';
import type { ToolDefinition } from '../tools/definition.ts';
import { CredentialsNeeded } from '../upstreams/credentials-needed.ts';
import { isOk, NoAnswer, sessionOf, UpstreamRefusal } from '../upstreams/upstream.ts';
import { askOwn, isAnswerTo, type Conversation } from './conversations.ts';
import { headersFor, mismatch } from './read-message.ts';
import { resumedMessages } from './resumed-messages.ts';
import type { UpstreamGate } from './upstream-gate.ts';
import type { Visit } from './visit.ts';

/** Milliseconds an upstream has to answer a call that was cancelled; after that no one knows what became of it. */
const lastWords = 10_000;
const gone = 'Connect again: the server has ended. Nothing was run.';

/** One call of a client over HTTP, with its ways to client and upstream. */
export class HttpCall implements Received {
  frame: JudgedFrame;
  readonly principal: Principal;
  readonly accessToken: string | undefined;
  readonly caller: CallingClient;
  readonly sendProgress: Received['sendProgress'];
  readonly delivery: Received['delivery'];
  readonly #gate: UpstreamGate;
  readonly #conversation: Conversation;
  readonly #visit: Visit;
  readonly #response: ServerResponse;
  readonly #answer: ClientAnswer;
  readonly #controller = new AbortController();
  /** Ends the exchange with the upstream. */
  readonly #exchange = new AbortController();
  readonly #beats = new Beats();
  readonly #questions: OwnRequests;
  readonly #credentials: CredentialRound;
  #hasRun = false;
  /** Its session ended while it was held. */
  #isLost = false;
  #loss: AbortSignal | null = null;
  readonly #onLoss = (): void => this.#lose();

  constructor(gate: UpstreamGate, conversation: Conversation, frame: JudgedFrame, visit: Visit) {
    const { visitor, response } = visit;
    this.frame = frame;
    this.principal = visitor.principal;
    this.accessToken = (gate.sendsTokens && visitor.token) || undefined;
    this.caller = callerOf(frame, conversation.connected);
    this.#gate = gate;
    this.#conversation = conversation;
    this.#visit = visit;
    this.#response = response;
    this.#answer = new ClientAnswer(response);
    this.#questions = questionsOn(this.#answer);
    this.delivery = {
      isTaken: this.#answer.isTaken.then((isTaken) => isTaken && !this.#isLost),
      isHeard: () => this.#answer.isHeard && !this.#isLost,
    };
    this.#credentials = new CredentialRound(gate, this.caller, visitor);
    const token = progressTokenOf(frame);
    this.sendProgress = token === undefined ? undefined : async (...beat) => this.#beat(token, ...beat);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  hasRun(): boolean {
    return this.#hasRun;
  }

  ask(...question: Parameters<Received['ask']>): Promise<ClientReply> {
    return askOnStream(this.#gate.place(), this.principal, this.#questions, question);
  }

  /** Until it is answered. Never rejects. */
  async serve(): Promise<void> {
    const { calls, questions } = this.#conversation;
    calls?.set(this.frame.id, this.#controller);
    questions.add(this.#questions);
    const end = (): void => this.#controller.abort(this.#gate.ending.reason);
    this.#gate.ending.addEventListener('abort', end, { once: true });
    this.#response.once('close', () => this.#leave());
    if (this.#response.destroyed) this.#leave();
    try {
      this.frame = await this.#credentials.admit(this.frame, this);
      const other = await this.#otherHeader();
      if (other !== null) return answerWith(this.#response, 400, errorFrame(this.frame.id, mismatch(other)));
      const result = await serveJudged(await this.#gate.shared(this.#conversation), this);
      this.#finish(resultFrame(this.frame.id, result));
    } catch (error) {
      if (error instanceof CredentialsNeeded) this.#finish(await this.#credentials.ask(error, this.frame));
      else await this.#fail(error);
    } finally {
      this.#gate.ending.removeEventListener('abort', end);
      this.#loss?.removeEventListener('abort', this.#onLoss);
      calls?.delete(this.frame.id);
      questions.delete(this.#questions);
    }
  }

  /** A session that is lost is found now: once the stream has begun, the client could no longer be told. */
  async beforeAsking(): Promise<void> {
    const { upstream } = this.#gate;
    const { headers } = this.#visit;
    if (sessionOf(headers) !== undefined) await askOwn(upstream, this.#visit, 'ping');
    this.#loss = await upstream.lossOf(headers);
    if (this.#loss?.aborted) this.#lose();
    this.#loss?.addEventListener('abort', this.#onLoss, { once: true });
  }

  /** Sends the call to the upstream; what it says on the way goes to the client. */
  async forward(frame: JudgedFrame, definition?: ToolDefinition): Promise<unknown> {
    this.signal.throwIfAborted();
    const more = definition && this.caller.isModern ? argumentHeaders(definition, argumentsOf(frame)) : {};
    this.#hasRun = true;
    const stop = (): void => this.#stopLater();
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#exchangeFor(frame, more);
    } catch (error) {
      if (error instanceof RpcFault || (error instanceof NoAnswer && error.isUnsent)) throw error;
      throw new Problem('outcome-unknown', { cause: error });
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  /** The arguments in a client's headers must be those that it calls with: something in between may read only the headers. */
  async #otherHeader(): Promise<string | null> {
    const { method, params } = this.frame;
    if (!this.caller.isModern || method !== 'tools/call') return null;
    const { name } = params as CallFrame['params'];
    if (isReservedTool(name)) return null; // the gateway's own
    const definition = await this.#conversation.tools.find(name, envelopeOf(this.frame));
    return definition ? otherHeader(definition, argumentsOf(this.frame), this.#visit.headers) : null;
  }

  async #exchangeFor(frame: JudgedFrame, more: Record<string, string>): Promise<unknown> {
    const { upstream, warn } = this.#gate;
    const { signal } = this.#exchange;
    const { visitor } = this.#visit;
    const headers = headersFor(this.#visit.headers, frame); // a tool of ours may go on with a call of another tool
    const exchange = { visitor, headers, signal };
    const answer = await upstream.ask({ ...exchange, method: 'POST', frame, more });
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    const isResumable = !this.caller.isModern && sessionOf(headers) !== undefined;
    const resume = (id: string) =>
      upstream.ask({ ...exchange, method: 'GET', headers: { ...headers, 'last-event-id': id } });
    const messages = resumedMessages(answer, { resume: isResumable ? resume : null, signal });
    for await (const { message: raw, id } of messages) {
      if (raw === null) continue;
      const message = await this.#gate.screen(raw, this.#conversation);
      if (message === null) continue;
      if ('fault' in message) {
        warn(`A message is dropped: ${message.fault}`);
        if (message.id === frame.id) throw new RpcFault(notPassedOn(message.fault));
      } else if (isAnswerTo(message.frame, frame.id)) return resultIn(message.frame);
      else if (message.frame.method === undefined) warn('It answered a request that is not of this stream.');
      else this.#answer.send(textOfFrame(this.#beats.raise(message.frame) ?? message.frame), id);
    }
    throw new Problem('outcome-unknown');
  }

  /** Since 2026-07-28 a closed stream cancels a call; before, the upstream was told or runs on. */
  #stopLater(): void {
    const reason = this.signal.reason;
    if (this.caller.isModern) return this.#exchange.abort(reason);
    const isCancelled = this.#answer.isHeard;
    if (isCancelled) setTimeout(() => this.#exchange.abort(reason), lastWords).unref();
  }

  #leave(): void {
    if (!this.#response.writableFinished)
      this.#controller.abort(new Problem('not-now', { detail: 'The client has gone.' }));
  }

  /** What was to run can no longer run in this session. Of a call that runs, its stream tells. */
  #lose(): void {
    if (this.#hasRun || this.signal.aborted) return;
    this.#isLost = true;
    this.#answer.end(errorFrame(this.frame.id, rpcError(rpcCodes.internal, 'unavailable', gone)));
    this.#controller.abort(new Problem('not-now', { detail: gone }));
  }

  #beat(progressToken: string | number, progress: number, message: string): void {
    this.#beats.note(progressToken, progress);
    const params = { progressToken, progress, message };
    this.#answer.send(textOfFrame({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }

  #finish(frame: Frame): void {
    if (this.#isLost) return;
    if (!this.signal.aborted || this.#gate.ending.aborted) return this.#answer.end(frame);
    this.#answer.begin(); // a cancelled call gets no answer
    this.#response.end();
  }

  async #fail(error: unknown): Promise<void> {
    const refusal = error instanceof UpstreamRefusal && !this.#answer.hasBegun ? error : null;
    const body = refusal && (await this.#shownBody(refusal));
    if (!refusal || body === null || this.#answer.hasBegun)
      return this.#finish(errorFrame(this.frame.id, errorOf(error)));
    this.#response.writeHead(refusal.status, { 'content-type': refusal.contentType });
    this.#response.end(body);
  }

  /** A message is shown like every other, though its request was refused; null if the client may not read it. */
  async #shownBody({ body, contentType }: UpstreamRefusal): Promise<string | null> {
    if (this.#gate.ownFiles.findSecret(body) !== null) return null;
    const read = readUpstream(Buffer.from(body));
    if ('fault' in read) return contentType.startsWith('application/json') && body !== '' ? null : body;
    const shown = await this.#gate.screen(read, this.#conversation);
    return shown && 'text' in shown ? shown.text : null;
  }
}

const argumentsOf = ({ params }: JudgedFrame): Record<string, unknown> =>
  (params as CallFrame['params']).arguments ?? {};
