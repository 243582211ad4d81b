import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '#sdk/client/digest';
import { supportsElicitation } from '#sdk/mcp/question/call';
import { Problem } from '#platform/model/problem';
import { connectingClient } from '../calls/connections.ts';
import {
  errorFrame,
  errorOf,
  isFrameId,
  isModern,
  lineOf,
  LineReader,
  metaKey,
  metaOf,
  paramsOf,
  resultFrame,
  RpcFault,
  type Frame,
  type FrameId,
} from '../frames/frame.ts';
import { sessionRevisions } from '../frames/mcp-words.ts';
import { readError, readUpstreamInTurns, resultIn, type UpstreamLine } from '../frames/reading.ts';
import { argumentHeaders } from '../http/call.ts';
import { headerText } from '../http/headers.ts';
import { nameOf } from '../http/messages.ts';
import type { Caller } from '../identity/caller.ts';
import { toolsIn, type ToolDefinition } from '../tools/definition.ts';
import { CredentialsNeeded } from '../upstreams/credentials.ts';
import type { ServerProcess } from '../upstreams/stdio.ts';
import {
  isOk,
  maxMessageBytes,
  messagesOf,
  NoAnswer,
  type Upstream,
  type UpstreamAnswer,
} from '../upstreams/upstream.ts';

interface RemoteParts {
  upstream: Upstream;
  caller: Caller;
  /** Resolves when the person has answered the page to which they were sent last. */
  untilAnswered(signal: AbortSignal): Promise<void>;
}

/** Milliseconds for the last request, which ends the session. */
const lastRequestMs = 1_500;
/** Milliseconds until a stream is opened again, if the server has not said. */
const pauseMs = 1_000;
/** How often a stream that broke off before its answer is resumed. */
const mostResumed = 5;

/** A server over HTTP, used like a process over standard streams by one client of any revision. */
export function openRemote(parts: RemoteParts): ServerProcess {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const session = new RemoteSession(parts, stdout);
  const reader = new LineReader(maxMessageBytes, { onLine: (line) => session.take(line), onTooLong: () => {} });
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      reader.push(chunk);
      done();
    },
  });
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (end = resolve));
  const stop = async (): Promise<void> => {
    await session.close();
    stdout.end();
    stderr.end();
    end(0);
  };
  return { stdin, stdout, stderr, ended, stop };
}

/** A session with the server; `id` is null if the server names none. */
interface Session {
  id: string | null;
  version: string;
}

/**
 * One client's conversation with a server over HTTP. If the server takes no one without credentials, the client is connected
 * all the same: it is told where its person connects them, and that the lists have changed as soon as they have.
 */
class RemoteSession {
  readonly #parts: RemoteParts;
  readonly #stdout: PassThrough;
  readonly #ending = new AbortController();
  readonly #running = new Map<FrameId, AbortController>();
  readonly #definitions = new Map<string, ToolDefinition>();
  readonly #question = randomHex();
  /** The client's `initialize`. */
  #first: Frame | null = null;
  #session: Session | null = null;
  /** The person has not connected the credentials without which the server takes no one. */
  #needed: CredentialsNeeded | null = null;
  #meeting: Promise<void> | null = null;
  /** The server knows that the client is initialized. */
  #ready: Promise<void> = Promise.resolve();

  constructor(parts: RemoteParts, stdout: PassThrough) {
    this.#parts = parts;
    this.#stdout = stdout;
  }

  /** Takes one line of the relay. */
  take(line: Buffer): void {
    const frame = JSON.parse(line.toString()) as Frame; // the relay has written it
    const serving = this.#ready.then(() => this.#serve(frame)).catch((error: unknown) => this.#fail(frame, error));
    if (frame.method === initialized.method) this.#ready = serving;
  }

  async close(): Promise<void> {
    this.#ending.abort(new Problem('shutting-down'));
    if (this.#session?.id == null) return;
    const leaving = this.#exchange('DELETE', undefined, AbortSignal.timeout(lastRequestMs)).then(drain);
    await leaving.catch(() => {}); // the server forgets it by itself
  }

  async #serve(frame: Frame): Promise<void> {
    if (frame.method === 'initialize') return this.#begin(frame);
    if (frame.method === undefined && frame.id === this.#question) return; // they see the page themselves
    if (this.#needed && !(await this.#isConnected(frame, this.#needed))) return;
    if (frame.method === 'notifications/cancelled' && this.#cancel(paramsOf(frame)['requestId'])) return;
    await this.#pass(frame);
    if (frame.method === initialized.method) void this.#listen();
  }

  async #begin(frame: Frame): Promise<void> {
    this.#first = frame;
    try {
      for (const message of await this.#introduce(frame)) await this.#tell(message);
    } catch (error) {
      if (!(error instanceof CredentialsNeeded)) throw error;
      this.#need(error);
      await this.#write(resultFrame(frame.id as FrameId, welcome(frame, error)));
    }
  }

  #need(error: CredentialsNeeded): void {
    const isOther = this.#needed?.url !== error.url;
    this.#needed = error;
    if (isOther) void this.#awaitPerson();
  }

  /** Begins a session with the server. Resolves with its messages, the answer last. */
  async #introduce(frame: Frame): Promise<UpstreamLine[]> {
    this.#session = null;
    const answer = await this.#exchange('POST', frame, this.#ending.signal);
    if (!isOk(answer)) throw await refusalIn(answer);
    const messages: UpstreamLine[] = [];
    for await (const { message } of messagesOf(answer)) {
      if (message === null) continue;
      messages.push(message);
      if (!('frame' in message) || message.frame.id !== frame.id) continue;
      const { protocolVersion: version } = (message.frame['result'] ?? {}) as Record<string, unknown>;
      this.#session = { id: answer.headers.get('mcp-session-id'), version: String(version ?? '') };
      return messages;
    }
    throw new Problem('unavailable', { detail: 'Try again later: the server gave no answer.' });
  }

  /** Is the person connected by now? Else answers a request of the client with what its person has to do. */
  async #isConnected(frame: Frame, needed: CredentialsNeeded): Promise<boolean> {
    if (frame.method === initialized.method) await this.#sendThere(needed);
    if (!isRequest(frame)) return false;
    if (frame.method === 'ping') await this.#write(resultFrame(frame.id as FrameId, {}));
    if (frame.method === 'ping') return false;
    await this.#meet();
    return true;
  }

  /** Sends the person to the page, if the client opens addresses for them. */
  async #sendThere(needed: CredentialsNeeded): Promise<void> {
    const { capabilities } = connectingClient(this.#first as Frame);
    if (needed.url === null || !supportsElicitation(capabilities, 'url')) return;
    const params = { mode: 'url', elicitationId: randomHex(), url: needed.url, message: needed.sentence };
    await this.#write({ jsonrpc: '2.0', id: this.#question, method: 'elicitation/create', params });
  }

  /** Begins the session as soon as the person has connected what it needs. */
  async #awaitPerson(): Promise<void> {
    const { signal } = this.#ending;
    try {
      await this.#parts.untilAnswered(signal);
      if (this.#needed) await this.#meet();
    } catch {
      // the next request of the client says what to do
    }
  }

  /** Begins the session once, however many requests wait for it, and tells the client that the lists have changed. */
  #meet(): Promise<void> {
    this.#meeting ??= this.#meetAgain()
      .then(async () => {
        this.#needed = null;
        for (const list of lists) await this.#write({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
      })
      .finally(() => (this.#meeting = null));
    return this.#meeting;
  }

  async #meetAgain(): Promise<void> {
    const first = this.#first as Frame;
    for (const message of await this.#introduce(first)) if ('frame' in message) resultIn(message.frame);
    const answer = await this.#exchange('POST', initialized, this.#ending.signal);
    await drain(answer);
    void this.#listen();
  }

  async #pass(frame: Frame): Promise<void> {
    const controller = new AbortController();
    const signal = AbortSignal.any([this.#ending.signal, controller.signal]);
    const id = isRequest(frame) ? (frame.id as FrameId) : null;
    if (id !== null && isModern(frame)) this.#running.set(id, controller);
    try {
      const answer = await this.#ask(frame, signal);
      if (id === null) return await drain(answer);
      if (!isOk(answer)) throw await refusalIn(answer);
      await this.#takeAnswer(frame, answer, signal);
    } finally {
      if (id !== null) this.#running.delete(id);
    }
  }

  /** A session that the server has forgotten took no message: it is begun again, and the message sent again. */
  async #ask(frame: Frame, signal: AbortSignal): Promise<UpstreamAnswer> {
    const session = this.#session;
    const answer = await this.#exchange('POST', frame, signal);
    if (answer.status !== 404 || session?.id == null || isModern(frame)) return answer;
    await drain(answer);
    if (this.#session === session) {
      this.#meeting ??= this.#meetAgain().finally(() => (this.#meeting = null));
      await this.#meeting;
    }
    return this.#exchange('POST', frame, signal);
  }

  /** Tells the client all messages up to the answer. A stream that breaks off before it is resumed where it ended. */
  async #takeAnswer(frame: Frame, first: UpstreamAnswer, signal: AbortSignal): Promise<void> {
    let [answer, place, pause] = [first, undefined as string | undefined, pauseMs];
    for (let resumed = 0; ; resumed += 1) {
      try {
        for await (const { message, id, retry } of messagesOf(answer)) {
          [place, pause] = [id ?? place, retry ?? pause];
          if (message === null) continue;
          await this.#tell(message, frame);
          if (isAnswerTo(message, frame)) return;
        }
      } catch (error) {
        if (place === undefined || signal.aborted) throw error;
      }
      if (place === undefined || resumed === mostResumed) throw new NoAnswer(new Error('The stream has ended.'));
      await sleep(pause, undefined, { signal });
      answer = await this.#exchange('GET', undefined, signal, place);
      if (!answer.isStream) throw await refusalIn(answer);
    }
  }

  /** The server's own messages, outside of any answer, for as long as the session lasts and the server offers that. */
  async #listen(): Promise<void> {
    const { signal } = this.#ending;
    const session = this.#session;
    let [place, pause] = [undefined as string | undefined, pauseMs];
    while (session !== null && this.#session === session && !signal.aborted) {
      try {
        const answer = await this.#exchange('GET', undefined, signal, place);
        if (!answer.isStream) return await drain(answer);
        for await (const { message, id, retry } of answer.events()) {
          [place, pause] = [id ?? place, retry ?? pause];
          if (message !== null) await this.#tell(message);
        }
      } catch {
        // it is opened again
      }
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Since 2026-07-28 the end of its stream cancels a request. True if nothing has to be sent. */
  #cancel(id: unknown): boolean {
    const controller = isFrameId(id) ? this.#running.get(id) : undefined;
    controller?.abort(new Problem('not-now', { detail: 'The client cancelled this.' }));
    return controller !== undefined;
  }

  #exchange(
    method: 'POST' | 'GET' | 'DELETE',
    frame: Frame | undefined,
    signal: AbortSignal,
    place?: string,
  ): Promise<UpstreamAnswer> {
    const { upstream, caller } = this.#parts;
    const headers = this.#headersOf(frame, place);
    const more = frame && this.#argumentsOf(frame);
    return upstream.ask({
      method,
      caller,
      headers,
      signal,
      reservation: null,
      ...(frame && { frame }),
      ...(more && { more }),
    });
  }

  #headersOf(frame: Frame | undefined, place: string | undefined): IncomingHttpHeaders {
    const accept = frame ? 'application/json, text/event-stream' : 'text/event-stream';
    const session = this.#session;
    if (frame && isModern(frame)) {
      const name = nameOf(frame);
      return {
        accept,
        'mcp-protocol-version': String(metaOf(frame)[metaKey('protocolVersion')]),
        'mcp-method': String(frame.method),
        ...(name !== undefined && { 'mcp-name': headerText(name) }),
      };
    }
    return {
      accept,
      ...(session?.id != null && { 'mcp-session-id': session.id }),
      ...(session && { 'mcp-protocol-version': session.version }),
      ...(place !== undefined && { 'last-event-id': place }),
    };
  }

  /** The arguments that a definition names for headers, since 2026-07-28. */
  #argumentsOf(frame: Frame): Record<string, string> | undefined {
    const { name, arguments: args = {} } = paramsOf(frame);
    const definition = this.#definitions.get(String(name));
    if (frame.method !== 'tools/call' || !isModern(frame) || !definition) return undefined;
    return argumentHeaders(definition, args as Record<string, unknown>);
  }

  async #tell(message: UpstreamLine, frame?: Frame): Promise<void> {
    if ('fault' in message) {
      const id = message.id ?? (frame && isRequest(frame) ? (frame.id as FrameId) : null);
      if (id !== null)
        await this.#write(errorFrame(id, errorOf(new Problem('unavailable', { detail: message.fault }))));
      return;
    }
    for (const tool of toolsIn(message.frame['result'])) this.#definitions.set(tool.name, tool);
    await this.#send(`${message.text.replaceAll(/[\r\n]+/g, ' ')}\n`);
  }

  /** Answers a request that got no answer of the server. */
  async #fail(frame: Frame, error: unknown): Promise<void> {
    if (!isRequest(frame) || this.#ending.signal.aborted) return;
    if (error instanceof CredentialsNeeded && this.#first && this.#session === null) this.#need(error);
    const isLost = frame.method === 'tools/call' && error instanceof NoAnswer && !error.isUnsent;
    await this.#write(errorFrame(frame.id as FrameId, errorOf(isLost ? new Problem('outcome-unknown') : error)));
  }

  #write(frame: Frame): Promise<void> {
    return this.#send(lineOf(frame));
  }

  async #send(line: string): Promise<void> {
    const { signal } = this.#ending;
    if (signal.aborted || this.#stdout.write(line)) return;
    await once(this.#stdout, 'drain', { signal }).catch(() => {}); // it has ended
  }
}

const lists = ['tools', 'prompts', 'resources'];
const initialized: Frame = { jsonrpc: '2.0', method: 'notifications/initialized' };

const isRequest = ({ id, method }: Frame): boolean => method !== undefined && isFrameId(id);

const isAnswerTo = (message: UpstreamLine, { id }: Frame): boolean =>
  'fault' in message ? message.id === id : message.frame.method === undefined && message.frame.id === id;

/** What the client gets of a server that takes no one without credentials: lists that change later. */
function welcome(frame: Frame, needed: CredentialsNeeded): Record<string, unknown> {
  const { protocolVersion: version } = paramsOf(frame);
  const isKnown = sessionRevisions.includes(String(version));
  return {
    protocolVersion: isKnown ? version : sessionRevisions.at(-1),
    capabilities: Object.fromEntries(lists.map((list) => [list, { listChanged: true }])),
    serverInfo: { name: 'assentry', version: '0' },
    instructions: needed.error.message,
  };
}

async function drain(answer: UpstreamAnswer): Promise<void> {
  if (!answer.isStream) return void (await answer.text().catch(() => {}));
  for await (const _ of answer.events()) break;
}

/** The error in an answer with a status that refuses. */
async function refusalIn(answer: UpstreamAnswer): Promise<Error> {
  const text = answer.isStream ? '' : await answer.text();
  const message = text.trim() === '' ? null : await readUpstreamInTurns(text);
  if (message && 'frame' in message && message.frame['error'] !== undefined)
    return new RpcFault(readError(message.frame['error']));
  if (answer.status >= 500) return new NoAnswer(new Error(`It answered ${answer.status}.`));
  const detail = `Look at the server, or at what it needs: it answered ${answer.status}. Nothing was run.`;
  return new Problem('unavailable', { detail });
}
