import type { AssentryClient, ReportTools } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport/deadline';
import { maxReportedTools, SeenTool } from '#access/keys/contract/key';
import { isReservedTool } from '#platform/model/names';
import { digestTool, type ToolDefinition } from '../definition/definition.ts';
import { judgeTool } from '../definition/judged-hints.ts';
import type { Change, Pins } from '../pins/pins.ts';
import { isServerPin } from '../pins/server-pin.ts';

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
