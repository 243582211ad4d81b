import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '#platform/model/problem/problem';
import { rpcCodes, rpcError, RpcFault, type Frame } from '../../frames/frame/frame.ts';
import type { AnswerReservation } from './answer-budget.ts';
import { readUpstreamInTurns, type UpstreamLine } from '../../frames/reading/read-upstream.ts';
import type { Caller } from '../../identity/caller.ts';

/** An MCP server behind the gateway, over any transport: one request of HTTP becomes one answer. */
export interface Upstream {
  readonly name: string;
  /** The most calls that are held or run at a time. */
  readonly calls: number;
  /** The part of it that one caller may take. */
  readonly sharePerCaller: number;
  /** Milliseconds until it begins to answer. */
  readonly timeout: number;
  /** One server serves everyone; otherwise each person, or each session, has a process of its own. */
  readonly isShared: boolean;
  /** The answer, as soon as it begins; rejects with `NoAnswer`, or with the signal's reason. */
  ask(exchange: Exchange): Promise<UpstreamAnswer>;
  /** Rejects with the error to answer if this person cannot be served; is awaited before anything of a call begins. */
  admit?(caller: Caller): Promise<void>;
  /** Aborts when the session of these headers is lost, if the upstream runs here and so can tell. */
  lossOf(headers: IncomingHttpHeaders): Promise<AbortSignal | null>;
  /** Resolves when nothing of it is left on this machine. */
  close(): Promise<void>;
}

export interface Exchange {
  method: 'POST' | 'GET' | 'DELETE';
  /** For whom it is. */
  caller: Caller;
  /** Those of the client's request. */
  headers: IncomingHttpHeaders;
  /** What is posted. */
  frame?: Frame;
  /** What else the upstream is told in headers. */
  more?: Record<string, string>;
  signal: AbortSignal;
  /** What the answer takes of what is held; null for what the gateway asks for itself. */
  reservation: AnswerReservation | null;
}

interface AnswerHead {
  status: number;
  headers: Headers;
}

export interface StreamAnswer extends AnswerHead {
  isStream: true;
  events(): AsyncGenerator<UpstreamEvent>;
}

export interface TextAnswer extends AnswerHead {
  isStream: false;
  text(): Promise<string>;
}

export type UpstreamAnswer = StreamAnswer | TextAnswer;

export interface UpstreamEvent {
  /** Null in an event that only says where the client is to resume. */
  message: UpstreamLine | null;
  id?: string | undefined;
  /** Milliseconds after which the client is to come back, if the stream ends. */
  retry?: number | undefined;
}

/** Bytes of one message, in either direction. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** The messages of an answer: of a stream one after the other, else the one that its text is. */
export async function* messagesOf(answer: UpstreamAnswer): AsyncGenerator<UpstreamEvent> {
  if (answer.isStream) return yield* answer.events();
  const text = await answer.text();
  if (text.trim() !== '') yield { message: await readUpstreamInTurns(text) };
}

export const isOk = ({ status }: UpstreamAnswer): boolean => status >= 200 && status < 300;

/** The session of the client's request; undefined if it belongs to none. */
export function sessionOf({ 'mcp-session-id': id }: IncomingHttpHeaders): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The upstream did not answer. */
export class NoAnswer extends Problem {
  /** It was never given the request. */
  readonly isUnsent: boolean;

  constructor(cause: unknown) {
    super('unavailable', { detail: 'Try again later: the server cannot be reached.', cause });
    const { code } = (cause as { cause?: { code?: string } }).cause ?? {};
    this.isUnsent = code !== undefined && unsent.has(code);
  }
}

const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** The upstream refused the request itself, as it does for a session it does not know. */
export class UpstreamRefusal extends RpcFault {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;

  private constructor(status: number, body: string, contentType: string) {
    super(rpcError(rpcCodes.internal, 'unavailable', `Connect again: the server refused this with status ${status}.`));
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }

  static async of(answer: UpstreamAnswer): Promise<UpstreamRefusal> {
    const type = answer.headers.get('content-type') ?? 'text/plain';
    return new UpstreamRefusal(answer.status, answer.isStream ? '' : await answer.text(), type);
  }
}
