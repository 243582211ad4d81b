import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { errorFrame, errorOf, isObject, notPassedOn, textOfFrame, type Frame } from '../frames/frame.ts';
import { readUpstream, type UpstreamLine } from '../frames/read-upstream.ts';
import { toolsIn } from '../tools/definition.ts';
import { showTools } from '../tools/show-tools.ts';
import { isOk, type StreamAnswer, type UpstreamAnswer } from '../upstreams/upstream.ts';
import { answerWith, eventOf, streamHeaders } from './client-answer.ts';
import type { Conversation } from './conversations.ts';
import type { UpstreamGate } from './upstream-gate.ts';

/** The upstream's headers that a client gets. */
const passedOn = ['mcp-session-id', 'mcp-protocol-version', 'allow', 'retry-after'];

/** Passes an answer on as it comes, but for the tools it shows: those are only the ones whose definition is accepted. */
export async function passAnswer(
  gate: UpstreamGate,
  conversation: Conversation,
  answer: UpstreamAnswer,
  response: ServerResponse,
): Promise<void> {
  const pairs = passedOn.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const headers = Object.fromEntries(pairs) as Record<string, string>;
  if (answer.isStream) return passStream(gate, conversation, answer, response, headers);
  const type = answer.headers.get('content-type') ?? '';
  const text = await answer.text();
  const isJson = type.startsWith('application/json') && text !== '';
  if (isOk(answer) && text !== '' && !isJson)
    return answerWith(response, 502, errorFrame(null, notPassedOn('it is neither JSON nor a stream of events.')));
  response.writeHead(answer.status, { ...headers, ...(type !== '' && { 'content-type': type }) });
  response.end(isJson ? ((await shownText(gate, conversation, readUpstream(Buffer.from(text)))) ?? '') : text);
}

async function passStream(
  gate: UpstreamGate,
  conversation: Conversation,
  answer: StreamAnswer,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  response.writeHead(answer.status, { ...headers, ...streamHeaders });
  response.flushHeaders();
  for await (const { message, id } of answer.events()) {
    const text = message === null ? '' : await shownText(gate, conversation, message);
    const isTaken = text === null || response.write(eventOf(text, id));
    if (!isTaken && !response.destroyed) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (response.destroyed) return;
  }
  response.end();
}

/** The message as the client may read it, in one line; null if no one may. */
async function shownText(gate: UpstreamGate, conversation: Conversation, read: UpstreamLine): Promise<string | null> {
  if ('fault' in read) {
    gate.warn(`A message is dropped: ${read.fault}`);
    return read.id === null ? null : textOfFrame(errorFrame(read.id, notPassedOn(read.fault)));
  }
  const { frame, text } = read;
  if (frame.method === 'notifications/tools/list_changed') conversation.tools.forget();
  if (!isObject(frame['result']) || !Array.isArray(frame['result']['tools'])) return text.replaceAll(/[\r\n]+/g, ' ');
  return textOfFrame(await withShownTools(gate, conversation, frame));
}

/** Whatever was asked for: a stream that is resumed repeats answers of earlier requests. */
async function withShownTools(gate: UpstreamGate, conversation: Conversation, frame: Frame): Promise<Frame> {
  conversation.tools.see(toolsIn(frame['result']));
  try {
    const { result, blocked } = await showTools(frame['result'], gate.pins);
    for (const change of blocked) gate.askAbout(change, conversation);
    return { ...frame, result };
  } catch (error) {
    return errorFrame(frame.id as string | number, errorOf(error));
  }
}
