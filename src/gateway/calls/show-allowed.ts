import type { AssentryClient } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { AskedTool } from '#requests/asking/contract/open';
import { maxPasses } from '#requests/asking/contract/routes';
import { awaitTool } from '#sdk/mcp/tools/tasks';
import type { Principal } from '#sdk/mcp/tools/principal';
import { isObject } from '../frames/frame.ts';
import { toolsIn, type ToolDefinition, judgeTool, requiredArguments } from '../tools/definition.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import { unacceptedOf, type Pins, type Unaccepted } from '../tools/pins.ts';
import { showTools, type ShownTools } from '../tools/reports.ts';

/** Milliseconds Assentry has to tell which tools the policies deny. */
const timeoutMs = 10_000;

interface Showing {
  client: Promise<Pick<AssentryClient, 'renewPasses'>>;
  tools: KnownTools;
  /** Reach of the server. */
  reaches: string;
  pins: Pins;
  /** Models also see the mark, in the description of a tool. */
  describesHeld?: boolean | undefined;
}

/** Member of a tool's `_meta` that tells why its calls wait; absent if they run without an approval. */
const heldMark = 'assentry/held';
const heldReason = 'Calls wait for a person, unless a policy allows exactly their arguments.';

/**
 * The page of tools as this person may see it: accepted definitions, without tools that the policies deny whatever the
 * arguments, and with a mark on tools whose calls wait. Rejects if Assentry does not answer in time.
 */
export async function showAllowed(showing: Showing, principal: Principal, page: unknown): Promise<ShownTools> {
  const shown = await showTools(page, showing.pins);
  const { result } = shown;
  const judged = toolsIn(result).filter(({ name }) => name !== awaitTool.name);
  if (!isObject(result) || judged.length === 0) return shown;
  const isAccepted = async (tool: ToolDefinition) => (await showing.pins.standingOf(tool)) === 'accepted';
  const all = await verdictsOn({ ...showing, isAccepted }, principal, judged);
  const verdicts = new Map(all.map(([name, verdict]) => [name, verdict]));
  const covered = new Set(all.flatMap(([name, , isCovered]) => (isCovered ? name : [])));
  const unaccepted = await findUnseen(showing, judged, covered);
  const tools = toolsIn(result)
    .filter(({ name }) => verdicts.get(name) !== 'denied')
    .map((tool) => (verdicts.has(tool.name) ? marked(tool, verdicts.get(tool.name) === 'held', showing) : tool));
  return { ...shown, unaccepted, result: { ...result, tools } };
}

/** Limits of the definitions that people read at once, in characters, and as one policy can name them. */
const maxRead = 100_000;
const maxLooked = 50;

/**
 * Definitions that people have not seen and no policy decides about, in parts that one can read. A list in which each tool is
 * known and claims nothing needs no look.
 */
async function findUnseen(
  { pins }: Showing,
  judged: ToolDefinition[],
  covered: ReadonlySet<string>,
): Promise<Unaccepted[]> {
  const standings = await Promise.all(judged.map(pins.standingOf));
  const unseen = judged.filter((tool, at) => standings[at] === 'unseen' && !covered.has(tool.name));
  const parts: ToolDefinition[][] = [];
  let room = 0;
  for (const tool of unseen) {
    const size = JSON.stringify(tool).length;
    const isFull = size > room || parts.at(-1)?.length === maxLooked;
    if (isFull) parts.push([]);
    room = (isFull ? maxRead : room) - size;
    parts.at(-1)?.push(tool);
  }
  const isWhole = parts.length === 1 && unseen.length === judged.length;
  return Promise.all(parts.map(async (tools) => ({ ...(await unacceptedOf(tools)), isWhole })));
}

function marked(tool: ToolDefinition, isHeld: boolean, { describesHeld = false }: Showing): ToolDefinition {
  const { _meta: meta, description } = tool;
  const { [heldMark]: forged, ...others } = isObject(meta) ? meta : {};
  if (!isHeld) return forged === undefined ? tool : { ...tool, _meta: others };
  const text = [description, `Assentry: ${heldReason}`].filter((part) => typeof part === 'string').join('\n\n');
  return {
    ...tool,
    ...(describesHeld && { description: text }),
    _meta: { ...others, [heldMark]: heldReason },
  };
}

export type Verdict = 'denied' | 'held' | 'free';

/** A tool's name, the verdict, and whether a published policy gives it. */
type Judged = [name: string, verdict: Verdict, isCovered: boolean];

interface Judging extends Pick<Showing, 'client' | 'tools' | 'reaches'> {
  /** Has someone accepted this definition, so that its claims count? */
  isAccepted(tool: ToolDefinition): Promise<boolean>;
}

/** Verdicts of the policies on tools of one server, as far as they do not depend on arguments. */
export async function verdictsOn(
  asking: Judging,
  requester: Principal,
  definitions: ToolDefinition[],
): Promise<Judged[]> {
  const batches = Array.from({ length: Math.ceil(definitions.length / maxPasses) }, (_, at) =>
    judge(asking, requester, definitions.slice(at * maxPasses, (at + 1) * maxPasses)),
  );
  return (await Promise.all(batches)).flat();
}

/** Verdict on each tool by its name. A tool that Assentry could not judge can never be called. */
async function judge(
  { client, tools, reaches, isAccepted }: Judging,
  requester: Principal,
  definitions: ToolDefinition[],
): Promise<Judged[]> {
  const candidates = await Promise.all(
    definitions.map(async (definition) => {
      const schemaDigest = await tools.digestOf(definition);
      const judged = await judgeTool(definition, schemaDigest, isAccepted, requiredArguments(definition));
      return { name: definition.name, ...judged, fits: true, schemaDigest, reaches };
    }),
  );
  const askable = candidates.filter((tool) => AskedTool.safeParse(tool).success);
  const orchestrator = await client;
  const passes = askable.map((tool) => ({ tool, requester }));
  const answer = await withDeadline(timeoutMs, undefined, (signal) => orchestrator.renewPasses({ passes }, { signal }));
  return candidates.map((tool) => {
    const at = askable.indexOf(tool);
    if (answer.denied[at] !== false) return [tool.name, 'denied', true];
    return [tool.name, answer.passes[at] ? 'free' : 'held', answer.covered?.[at] === true];
  });
}
