import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#platform/model/problem';
import {
  isOk,
  messagesOf,
  type UpstreamAnswer,
  type UpstreamEvent,
  NoAnswer,
  sessionOf,
  UpstreamRefusal,
  type AnswerReservation,
  type AnswerBudget,
  type Upstream,
} from '../upstreams/upstream.ts';
import { cancelTimeoutMs, AskedChanges } from '../calls/serve-call.ts';
import type { McpClient } from '../calls/connections.ts';
import { ranUnread, RpcFault, type Frame, type FrameId } from '../frames/frame.ts';
import { type JudgedFrame, attributeToServer, type Allowances, type TaskNames } from '../frames/mcp-words.ts';
import { resultIn, type UpstreamLine } from '../frames/reading.ts';
import type { AdmittedRequest } from './headers.ts';
import { isAnswerTo, sendOwn, type Conversation, Conversations, type Asking } from './conversations.ts';
import { headersFor } from './messages.ts';
import { setMaxListeners } from 'node:events';
import type { AssentryClient } from '#sdk/client/client';
import { randomHex } from '#sdk/client/digest';
import type { RunSettings } from '#sdk/mcp/run/run';
import { untilAllSettled } from '#sdk/mcp/run/settlements';
import { readSettings } from '#sdk/mcp/tools/own-tools';
import { Passes } from '../calls/passes.ts';
import { requesterOf } from '../calls/arguments.ts';
import { releaseUse } from '../calls/release.ts';
import { RefusedCalls } from '../calls/own-files.ts';
import { showAllowed } from '../calls/show-allowed.ts';
import { withholdSecretsInTurns, type OwnFiles } from '../own-files/own-files.ts';
import { plainNames, provenNames, type OwnedNames, OwnTasks } from '../identity/owned.ts';
import { CallerLimiter, shareOf, type MemoryBudget } from '../identity/limits.ts';
import { principalKey, type Caller } from '../identity/caller.ts';
import { openPins, type Pins, type Proposed } from '../tools/pins.ts';
import { type ShownTools, reportedPins, ToolReports } from '../tools/reports.ts';

interface Resuming {
  /** Requests the messages after this event; null if the upstream cannot be asked. */
  resume: ((lastEventId: string) => Promise<UpstreamAnswer>) | null;
  signal: AbortSignal;
}

/** Default pause before a stream is resumed, and the limits of what the upstream may set, in milliseconds. */
const [defaultPauseMs, minPauseMs, maxPauseMs] = [1_000, 100, 600_000];

/**
 * The messages of the answer to a call. Since 2025-11-25 an upstream may end a stream before the answer, and have the client
 * come back for the rest: this does so, also after a lost connection. The call is not sent again.
 */
export async function* resumedMessages(
  first: UpstreamAnswer,
  { resume, signal }: Resuming,
): AsyncGenerator<UpstreamEvent> {
  let lastId: string | undefined;
  let pause = defaultPauseMs;
  for (let answer = first; ;) {
    try {
      for await (const event of messagesOf(answer)) {
        lastId = event.id ?? lastId;
        pause = event.retry ?? pause;
        yield event;
      }
    } catch (error) {
      if (lastId === undefined || !resume || error instanceof Problem || signal.aborted) throw error;
    }
    if (lastId === undefined || !resume) return;
    await sleep(Math.min(Math.max(pause, minPauseMs), maxPauseMs), undefined, { signal });
    answer = await resume(lastId).catch(failed);
    if (!isOk(answer)) failed(answer.status);
  }
}

/** Reports an unknown outcome: the call has run, or runs, so no error is a refusal of it. */
function failed(cause: unknown): never {
  throw new Problem('outcome-unknown', { cause });
}

interface ExchangeParts {
  gate: UpstreamGate;
  conversation: Conversation;
  admitted: AdmittedRequest;
  mcpClient: McpClient;
  /** Takes the upstream's messages before the answer; the next message waits for it. */
  toClient(frame: Frame, id: string | undefined): Promise<void>;
}

/** The exchange of one call with its upstream. */
export class UpstreamExchange {
  readonly #parts: ExchangeParts;
  readonly #controller = new AbortController();
  #id: FrameId | undefined;
  /** Does the client know the event after which its stream resumes? */
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
   * Ends the exchange after the caller has left. Since 2026-07-28 a closed stream cancels a call at the upstream. Before, a
   * client that sent a cancellation leaves the upstream some time for its answer. If it was disconnected, a recorded call has
   * as long as the upstream has to begin, and any other call is cancelled.
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
    const headers = headersFor(admitted.headers, frame); // a tool of ours may continue with a call of another tool
    const exchange = { caller: admitted.caller, headers, signal, reservation: gate.reserveFor(admitted) };
    const answer = await upstream.ask({ ...exchange, method: 'POST', frame, more });
    if (!isOk(answer)) throw await UpstreamRefusal.of(answer);
    const isResumable = !mcpClient.isModern && sessionOf(headers) !== undefined;
    const resume = (id: string) =>
      upstream.ask({ ...exchange, method: 'GET', headers: { ...headers, 'last-event-id': id } });
    return resumedMessages(answer, { resume: isResumable ? resume : null, signal });
  }
}

export interface GateParts {
  /** Budget for messages of clients. */
  budget: MemoryBudget;
  /** Budget for messages of servers. */
  answers: AnswerBudget;
  /** Command or address of the upstream. */
  reaches: string;
  client: Promise<AssentryClient>;
  /** The folder of the accepted definitions. */
  pins: string;
  ownFiles: OwnFiles;
  /** Prints one line for the operator. */
  warn(sentence: string): void;
  /** Milliseconds a call is held; the default of all MCP servers if absent. */
  holdTimeoutMs?: number | undefined;
  allowances?: Allowances;
  /** Adds to descriptions of tools that their calls wait. */
  describesHeld?: boolean;
  /** Each person has their own sessions and tasks. */
  owning?: {
    /** Secret of all nodes, so that each can verify owners. If undefined, each node has its own. */
    secret: string | undefined;
  };
  /** Assentry gets the requesters' access tokens, to check them itself. */
  sendsTokens?: boolean;
}

/** One upstream behind the gateway, with everything that its requests share. */
export class UpstreamGate {
  readonly upstream: Upstream;
  readonly budget: MemoryBudget;
  readonly #answers: AnswerBudget;
  readonly conversations: Conversations;
  readonly reaches: string;
  readonly pins: Pins;
  readonly passes: Passes;
  readonly ownFiles: OwnFiles;
  readonly refusals: RefusedCalls;
  readonly sessions: OwnedNames;
  readonly sendsTokens: boolean;
  /** Milliseconds a call is held, if the operator set it. */
  readonly holdTimeoutMs: number | undefined;
  readonly allowances: Allowances;
  readonly warn: (sentence: string) => void;
  readonly #tasks: OwnTasks;
  readonly #limiter: CallerLimiter;
  readonly #describesHeld: boolean;
  readonly #client: Promise<AssentryClient>;
  readonly #settings: RunSettings;
  readonly #asServers: ReturnType<typeof attributeToServer>;
  readonly #changes: AskedChanges;
  readonly #reports: ToolReports;
  readonly #ending = new AbortController();
  readonly #work = new Set<Promise<void>>();

  constructor(
    upstream: Upstream,
    {
      budget,
      answers,
      reaches,
      client,
      pins,
      ownFiles,
      warn,
      holdTimeoutMs,
      allowances = {},
      describesHeld = false,
      owning,
      sendsTokens = false,
    }: GateParts,
  ) {
    setMaxListeners(0, this.#ending.signal); // each request listens
    this.upstream = upstream;
    this.budget = budget;
    this.#answers = answers;
    this.warn = (sentence) => warn(`${upstream.name}: ${sentence}`);
    this.conversations = new Conversations(upstream, { client, warn: this.warn, sendsTokens });
    this.#reports = new ToolReports(client);
    this.reaches = reaches;
    this.pins = reportedPins(openPins(pins, upstream.name, reaches), this.#reports);
    this.passes = new Passes(client);
    this.ownFiles = ownFiles;
    this.refusals = new RefusedCalls(client);
    this.#asServers = attributeToServer(upstream.name);
    this.sessions = owning ? provenNames('session', upstream.name, owning.secret) : plainNames;
    this.#tasks = new OwnTasks(provenNames('task', upstream.name, owning ? owning.secret : everyone));
    this.sendsTokens = sendsTokens;
    this.holdTimeoutMs = holdTimeoutMs;
    this.allowances = allowances;
    this.#limiter = new CallerLimiter(shareOf(upstream.calls, upstream.sharePerCaller));
    this.#describesHeld = describesHeld;
    this.#client = client;
    this.#settings = readSettings({ holdTimeoutMs });
    this.#changes = new AskedChanges(this.warn);
  }

  /** Aborts when the gateway ends. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  get isFull(): boolean {
    return this.#work.size >= this.upstream.calls;
  }

  /** Takes a place for a call of this person; returns how to leave it, or null if they have no place left. */
  acquire({ principal }: Caller): (() => void) | null {
    return this.#limiter.acquire(principalKey(principal));
  }

  /** Room for an upstream's answer, until the client has taken it or has gone. */
  reserveFor({ caller: { principal }, response }: Pick<AdmittedRequest, 'caller' | 'response'>): AnswerReservation {
    return this.#answers.reserveFor(principalKey(principal), response);
  }

  /** A message of the upstream as the client may read it; null if it gets none. */
  async showMessage(
    line: UpstreamLine,
    { connections }: Pick<Conversation, 'connections'>,
    client?: McpClient,
  ): Promise<UpstreamLine | null> {
    return connections.lead(this.#asServers(await withholdSecretsInTurns(line, this.ownFiles)), client?.info);
  }

  /**
   * Names of this client's tasks: they work for its person only, or for its session where people are unknown. Null if the
   * upstream itself keeps clients' tasks apart.
   */
  tasksOf({ caller: { principal }, headers }: Asking): TaskNames | null {
    const session = sessionOf(headers);
    if (!this.upstream.isShared || (!principal.verified && session === undefined)) return null;
    return this.#tasks.of(JSON.stringify([principalKey(principal), principal.verified ? null : session]));
  }

  /** Shared parts of all calls of this conversation. */
  async shared({ session, tools }: Pick<Conversation, 'session' | 'tools'>) {
    const { pins, passes, ownFiles, refusals, warn } = this;
    const shared = { pins, passes, ownFiles, refusals, warn };
    return { ...(await this.place()), ...shared, settings: this.#settings, session: session(), tools };
  }

  /** Is every result of a call of this conversation free, without a policy that has people release some? */
  async isFree({ latest: { caller }, connected }: Conversation): Promise<boolean> {
    const requester = requesterOf({ principal: caller.principal, mcpClient: connected });
    return (await this.passes.find(await releaseUse(requester))) !== null;
  }

  /** Assentry, and the server name used there. */
  async place() {
    return { client: await this.#client, server: this.upstream.name, reaches: this.reaches };
  }

  /** This page of tools, as the person of this conversation may see it. */
  show({ tools, latest }: Conversation, page: unknown): Promise<ShownTools> {
    const showing = {
      client: this.#client,
      tools,
      reaches: this.reaches,
      pins: this.pins,
      describesHeld: this.#describesHeld,
    };
    return showAllowed(showing, latest.caller.principal, page);
  }

  /** Asks approvers if something else runs under the upstream's name than they have accepted. */
  async askAboutServer(): Promise<void> {
    const change = await this.pins.changeOfServer().catch(() => null); // each call reports it
    const asking = async () => ({
      ...(await this.place()),
      pins: this.pins,
      settings: this.#settings,
      session: randomHex(),
    });
    if (change) await this.#changes.ask(asking, change, this.ending);
  }

  /** Asks approvers whether they accept the change; the next list then shows it. */
  askAbout(change: Proposed, conversation: Conversation): void {
    void this.#changes.ask(() => this.shared(conversation), change, this.ending);
  }

  /** Makes the gateway wait for this work when it ends. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** Ends held calls without running them. Resolves when Assentry has recorded their outcomes. */
  async close(reason: unknown): Promise<void> {
    this.#ending.abort(reason);
    await Promise.all(this.#work);
    const reported = [this.passes.close(), this.#reports.flush(), this.refusals.flush()];
    await Promise.all([...reported, this.upstream.close(), untilAllSettled()]);
  }
}

/** Owner where people are unknown: names keep clients apart, but protect from none of them. */
const everyone = 'everyone';
