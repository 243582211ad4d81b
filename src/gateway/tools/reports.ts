import type { AssentryClient, ReportTools } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { maxReportedTools, SeenTool } from '#access/keys/contract/key';
import { isReservedTool, readingTools } from '#platform/model/names';
import { digestTool, type ToolDefinition, judgeTool, isTool } from './definition.ts';
import { type Change, type Pins, isServerPin, type Proposed, type Unaccepted } from './pins.ts';
import { isObject } from '../frames/frame.ts';
import { z } from 'zod';
import { awaitTool } from '#sdk/mcp/tools/tasks';

type Reported = ReportTools['tools'][number];

interface Sight {
  tool: ToolDefinition;
  change: Change | null;
  isAccepted: boolean;
}

/** Milliseconds from the first sight that is not reported yet to its report, and to the next try of one that failed. */
const reportsAfter = 250;
const triesAgainAfter = 10_000;
/** Milliseconds after which a tool that is still seen is reported again, although it is the same. */
const againAfter = 600_000;
/** Milliseconds for a report; no call waits for it. */
const reportTime = 5_000;
/** An upstream with more tools is reported in part. */
const maxKept = 1_000;

/** Tells Assentry which tools one upstream has, so that people can see it. Nothing is decided by it. */
export class ToolReports {
  readonly #client: Promise<Pick<AssentryClient, 'reportTools'>>;
  readonly #now: () => number;
  /** When a definition was last noted, and with which change. */
  readonly #noted = new WeakMap<ToolDefinition, { changed: string | null; isAccepted: boolean; at: number }>();
  /** What was reported, by the tool's name. */
  readonly #reported = new Map<string, { text: string; at: number }>();
  readonly #due = new Map<string, Sight>();
  #timer: NodeJS.Timeout | undefined;

  /** `now` never goes back. */
  constructor(client: Promise<Pick<AssentryClient, 'reportTools'>>, now = () => performance.now()) {
    this.#client = client;
    this.#now = now;
  }

  /** Reports this sight soon, if it is news. */
  note(tool: ToolDefinition, change: Change | null, isAccepted = true): void {
    const changed = change?.digest ?? null;
    const at = this.#now();
    const noted = this.#noted.get(tool);
    if (noted?.changed === changed && noted.isAccepted === isAccepted && at - noted.at < againAfter) return;
    this.#noted.set(tool, { changed, isAccepted, at });
    if (this.#due.size >= maxKept && !this.#due.has(tool.name)) return;
    this.#due.set(tool.name, { tool, change, isAccepted });
    this.#reportIn(reportsAfter);
  }

  /** Reports what is due. Never rejects: what could not be reported is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sights = [...this.#due.values()].slice(0, maxReportedTools);
    for (const { tool } of sights) this.#due.delete(tool.name);
    try {
      await this.#report(sights);
    } catch {
      for (const sight of sights) if (!this.#due.has(sight.tool.name)) this.#due.set(sight.tool.name, sight);
      return this.#reportIn(triesAgainAfter);
    }
    if (this.#due.size > 0) await this.flush();
  }

  async #report(sights: Sight[]): Promise<void> {
    const tools = (await Promise.all(sights.map(reportOf))).filter((tool) => this.#isNews(tool));
    if (tools.length === 0) return;
    const client = await this.#client;
    const at = this.#now();
    await withDeadline(reportTime, undefined, (signal) => client.reportTools({ tools }, { signal }));
    for (const tool of tools)
      if (this.#reported.size < maxKept) this.#reported.set(tool.name, { text: textOf(tool), at });
  }

  /** A tool with a name that MCP does not have cannot be called. */
  #isNews(tool: Reported): boolean {
    const last = this.#reported.get(tool.name);
    const isOld = last?.text === textOf(tool) && this.#now() - last.at < againAfter;
    return !isOld && SeenTool.safeParse(tool).success;
  }

  #reportIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref();
  }
}

/** The same pins; what they say of a tool is reported. */
export const reportedPins = (pins: Pins, reports: ToolReports): Pins => ({
  async changeOf(tool) {
    const change = await pins.changeOf(tool);
    const isOfServer = change !== null && isServerPin(change.definition);
    // instructions and prompts are no tools
    if (!isReservedTool(tool.name) && !isOfServer)
      reports.note(tool, change, (await pins.standingOf(tool)) === 'accepted');
    return change;
  },
  changeOfServer: () => pins.changeOfServer(),
  standingOf: (tool) => pins.standingOf(tool),
  stand: (tools, standing) => pins.stand(tools, standing),
  accept: (change) => pins.accept(change),
});

/** A claim to read only that no one has accepted is not reported as a hint. */
async function reportOf({ tool, change, isAccepted }: Sight): Promise<Reported> {
  const definition = await digestTool(change?.accepted ?? tool);
  const judged = await judgeTool(tool, await digestTool(tool), async () => isAccepted);
  const { title: _, ...hints } = judged.annotations;
  const annotations = judged.unaccepted ? { ...hints, readOnlyHint: false } : hints;
  return { name: tool.name, annotations, definition, changed: change?.digest ?? null };
}

const textOf = (tool: Reported): string => JSON.stringify(tool);

/** Under these names they are pinned and asked about; no tool of a server has one. */
const instructionsName = 'assentry.instructions';
const promptName = (name: string): string => `${readingTools['prompts/get']}.${name}`;

/** Does this result say what models read of a server before they call anything: its instructions, or its prompts? */
export const hasWords = (result: unknown): result is Record<string, unknown> =>
  isObject(result) && (typeof result['instructions'] === 'string' || Array.isArray(result['prompts']));

interface ShownWords {
  result: Record<string, unknown>;
  /** What is kept from the client, because it has changed. */
  blocked: Change[];
}

/** The same result without instructions and prompts that say something else than what was accepted. They are pinned as tools are. */
export async function showWords(result: Record<string, unknown>, pins: Pins): Promise<ShownWords> {
  const { instructions, prompts, ...rest } = result;
  const greeting = typeof instructions === 'string' ? await pins.changeOf(asInstructions(instructions)) : null;
  const all: unknown[] = Array.isArray(prompts) ? prompts : [];
  const changes = await Promise.all(all.map((prompt) => changeOfPrompt(prompt, pins)));
  const shown = all.filter((_prompt, at) => changes[at] === null);
  return {
    result: {
      ...rest,
      ...(instructions !== undefined && !greeting && { instructions }),
      ...(prompts !== undefined && { prompts: Array.isArray(prompts) ? shown : prompts }),
    },
    blocked: [greeting, ...changes].filter((change) => change !== null),
  };
}

const asInstructions = (text: string): ToolDefinition => ({ name: instructionsName, description: text });

/** The notification for clients after such a change was accepted; new instructions take effect with the next connection. */
export const listOf = (proposed: Proposed): string | null => {
  if ('tools' in proposed) return 'notifications/tools/list_changed';
  const { name } = proposed.definition;
  if (name === instructionsName) return null;
  return name.startsWith(promptName('')) ? 'notifications/prompts/list_changed' : 'notifications/tools/list_changed';
};

/** Null also for what is no prompt: no client reads it. */
async function changeOfPrompt(prompt: unknown, pins: Pins): Promise<Change | null> {
  if (!isObject(prompt) || typeof prompt['name'] !== 'string') return null;
  const { title, description, arguments: args } = prompt;
  return pins.changeOf({ name: promptName(prompt['name']), title, description, inputSchema: args });
}

/** What a client is shown of one page of an upstream's tools. */
export interface ShownTools {
  result: unknown;
  /** Tools that are kept from the client, because their definition has changed. */
  blocked: Change[];
  /** Tools whose claim to read only counts once someone accepts it; absent if none. */
  unaccepted?: Unaccepted[];
}

const { name, config } = awaitTool;
const { $schema: _, ...inputSchema } = z.toJSONSchema(config.inputSchema, { io: 'input' });

/** The gateway's tool, which is added to those of the server. */
export const ownTool = {
  name,
  title: config.title,
  description: config.description,
  inputSchema,
  annotations: config.annotations,
};

/** The page without the tools whose definition no one has accepted, and the last page with the gateway's tool. */
export async function showTools(result: unknown, pins: Pins): Promise<ShownTools> {
  if (!isObject(result) || !Array.isArray(result['tools'])) return { result, blocked: [] };
  const tools = result['tools'].filter(
    (tool): tool is ToolDefinition => isTool(tool) && tool.name !== name && !isReservedTool(tool.name),
  );
  const changes = await Promise.all(tools.map((tool) => pins.changeOf(tool)));
  const shown: unknown[] = tools.filter((_tool, at) => changes[at] === null);
  const isLast = typeof result['nextCursor'] !== 'string';
  return {
    result: { ...result, tools: isLast ? [...shown, ownTool] : shown },
    blocked: changes.filter((change) => change !== null),
  };
}
