import type { ServerResponse } from 'node:http';
import { errorFrame, notPassedOn } from '../../frames/frame/frame.ts';
import { readUpstreamInTurns, type UpstreamLine } from '../../frames/reading/read-upstream.ts';
import { isOk, type StreamAnswer, type UpstreamAnswer } from '../../upstreams/upstream/upstream.ts';
import {
  answerWith,
  answerWithText,
  beat,
  endWith,
  eventOf,
  heartbeat,
  isJsonType,
  streamHeaders,
  writeTo,
} from './client-answer.ts';
import { onceClosed } from '../../upstreams/upstream/once-closed.ts';

/** What a client gets of an answer. */
interface Showing {
  /** A message as the client may read it, in one line; null if no one may. */
  show(message: UpstreamLine): string | null | Promise<string | null>;
  /** Where the client resumes after a message, from where the upstream would. */
  place(id: string): string;
  /** Whether a text that is no message may be read by no one. */
  hides?(text: string): boolean;
  /** The upstream's headers that it gets. */
  headers: readonly string[];
  /** How the client names a session, if not as the upstream does. */
  session?(id: string): string;
}

/** Sends an upstream's answer to the client, message by message. */
export async function sendAnswer(answer: UpstreamAnswer, response: ServerResponse, showing: Showing): Promise<void> {
  const pairs = showing.headers.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, name === 'mcp-session-id' ? (showing.session?.(value) ?? value) : value]];
  });
  const headers = Object.fromEntries(pairs) as Record<string, string>;
  if (answer.isStream) return sendStream(answer, response, showing, headers);
  const type = answer.headers.get('content-type') ?? '';
  const text = await answer.text();
  const isJson = isJsonType(type) && text !== '';
  if (text !== '' && !isJson && (isOk(answer) || showing.hides?.(text)))
    return answerWith(response, 502, errorFrame(null, notPassedOn('it is neither JSON nor a stream of events.')));
  const shown = isJson ? ((await showing.show(await readUpstreamInTurns(text))) ?? '') : text;
  answerWithText(response, answer.status, { text: shown, type, headers });
}

async function sendStream(
  answer: StreamAnswer,
  response: ServerResponse,
  { show, place }: Showing,
  headers: Record<string, string>,
): Promise<void> {
  response.writeHead(answer.status, { ...headers, ...streamHeaders });
  response.flushHeaders();
  const beats = beatUntilClosed(response);
  for await (const { message, id } of answer.events()) {
    const text = message === null ? '' : await show(message);
    if (text !== null) await writeTo(response, eventOf(text, id === undefined ? id : place(id)));
    if (response.destroyed) return;
  }
  clearInterval(beats);
  endWith(response);
}

/** Keeps proxies and clients from taking a stream without messages for dead. */
export function beatUntilClosed(response: ServerResponse): NodeJS.Timeout {
  const timer = setInterval(() => beat(response), heartbeat);
  onceClosed(response, () => clearInterval(timer));
  return timer;
}
