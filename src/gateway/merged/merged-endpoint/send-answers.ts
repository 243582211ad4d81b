import type { ServerResponse } from 'node:http';
import {
  errorFrame,
  errorOf,
  resultFrame,
  rpcCodes,
  RpcFault,
  textOfFrame,
  type Frame,
  type FrameId,
} from '../../frames/frame/frame.ts';
import { answerWith, answerWithText, endWith, eventOf, streamHeaders } from '../../http/messages/client-answer.ts';
import { idOf } from '../../http/messages/read-message.ts';
import { UpstreamRefusal } from '../../upstreams/upstream/upstream.ts';

interface MergedAnswer {
  result: Record<string, unknown>;
  /** What the upstreams said on the way to it. */
  before: string[];
  headers?: Record<string, string>;
}

/** Answers a request, with what came before in the same stream. */
export function sendResult(
  { response, forwarded }: { response: ServerResponse; forwarded: { frame: Frame } },
  { result, before, headers = {} }: MergedAnswer,
): void {
  const text = textOfFrame(resultFrame(forwarded.frame.id as FrameId, result));
  const type = before.length === 0 ? { 'content-type': 'application/json' } : streamHeaders;
  response.writeHead(200, { ...type, ...headers });
  endWith(response, before.length === 0 ? text : [...before, text].map((message) => eventOf(message)).join(''));
}

/** Takes a message that is not answered. */
export async function sendAccepted(response: ServerResponse): Promise<void> {
  response.writeHead(202).end();
}

/** Says why there is no answer: as the upstream did, with its status, if it refused the request itself. */
export function sendRefusal(response: ServerResponse, frame: Frame | undefined, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (error instanceof UpstreamRefusal)
    return answerWithText(response, error.status, { text: error.body, type: error.contentType });
  answerWith(response, statusOf(error), errorFrame(frame ? idOf(frame) : null, errorOf(error)));
}

function statusOf(error: unknown): number {
  if (!(error instanceof RpcFault)) return 502;
  return error.error.code === rpcCodes.invalidRequest ? 400 : 200;
}
