import { setMaxListeners } from 'node:events';
import type { AssentryClient } from '#sdk/client/client';
import { randomHex } from '#sdk/client/digest/hex';
import type { RunSettings } from '#sdk/mcp/run/run/run';
import { untilAllSettled } from '#sdk/mcp/run/settlements/pending-settlements';
import { readSettings } from '#sdk/mcp/tools/own-tools/options';
import { AskedChanges } from '../../calls/serve-call/asked-changes.ts';
import { Passes } from '../../calls/passes.ts';
import type { McpClient } from '../../calls/connections/mcp-client.ts';
import { requesterOf } from '../../calls/arguments/received.ts';
import { releaseUse } from '../../calls/release/release-tool.ts';
import { RefusedCalls } from '../../calls/own-files.ts';
import { showAllowed } from '../../calls/show-allowed.ts';
import { attributeToServer } from '../../frames/mcp-words/attribute-to-server.ts';
import type { UpstreamLine } from '../../frames/reading/read-upstream.ts';
import { withholdSecretsInTurns } from '../../own-files/own-files/withhold-secrets.ts';
import type { Allowances } from '../../frames/mcp-words/judge-frame.ts';
import { plainNames, provenNames, type OwnedNames } from '../../identity/owned/owned-names.ts';
import { CallerLimiter, shareOf } from '../../identity/limits/caller-limiter.ts';
import type { MemoryBudget } from '../../identity/limits/memory-budget.ts';
import { principalKey, type Caller } from '../../identity/caller.ts';
import type { OwnFiles } from '../../own-files/own-files/own-files.ts';
import { openPins, type Pins, type Proposed } from '../../tools/pins/pins.ts';
import type { ShownTools } from '../../tools/reports/show-tools.ts';
import { reportedPins, ToolReports } from '../../tools/reports/tool-reports.ts';
import { OwnTasks } from '../../identity/owned/own-tasks.ts';
import type { TaskNames } from '../../frames/mcp-words/task-names.ts';
import type { AnswerReservation, AnswerBudget } from '../../upstreams/upstream/answer-budget.ts';
import { sessionOf, type Upstream } from '../../upstreams/upstream/upstream.ts';
import type { AdmittedRequest } from '../headers/admitted-request.ts';
import { Conversations, type Asking, type Conversation } from '../headers/conversations.ts';

export interface GateParts {
  /** For the messages of clients. */
  budget: MemoryBudget;
  /** For those of servers. */
  answers: AnswerBudget;
  /** What the upstream runs or where it is. */
  reaches: string;
  client: Promise<AssentryClient>;
  /** The folder of the accepted definitions. */
  pins: string;
  ownFiles: OwnFiles;
  /** Prints one line for the operator. */
  warn(sentence: string): void;
  /** Milliseconds a call is held; as for every MCP server if absent. */
  holdTimeoutMs?: number | undefined;
  allowances?: Allowances;
  /** Descriptions of tools say so if their calls wait. */
  describesHeld?: boolean;
  /** Each person has sessions and tasks of their own. */
  owning?: {
    /** The same at all nodes, so that each can verify whose they are. If undefined, each node has its own. */
    secret: string | undefined;
  };
  /** Assentry gets the requesters' access tokens, to check them itself. */
  sendsTokens?: boolean;
}

/** One upstream behind the gateway, with all that its requests share. */
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
  /** Milliseconds a call is held, if the operator has said so. */
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

  /** Takes a place for a call of this person, which is left when they are done; null if they have all that one may. */
  acquire({ principal }: Caller): (() => void) | null {
    return this.#limiter.acquire(principalKey(principal));
  }

  /** Room for what the upstream answers, until the client has taken that or has gone. */
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
   * How the tasks of this client are called: they are of use to its person, or where no one is known to its session. Null
   * if the upstream can tell no others' from them.
   */
  tasksOf({ caller: { principal }, headers }: Asking): TaskNames | null {
    const session = sessionOf(headers);
    if (!this.upstream.isShared || (!principal.verified && session === undefined)) return null;
    return this.#tasks.of(JSON.stringify([principalKey(principal), principal.verified ? null : session]));
  }

  /** What all calls of this conversation share. */
  async shared({ session, tools }: Pick<Conversation, 'session' | 'tools'>) {
    const { pins, passes, ownFiles, refusals, warn } = this;
    const shared = { pins, passes, ownFiles, refusals, warn };
    return { ...(await this.place()), ...shared, settings: this.#settings, session: session(), tools };
  }

  /** Is every result of a call of this conversation free, or does a policy have people release some? */
  async isFree({ latest: { caller }, connected }: Conversation): Promise<boolean> {
    const requester = requesterOf({ principal: caller.principal, mcpClient: connected });
    return (await this.passes.find(await releaseUse(requester))) !== null;
  }

  /** To whom it asks, and by which name. */
  async place() {
    return { client: await this.#client, server: this.upstream.name, reaches: this.reaches };
  }

  /** This page of tools, as the person of this conversation may see it. */
  show({ tools, latest }: Conversation, page: unknown): Promise<ShownTools> {
    const showing = { client: this.#client, tools, pins: this.pins, describesHeld: this.#describesHeld };
    return showAllowed(showing, latest.caller.principal, page);
  }

  /** Asks approvers if something else runs under the upstream's name than they have accepted. */
  async askAboutServer(): Promise<void> {
    const change = await this.pins.changeOfServer().catch(() => null); // each call says so
    const asking = async () => ({
      ...(await this.place()),
      pins: this.pins,
      settings: this.#settings,
      session: randomHex(),
    });
    if (change) await this.#changes.ask(asking, change, this.ending);
  }

  /** Asks approvers whether they accept it; the next list shows it then. */
  askAbout(change: Proposed, conversation: Conversation): void {
    void this.#changes.ask(() => this.shared(conversation), change, this.ending);
  }

  /** Waits for this work when the gateway ends. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }

  /** What is held does not run. Resolves when what became of the calls is recorded at Assentry. */
  async close(reason: unknown): Promise<void> {
    this.#ending.abort(reason);
    await Promise.all(this.#work);
    const reported = [this.passes.close(), this.#reports.flush(), this.refusals.flush()];
    await Promise.all([...reported, this.upstream.close(), untilAllSettled()]);
  }
}

/** Where no one is known, names keep clients apart, and protect from no one. */
const everyone = 'everyone';
