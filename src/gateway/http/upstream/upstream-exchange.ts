import { Problem } from '#platform/model/problem/problem';
import { cancelTimeoutMs } from '../../calls/serve-call/cancel-timeout.ts';
import type { McpClient } from '../../calls/connections/mcp-client.ts';
import { ranUnread, RpcFault, type Frame, type FrameId } from '../../frames/frame/frame.ts';
import type { JudgedFrame } from '../../frames/mcp-words/judge-frame.ts';
import { resultIn } from '../../frames/reading/read-result.ts';
import { isOk, NoAnswer, sessionOf, UpstreamRefusal } from '../../upstreams/upstream/upstream.ts';
import { isAnswerTo, sendOwn, type Conversation } from '../headers/conversations.ts';
import { headersFor } from '../messages/read-message.ts';
import { resumedMessages } from './resumed-messages.ts';
import type { UpstreamGate } from './upstream-gate.ts';
import type { AdmittedRequest } from '../headers/admitted-request.ts';

interface ExchangeParts {
  gate: UpstreamGate;
  conversation: Conversation;
  admitted: AdmittedRequest;
  mcpClient: McpClient;
  /** Takes the upstream's messages on the way to the answer; the next one waits for it. */
  toClient(frame: Frame, id: string | undefined): Promise<void>;
}

/** The exchange of one call with its upstream. */
export class UpstreamExchange {
  readonly #parts: ExchangeParts;
  readonly #controller = new AbortController();
  #id: FrameId | undefined;
  /** The client was told where it can go on after it was disconnected. */
  #isResumable = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  /** Resolves with the result; rejects with the upstream's error, or with `outcome-unknown` if the call may have run. */
  async run(frame: JudgedFrame, more: Record<string, string>): Promise<unknown> {
    this.#id = frame.id;
    try {
      return await this.#resultOf(frame, more);
    } catch (error) {
      if (error instanceof RpcFault || (error instanceof NoAnswer && error.isUnsent)) throw error;
      throw new Problem('outcome-unknown', { cause: error });
    } finally {
      this.#isOver = true;
      clearTimeout(this.#timer);
    }
  }

  /**
   * The caller has left. Since 2026-07-28 a closed stream cancels a call at the upstream. Before, the client has sent a
   * cancellation, which gives the upstream some time for its answer, or it was disconnected: then what is recorded has as
   * long as the upstream has to begin, and what no one waits for is cancelled.
   */
  stop(reason: unknown, { isConnected, isRecorded }: { isConnected: boolean; isRecorded: boolean }): void {
    const { gate, mcpClient } = this.#parts;
    if (mcpClient.isModern || (!isConnected && !isRecorded && this.#isResumable)) return this.#controller.abort(reason);
    if (isConnected) return this.#later(cancelTimeoutMs, () => this.#controller.abort(reason));
    this.#later(isRecorded ? gate.upstream.timeout : 0, () => this.#cancel(reason, isRecorded));
  }

  #cancel(reason: unknown, isRecorded: boolean): void {
    const { gate, admitted } = this.#parts;
    const params = { requestId: this.#id, reason: 'Its client has gone.' };
    const frame: Frame = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    void sendOwn(gate.upstream, admitted, frame).catch(() => {}); // it has gone as well
    this.#later(isRecorded ? cancelTimeoutMs : 0, () => this.#controller.abort(reason));
  }

  #later(ms: number, work: () => void): void {
    if (!this.#isOver) this.#timer = setTimeout(work, ms).unref();
  }

  async #resultOf(frame: JudgedFrame, more: Record<string, string>): Promise<unknown> {
    const { gate, conversation, mcpClient, toClient } = this.#parts;
    for await (const { message: raw, id } of await this.#messages(frame, more)) {
      if (raw === null) continue;
      const message = await gate.showMessage(raw, conversation, mcpClient);
      if (message === null) continue;
      if ('fault' in message) {
        gate.warn(`A message is dropped: ${message.fault}`);
        if (message.id === frame.id) throw new RpcFault(ranUnread(message.fault));
      } else if (isAnswerTo(message.frame, frame.id)) return resultIn(message.frame);
      else if (message.frame.method === undefined) gate.warn('It answered a request that is not of this stream.');
      else await toClient(message.frame, id);
      this.#isResumable ||= id !== undefined;
    }
    throw new Problem('outcome-unknown');
  }

  async #messages(frame: JudgedFrame, more: Record<string, string>) {
    const { gate, admitted, mcpClient } = this.#parts;
    const { upstream } = gate;
    const { signal } = this.#controller;
    const headers = headersFor(admitted.headers, frame); // a tool of ours may go on with a call of another tool
    const exchange = { caller: admitted.caller, headers, signal, reservation: gate.reserveFor(admitted) };
    const answer = await upstream.ask({ ...exchange, method: 'POST', frame, more });
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    const isResumable = !mcpClient.isModern && sessionOf(headers) !== undefined;
    const resume = (id: string) =>
      upstream.ask({ ...exchange, method: 'GET', headers: { ...headers, 'last-event-id': id } });
    return resumedMessages(answer, { resume: isResumable ? resume : null, signal });
  }
}
