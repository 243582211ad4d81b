import type { ServerResponse } from 'node:http';
import { isReservedTool } from '#platform/model/names';
import { Problem } from '#platform/model/problem/problem';
import type { ClientReply } from '#sdk/mcp/question/call/incoming-call';
import type { Principal } from '#sdk/mcp/tools/principal/principal';
import { ProgressOffsets } from '../../calls/connections/progress-offsets.ts';
import { clientOf, envelopeOf, type McpClient } from '../../calls/connections/mcp-client.ts';
import type { Received } from '../../calls/arguments/received.ts';
import type { OwnRequests } from '../../calls/connections/own-requests.ts';
import { serveJudged } from '../../calls/serve-reading.ts';
import {
  errorFrame,
  errorOf,
  progressTokenOf,
  resultFrame,
  rpcCodes,
  rpcError,
  textOfFrame,
  type Frame,
} from '../../frames/frame/frame.ts';
import type { CallFrame, JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import { textInTurns } from '../../frames/frame/large-text.ts';
import { readUpstream } from '../../frames/reading/read-upstream.ts';
import { argumentHeaders, otherHeader } from './argument-headers.ts';
import { hasRun, initialCall, transition, type CallEvent } from './call-state.ts';
import { answerWith, answerWithText, ClientAnswer, isJsonType } from '../messages/client-answer.ts';
import { askOnStream, questionsOn } from '../messages/client-questions.ts';
import { CredentialRound } from './credential-round.ts';
import type { ToolDefinition } from '../../tools/definition/definition.ts';
import { outwardResult, outwardTasks } from '../../frames/mcp-words/task-names.ts';
import { CredentialsNeeded } from '../../upstreams/credentials/credentials-needed.ts';
import { sessionOf, UpstreamRefusal } from '../../upstreams/upstream/upstream.ts';
import { askOwn, type Conversation } from '../headers/conversations.ts';
import { mismatch } from '../messages/read-message.ts';
import { UpstreamExchange } from '../upstream/upstream-exchange.ts';
import type { UpstreamGate } from '../upstream/upstream-gate.ts';
import type { AdmittedRequest } from '../headers/admitted-request.ts';
import { onceClosed } from '../../upstreams/upstream/once-closed.ts';

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
  /** What becomes of it is kept by Assentry: it does not run by a pass. */
  #isRecorded = false;
  /** Aborts when its session with the upstream ends. */
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

  /** Its client no longer waits for it. */
  cancel(): void {
    this.#leave('cancel', new Problem('not-now', { detail: 'The client cancelled this call.' }));
  }

  ask(...question: Parameters<Received['ask']>): Promise<ClientReply> {
    return askOnStream(this.#gate.place(), this.principal, this.#questions, question);
  }

  /** Until it is answered. Never rejects. */
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

  /** Checks that the session lives: once the stream to the client has begun, its answer can no longer be a status. */
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

  /** The arguments in a client's headers must be those that it calls with: something in between may read only the headers. */
  async #otherHeader(): Promise<string | null> {
    const { method, params } = this.frame;
    if (!this.mcpClient.isModern || method !== 'tools/call') return null;
    const { name } = params as CallFrame['params'];
    if (isReservedTool(name)) return null; // the gateway's own
    const definition = await this.#conversation.tools.find(name, envelopeOf(this.frame));
    return definition ? otherHeader(definition, argumentsOf(this.frame), this.#admitted.headers) : null;
  }

  /** Takes the event and returns whether it changed anything. Throws if nothing may follow from it. */
  #dispatch(event: CallEvent): boolean {
    const next = transition(this.#state, event);
    if (next === null) throw new Problem('internal');
    const hasChanged = next !== this.#state;
    this.#state = next;
    return hasChanged;
  }

  /** The first time, everything that waits for this call ends, and a call that runs is stopped as far as it can be. */
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

  /** As a bad request, if the answer has not begun. */
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

  /** A message is shown like every other, though its request was refused; null if the client may not read it. */
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
