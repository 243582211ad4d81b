import { performance } from 'node:perf_hooks';
import { Problem } from '#platform/model/problem';
import { isObject } from '../frames/frame.ts';
import { digestTool, toolsIn, type ToolDefinition } from './definition.ts';

/** Asks the upstream for one page of its tools. */
type AskForTools = (params: Record<string, unknown>) => Promise<unknown>;

/** Page limit for an upstream that never ends its list. */
const maxPages = 100;
/** Limits of all known tools in characters, and of reading them in milliseconds: each page alone may be long and late. */
const [maxSize, maxReadMs] = [32 * 1024 * 1024, 30_000];

/** Tools as the upstream last described them, to this client or to the gateway itself. */
export class KnownTools {
  readonly #ask: AskForTools;
  readonly #lasts: number;
  /** Time at which the oldest known page was read. */
  #since: number | null = null;
  #tools = new Map<string, ToolDefinition>();
  readonly #digests = new WeakMap<ToolDefinition, Promise<string>>();
  /** Characters seen since then. */
  #size = 0;
  #isComplete = false;
  #reading: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * `lasts`: milliseconds after which tools are read again, for an upstream that may not report a change. They are kept no
   * longer, because ten thousand sessions may each hold a list.
   */
  constructor(ask: AskForTools, lasts = Number.POSITIVE_INFINITY) {
    this.#ask = ask;
    this.#lasts = lasts;
  }

  /**
   * The tool of exactly this name; undefined if the upstream lists none. `meta` is the part that its protocol requires of a
   * request.
   */
  async find(name: string, meta: Record<string, unknown>): Promise<ToolDefinition | undefined> {
    if (this.#since !== null && performance.now() - this.#since > this.#lasts) this.forget();
    if (!this.#tools.has(name) && !this.#isComplete) {
      this.#reading ??= this.#read(meta).finally(() => (this.#reading = null));
      await this.#reading;
    }
    return this.#tools.get(name);
  }

  /** True if the upstream has described nothing newer of this tool. */
  isCurrent(tool: ToolDefinition): boolean {
    return this.#tools.get(tool.name) === tool;
  }

  /** The digest of this definition, computed once. */
  digestOf(tool: ToolDefinition): Promise<string> {
    const digest = this.#digests.get(tool) ?? digestTool(tool);
    this.#digests.set(tool, digest);
    return digest;
  }

  /** Stores the upstream's latest description of these tools. */
  see(tools: ToolDefinition[]): void {
    if (this.#since === null) this.#begin();
    for (const tool of tools) this.#tools.set(tool.name, tool);
    this.#size += sizeOf(tools);
    if (this.#size > maxSize) this.forget();
  }

  /** Forgets the tools after the upstream reported a change; they are read again. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#tools = new Map();
    this.#since = null;
    this.#size = 0;
    this.#isComplete = false;
  }

  #begin(): void {
    this.#since = performance.now();
    if (Number.isFinite(this.#lasts)) this.#timer = setTimeout(() => this.forget(), this.#lasts).unref();
  }

  async #read(meta: Record<string, unknown>): Promise<void> {
    const before = this.#tools;
    const tools: ToolDefinition[] = [];
    const end = performance.now() + maxReadMs;
    let size = 0;
    let cursor: unknown;
    for (let page = 0; page < maxPages && performance.now() < end; page += 1) {
      const result = await this.#ask({ ...(cursor !== undefined && { cursor }), _meta: meta });
      tools.push(...toolsIn(result));
      size += sizeOf(result);
      if (size > maxSize) break;
      cursor = isObject(result) ? result['nextCursor'] : undefined;
      if (typeof cursor !== 'string') return this.#keep(before, tools);
    }
    throw new Problem('unavailable', {
      detail: 'Try again later: the server does not end its list of tools, or it is too long.',
    });
  }

  /** Stores a complete reading, unless the tools changed meanwhile. */
  #keep(before: Map<string, ToolDefinition>, tools: ToolDefinition[]): void {
    this.see(tools);
    this.#isComplete = before === this.#tools;
  }
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
