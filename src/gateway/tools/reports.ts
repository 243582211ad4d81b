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

/** Delay of a report after the first unreported sight, and of the next try after a failure, in milliseconds. */
const reportsAfter = 250;
const triesAgainAfter = 10_000;
/** Milliseconds after which an unchanged tool that is still seen is reported again. */
const againAfter = 600_000;
/** Milliseconds for a report; no call waits for it. */
const reportTime = 5_000;
/** Limit of reported tools; an upstream with more is reported in part. */
const maxKept = 1_000;

/** Reports one upstream's tools to Assentry, so that people can see them. Nothing is decided by it. */
export class ToolReports {
  readonly #client: Promise<Pick<AssentryClient, 'reportTools'>>;
  readonly #now: () => number;
  /** Time at which a definition was last noted, and its change. */
  readonly #noted = new WeakMap<ToolDefinition, { changed: string | null; isAccepted: boolean; at: number }>();
  /** Reported texts by the tool's name. */
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

  /** Sends due reports. Never rejects: failed ones are tried again. */
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

  /** Is the sight new? A tool with a name outside MCP cannot be called. */
  #isNews(tool: Reported): boolean {
    const last = this.#reported.get(tool.name);
    const isOld = last?.text === textOf(tool) && this.#now() - last.at < againAfter;
    return !isOld && SeenTool.safeParse(tool).success;
  }

  #reportIn(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref();
  }
}

/** The same pins, which also report the state of each tool. */
export const reportedPins = (pins: Pins, reports: ToolReports): Pins => ({
  async changeOf(tool) {
    const change = await pins.changeOf(tool);
    const isOfServer = change !== null && isServerPin(change.definition);
    // skips instructions and prompts, which are no tools
    if (!isReservedTool(tool.name) && !isOfServer)
      reports.note(tool, change, (await pins.standingOf(tool)) === 'accepted');
    return change;
  },
  changeOfServer: () => pins.changeOfServer(),
  standingOf: (tool) => pins.standingOf(tool),
  stand: (tools, standing) => pins.stand(tools, standing),
  accept: (change, standing) => pins.accept(change, standing),
});

/** Report of a sight, without an unaccepted claim to read only. */
async function reportOf({ tool, change, isAccepted }: Sight): Promise<Reported> {
  const definition = await digestTool(change?.accepted ?? tool);
  const judged = await judgeTool(tool, await digestTool(tool), async () => isAccepted);
  const { title: _, ...hints } = judged.annotations;
  const annotations = judged.unaccepted ? { ...hints, readOnlyHint: false } : hints;
  return { name: tool.name, annotations, definition, changed: change?.digest ?? null };
}

const textOf = (tool: Reported): string => JSON.stringify(tool);

/** Names under which instructions and prompts are pinned and asked about; no tool of a server has one. */
const instructionsName = 'assentry.instructions';
const promptName = (name: string): string => `${readingTools['prompts/get']}.${name}`;

/** Does this result carry the texts that models read before any call: instructions, or prompts? */
export const hasWords = (result: unknown): result is Record<string, unknown> =>
  isObject(result) && (typeof result['instructions'] === 'string' || Array.isArray(result['prompts']));

interface ShownWords {
  result: Record<string, unknown>;
  /** Changed texts kept from the client. */
  blocked: Change[];
}

/** The result without instructions and prompts that differ from the accepted ones. They are pinned like tools. */
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

/** Notification for clients after an accepted change; new instructions take effect with the next connection. */
export const listOf = (proposed: Proposed): string | null => {
  if ('tools' in proposed) return 'notifications/tools/list_changed';
  const { name } = proposed.definition;
  if (name === instructionsName) return null;
  return name.startsWith(promptName('')) ? 'notifications/prompts/list_changed' : 'notifications/tools/list_changed';
};

/** Null also for an entry that is no prompt, because no client reads it. */
async function changeOfPrompt(prompt: unknown, pins: Pins): Promise<Change | null> {
  if (!isObject(prompt) || typeof prompt['name'] !== 'string') return null;
  const { title, description, arguments: args } = prompt;
  return pins.changeOf({ name: promptName(prompt['name']), title, description, inputSchema: args });
}

/** One page of an upstream's tools as a client sees it. */
export interface ShownTools {
  result: unknown;
  /** Tools kept from the client because their definition changed. */
  blocked: Change[];
  /** Tools whose claim to read only counts after acceptance; absent if none. */
  unaccepted?: Unaccepted[];
}

const { name, config } = awaitTool;
const { $schema: _, ...inputSchema } = z.toJSONSchema(config.inputSchema, { io: 'input' });

/** The gateway's tool, added to those of the server. */
export const ownTool = {
  name,
  title: config.title,
  description: config.description,
  inputSchema,
  annotations: config.annotations,
};

/** The page without tools whose definition is not accepted; the last page has the gateway's tool. */
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
