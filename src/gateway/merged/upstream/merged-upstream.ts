import type { IncomingHttpHeaders } from 'node:http';
import { headersFor } from '../../http/messages/read-message.ts';
import { isObject, rpcCodes, rpcError, RpcFault, type Frame } from '../../frames/frame/frame.ts';
import { textInTurns } from '../../frames/frame/large-text.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import { resultIn } from '../../frames/reading/read-result.ts';
import {
  isOk,
  messagesOf,
  UpstreamRefusal,
  type Exchange,
  type Upstream,
  type UpstreamAnswer,
} from '../../upstreams/upstream/upstream.ts';
import { forClient } from './for-client.ts';
import type { UpstreamSession } from '../names/opaque-token.ts';

/** A request of a client, as it is passed on. */
export interface ForwardedRequest extends Pick<Exchange, 'method' | 'caller' | 'headers' | 'signal' | 'reservation'> {
  frame?: Frame;
  /** Absent for a request without a session. */
  session?: UpstreamSession | undefined;
}

/** What an upstream answered to a question. */
export interface AnsweredRequest {
  result: Record<string, unknown>;
  session: string | null;
  /** What it sent before the answer, as the client reads it. */
  before: string[];
}

/** One of the upstreams that a client sees as one server. It is asked at its own address, where everything is judged. */
export class MergedUpstream {
  readonly name: string;
  readonly #upstream: Upstream;
  readonly #outward: (frame: Frame) => Frame;
  readonly #warn: (sentence: string) => void;
  #isMissing = false;

  constructor(upstream: Upstream, warn: (sentence: string) => void) {
    this.name = upstream.name;
    this.#upstream = upstream;
    this.#outward = forClient(upstream.name);
    this.#warn = (sentence) => warn(`${upstream.name}: ${sentence}`);
  }

  pass({ session, headers, frame, ...exchange }: ForwardedRequest): Promise<UpstreamAnswer> {
    const own = { headers: knownHeaders(headers, frame, session), ...(frame && { frame }) };
    return this.#upstream.ask({ ...exchange, ...own });
  }

  /** Its result; rejects with its error, or if it gives none. */
  async ask(forwarded: ForwardedRequest & { frame: Frame }): Promise<AnsweredRequest> {
    const answer = await this.pass(forwarded);
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    const before: string[] = [];
    for await (const { message } of messagesOf(answer)) {
      if (message === null) continue;
      if (!('frame' in message) || message.frame.method !== undefined) before.push(...(await this.#shown(message)));
      else return { result: this.#resultIn(message.frame), session: answer.headers.get('mcp-session-id'), before };
    }
    throw new RpcFault(rpcError(rpcCodes.internal, 'unavailable', 'The server gave no answer.'));
  }

  /** What the client reads of a message, in one line; null if it cannot be read. */
  async show(message: UpstreamLine): Promise<string | null> {
    if ('fault' in message) {
      this.#warn(`A message is dropped: ${message.fault}`);
      return null;
    }
    const frame = this.#outward(message.frame);
    return frame === message.frame ? message.text.replaceAll(/[\r\n]+/g, ' ') : textInTurns(frame);
  }

  /** Says once that it is left out. */
  miss(error: unknown): void {
    if (!this.#isMissing) this.#warn(`It is left out: ${error instanceof Error ? error.message : String(error)}`);
    this.#isMissing = true;
  }

  /** It is there again. */
  meet(): void {
    this.#isMissing = false;
  }

  async #shown(message: UpstreamLine): Promise<string[]> {
    const text = await this.show(message);
    return text === null ? [] : [text];
  }

  #resultIn(frame: Frame): Record<string, unknown> {
    const result = resultIn(this.#outward(frame));
    return isObject(result) ? result : {};
  }
}

/** The client's headers, with the values that the upstream gave for them. */
const knownHeaders = (
  { 'mcp-session-id': _session, ...headers }: IncomingHttpHeaders,
  frame: Frame | undefined,
  session: UpstreamSession | undefined,
): IncomingHttpHeaders => ({
  ...headersFor(headers, frame),
  ...(session?.id && { 'mcp-session-id': session.id }),
  ...(session && { 'mcp-protocol-version': session.version }),
});

/** Does this error mean that the server has no such method? */
export const isUnknownMethod = (error: unknown): boolean =>
  error instanceof RpcFault && error.error.code === rpcCodes.methodNotFound;
