import { Problem } from '#platform/model/problem';
import { cancelTimeoutMs, AskedChanges, askPerson } from '../calls/serve-call.ts';
import {
  lineOf,
  type Frame,
  type FrameId,
  errorFrame,
  errorOf,
  idInUse,
  isFrameId,
  isObject,
  notPassedOn,
  ranUnread,
  progressTokenOf,
  resultFrame,
  rpcCodes,
  rpcError,
  textOfFrame,
} from '../frames/frame.ts';
import { type JudgedFrame, attributeToServer, judgeLine, type Allowances } from '../frames/mcp-words.ts';
import { resultIn, readUpstream, type UpstreamLine } from '../frames/reading.ts';
import type { AssentryClient } from '#sdk/client/client';
import { randomHex } from '#sdk/client/digest';
import type { RunSettings } from '#sdk/mcp/run/run';
import {
  ProgressOffsets,
  clientOf,
  connectingClient,
  unknownClient,
  Connections,
  isOwnId,
  OwnRequests,
} from '../calls/connections.ts';
import type { Passes } from '../calls/passes.ts';
import type { RefusedCalls } from '../calls/own-files.ts';
import { serveJudged } from '../calls/serve-reading.ts';
import { showAllowed } from '../calls/show-allowed.ts';
import { localPrincipal } from '../identity/caller.ts';
import { type OwnFiles, withholdSecrets } from '../own-files/own-files.ts';
import { toolsIn } from '../tools/definition.ts';
import { KnownTools } from '../tools/known-tools.ts';
import type { Pins, Proposed } from '../tools/pins.ts';
import { type ShownTools, hasWords, listOf, showWords } from '../tools/reports.ts';

/** One call between its arrival and its answer. */
class InFlightCall {
  readonly frame: JudgedFrame;
  /** True when the transport has taken the answer; false if it never does. */
  readonly isTaken: Promise<boolean>;
  readonly #controller = new AbortController();
  readonly #send: (line: string) => void;
  #hasRun = false;
  #settle: ((frame: Frame) => void) | null = null;
  #lose: ((error: unknown) => void) | null = null;
  #tellTaken: (isTaken: boolean) => void = () => {};

  constructor(frame: JudgedFrame, send: (line: string) => void) {
    this.frame = frame;
    this.#send = send;
    this.isTaken = new Promise((resolve) => (this.#tellTaken = resolve));
  }

  get id(): FrameId {
    return this.frame.id;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once the upstream was given the call. */
  get hasRun(): boolean {
    return this.#hasRun;
  }

  /** True while the upstream has the call and has not answered. */
  get isRunning(): boolean {
    return this.#settle !== null;
  }

  /** Sends the call to the upstream. */
  async forward(frame: JudgedFrame): Promise<unknown> {
    this.signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<Frame>((resolve, reject) => {
      this.#settle = resolve;
      this.#lose = reject;
      const give = (): void => void (timer = setTimeout(() => reject(new Problem('outcome-unknown')), cancelTimeoutMs));
      this.signal.addEventListener('abort', give, { once: true });
    });
    this.#hasRun = true;
    this.#send(lineOf(frame));
    try {
      const answer = await answered;
      if (isLost(answer)) throw new Problem('outcome-unknown');
      return resultIn(answer);
    } finally {
      clearTimeout(timer);
      this.#settle = null;
      this.#lose = null;
    }
  }

  /** Takes the upstream's answer. */
  answer(frame: Frame): void {
    this.#settle?.(frame);
  }

  /** Ends a running call because the upstream has gone. */
  lose(): void {
    this.#lose?.(new Problem('outcome-unknown'));
  }

  /** Ends the wait of the client. */
  abort(): void {
    this.#controller.abort(new Problem('not-now', { detail: 'The client cancelled this call.' }));
    this.#tellTaken(false);
  }

  /** Notes that the answer is on its way to the client. */
  deliver(sent: Promise<boolean>): void {
    void sent.then(this.#tellTaken);
  }
}

/** Does a server elsewhere leave open whether the call ran? */
function isLost({ error }: Frame): boolean {
  const { data } = isObject(error) ? error : {};
  return isObject(data) && data['code'] === 'outcome-unknown';
}

/** The two sides, and a channel to the operator. */
interface Sides {
  /** Resolves with whether the client's transport has taken the line. */
  toClient(line: string): Promise<boolean>;
  toUpstream(line: string): void;
  warn(sentence: string): void;
}

interface RelayOptions {
  /** The orchestrator; calls wait for it, other messages pass meanwhile. */
  client: Promise<AssentryClient>;
  settings: RunSettings;
  server: string;
  /** Reach of the upstream. */
  reaches: string;
  pins: Pins;
  passes: Passes;
  ownFiles: OwnFiles;
  refusals: RefusedCalls;
  allowances?: Allowances | undefined;
  /** Adds to descriptions of tools that their calls wait. */
  describesHeld?: boolean | undefined;
}

/** Milliseconds the upstream has to list its tools to the gateway. */
const listTime = 30_000;

/**
 * One client's connection to one upstream. Everything passes unchanged except tools that a client calls or sees: a call reaches
 * the upstream only by `serveCall`.
 */
export class Relay {
  readonly #sides: Sides;
  readonly #options: RelayOptions;
  readonly #session = randomHex();
  readonly #calls = new Map<FrameId, InFlightCall>();
  readonly #lists = new Set<FrameId>();
  readonly #serving = new Set<Promise<void>>();
  readonly #changes = new AskedChanges((sentence) => this.#sides.warn(sentence));
  readonly #ending = new AbortController();
  readonly #progressOffsets = new ProgressOffsets();
  readonly #toUpstream = new OwnRequests((frame) => this.#sides.toUpstream(lineOf(frame)));
  readonly #toClient = new OwnRequests((frame) => void this.#sides.toClient(lineOf(frame)));
  readonly #tools = new KnownTools((params) => this.#toUpstream.ask('tools/list', params, { timeout: listTime }));
  readonly #asServers: ReturnType<typeof attributeToServer>;
  readonly #connections: Connections;
  /** Queue of the upstream's messages behind one that waits for its page; null if none waits. */
  #waiting: Promise<void> | null = null;
  #connected = unknownClient;
  /** The client as its latest call named it. */
  #latest = unknownClient;

  constructor(sides: Sides, options: RelayOptions) {
    this.#sides = sides;
    this.#options = options;
    this.#asServers = attributeToServer(options.server);
    this.#connections = new Connections({
      ...options,
      bound: () => this.#bound(),
      toUpstream: (frame) => sides.toUpstream(lineOf(frame)),
      warn: (sentence) => sides.warn(sentence),
    });
  }

  /** Asks approvers if something else runs under the server's name than they have accepted. */
  askAboutServer(): void {
    this.#track(this.#askAboutServer());
  }

  /** Takes one line of the client. */
  fromClient(line: Buffer): void {
    if (line.length === 0) return;
    const judged = judgeLine(line, this.#options.allowances);
    if (judged.kind === 'refuse') return this.#tell(errorFrame(judged.id, judged.error));
    if (judged.kind === 'drop') return;
    const { frame } = judged;
    if (judged.kind === 'call') {
      this.#latest = clientOf(judged.frame, this.#connected);
      return this.#take(judged.frame);
    }
    if (judged.kind === 'cancel' && this.#cancel(judged.id)) return;
    if (judged.kind === 'answer') {
      if (this.#toClient.settle(frame) || isOwnId(judged.id)) return;
      this.#connections.onClientAnswer(frame);
    }
    if (judged.kind === 'list') {
      if (this.#isBusy(judged.id)) return this.#tell(errorFrame(judged.id, idInUse));
      this.#lists.add(judged.id);
    }
    if (frame.method === 'initialize') this.#connected = connectingClient(frame);
    this.#sides.toUpstream(lineOf(frame));
  }

  /** Refuses a line of the client that was too long to be read. */
  refuseLong(limit: number): void {
    const message = `Send less: a message may have ${limit} bytes.`;
    this.#tell(errorFrame(null, rpcError(rpcCodes.invalidRequest, 'body-too-large', message)));
  }

  /** Takes one line of the upstream. */
  fromUpstream(line: Buffer): void {
    if (line.length === 0) return;
    const read = this.#asServers(withholdSecrets(readUpstream(line), this.#options.ownFiles));
    const led = this.#connections.lead(read, this.#latest.info);
    if (!this.#waiting && !(led instanceof Promise)) return this.#passOn(led);
    const waiting = Promise.all([led, this.#waiting]).then(([message]) => {
      if (this.#waiting === waiting) this.#waiting = null;
      this.#passOn(message);
    });
    this.#waiting = waiting;
  }

  #passOn(message: UpstreamLine | null): void {
    if (message === null) return;
    if ('fault' in message) return this.#refuseUpstream(message.fault, message.id);
    const { frame, text } = message;
    if (frame.method === undefined) return this.#answerFrom(frame, text);
    if (frame.method === 'notifications/tools/list_changed') this.#tools.forget();
    const raised = frame.method === 'notifications/progress' ? this.#progressOffsets.raise(frame) : null;
    void this.#sides.toClient(raised ? lineOf(raised) : `${text}\n`);
  }

  /** Ends held calls, unrun, because the client has gone. */
  leave(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  /**
   * Handles the loss of the upstream: held calls are answered and do not run; the outcome of the others is unknown. Resolves
   * when that is recorded.
   */
  async lose(): Promise<void> {
    await this.#waiting;
    this.#ending.abort(new Problem('shutting-down'));
    this.#toUpstream.close();
    this.endHeld();
    for (const call of this.#calls.values()) call.lose();
    await Promise.all(this.#serving);
  }

  /** Answers held calls; none of them runs. */
  endHeld(): void {
    for (const call of this.#calls.values())
      if (!call.isRunning) this.#end(call, new Problem('unavailable', { detail: gone }));
  }

  /** Answers all open calls when this process ends: their outcome is unknown. */
  endAll(): void {
    for (const call of this.#calls.values()) this.#end(call, new Problem('outcome-unknown'));
  }

  #end(call: InFlightCall, problem: Problem): void {
    if (call.signal.aborted) return;
    this.#tell(errorFrame(call.id, errorOf(problem)));
    call.abort();
  }

  #isBusy(id: FrameId): boolean {
    return this.#calls.has(id) || this.#lists.has(id);
  }

  #take(frame: JudgedFrame): void {
    if (this.#isBusy(frame.id)) return this.#tell(errorFrame(frame.id, idInUse));
    const call = new InFlightCall(frame, (line) => this.#sides.toUpstream(line));
    this.#calls.set(frame.id, call);
    this.#track(this.#serve(call));
  }

  #track(work: Promise<void>): void {
    const serving = work.finally(() => this.#serving.delete(serving));
    this.#serving.add(serving);
  }

  async #serve(call: InFlightCall): Promise<void> {
    const token = progressTokenOf(call.frame);
    const answer = await this.#resultOf(call, token).catch((error) => errorFrame(call.id, errorOf(error)));
    this.#calls.delete(call.id);
    this.#progressOffsets.forget(token);
    if (call.signal.aborted) return;
    call.deliver(this.#sides.toClient(lineOf(answer)));
  }

  async #resultOf(call: InFlightCall, token: FrameId | undefined): Promise<Frame> {
    const shared = await this.#shared();
    const result = await serveJudged(shared, {
      frame: call.frame,
      principal: localPrincipal(),
      mcpClient: clientOf(call.frame, this.#connected),
      signal: call.signal,
      delivery: { isTaken: call.isTaken, isConnected: () => !call.signal.aborted },
      sendProgress: token === undefined ? undefined : (progress, message) => this.#beat(token, progress, message),
      ask: (question, limits) => askPerson(this.#toClient, question, limits),
      forward: (frame) => call.forward(frame),
      hasRun: () => call.hasRun,
    });
    return resultFrame(call.id, result);
  }

  async #beat(progressToken: FrameId, progress: number, message: string): Promise<void> {
    this.#progressOffsets.note(progressToken, progress);
    const params = { progressToken, progress, message };
    await this.#sides.toClient(lineOf({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }

  /** True if the call has not reached the upstream, so that the upstream needs no message. */
  #cancel(id: unknown): boolean {
    const call = isFrameId(id) ? this.#calls.get(id) : undefined;
    const isHeld = call !== undefined && !call.isRunning;
    call?.abort();
    return isHeld;
  }

  #answerFrom(frame: Frame, text: string): void {
    const { id } = frame;
    if (this.#toUpstream.settle(frame) || isOwnId(id)) return;
    const call = isFrameId(id) ? this.#calls.get(id) : undefined;
    if (call?.isRunning) return call.answer(frame);
    if (call) return this.#sides.warn('It answered a call that it was never given; the answer is dropped.');
    if (isFrameId(id) && this.#lists.delete(id)) return void this.#showTools(frame, id);
    const words = frame['result'];
    if (isFrameId(id) && hasWords(words)) return void this.#show(frame, id, () => showWords(words, this.#options.pins));
    void this.#sides.toClient(`${text}\n`);
  }

  async #showTools(frame: Frame, id: FrameId): Promise<void> {
    if (frame['result'] === undefined) return this.#tell(frame);
    this.#tools.see(toolsIn(frame['result']));
    const { client, pins, reaches, describesHeld } = this.#options;
    const showing = { client, tools: this.#tools, reaches, pins, describesHeld };
    await this.#show(frame, id, () => showAllowed(showing, localPrincipal(), frame['result']));
  }

  /** Gives the client the accepted part of a result, and asks approvers about changes. */
  async #show(frame: Frame, id: FrameId, accepted: () => Promise<ShownTools>): Promise<void> {
    try {
      const { result, blocked, unaccepted = [] } = await accepted();
      for (const change of [...blocked, ...unaccepted]) this.#track(this.#askAbout(change));
      this.#tell({ ...frame, result });
    } catch (error) {
      this.#tell(errorFrame(id, errorOf(error)));
    }
  }

  async #askAboutServer(): Promise<void> {
    const change = await this.#options.pins.changeOfServer().catch(() => null); // each call reports it
    if (change) await this.#askAbout(change);
  }

  /** Asks approvers; after they accept, notifies the client that the list has changed. */
  async #askAbout(change: Proposed): Promise<void> {
    if (!(await this.#changes.ask(() => this.#shared(), change, this.#ending.signal))) return;
    this.#tools.forget();
    const method = listOf(change);
    if (method !== null) this.#tell({ jsonrpc: '2.0', method });
  }

  #bound() {
    const { info } = this.#connected;
    return { requester: { ...localPrincipal(), ...(info && { client: info }) }, session: this.#session };
  }

  async #shared() {
    const { warn } = this.#sides;
    return { ...this.#options, client: await this.#options.client, tools: this.#tools, session: this.#session, warn };
  }

  /** Drops a message that two readers could read differently; a waiting client gets an error. */
  #refuseUpstream(fault: string, id: FrameId | null): void {
    this.#sides.warn(`A message is dropped: ${fault}`);
    if (id === null) return;
    const hasRun = this.#calls.has(id);
    const answer = errorFrame(id, hasRun ? ranUnread(fault) : notPassedOn(fault));
    this.#answerFrom(answer, textOfFrame(answer));
  }

  #tell(frame: Frame): void {
    void this.#sides.toClient(lineOf(frame));
  }
}

const gone = 'Start the server again: it has ended. Nothing was run.';
