import type { AssentryClient } from '#sdk/client/client';
import { withDeadline } from '#sdk/client/transport';
import { AskedTool } from '#requests/asking/contract/open';
import { maxPasses } from '#requests/asking/contract/routes';
import { awaitTool } from '#sdk/mcp/tools/tasks';
import type { Principal } from '#sdk/mcp/tools/principal';
import { isObject } from '../frames/frame.ts';
import { annotationsOf, toolsIn, type ToolDefinition, judgeTool, requiredArguments } from '../tools/definition.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import { unacceptedOf, type Pins, type Unaccepted } from '../tools/pins.ts';
import { showTools, type ShownTools } from '../tools/reports.ts';

/** Milliseconds Assentry has to tell which tools the policies deny. */
const timeoutMs = 10_000;

interface Showing {
  client: Promise<Pick<AssentryClient, 'renewPasses'>>;
  tools: KnownTools;
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
  const verdicts = new Map(await verdictsOn({ ...showing, isAccepted }, principal, judged));
  const unaccepted = await findUnaccepted(showing, principal, judged, verdicts);
  const tools = toolsIn(result)
    .filter(({ name }) => verdicts.get(name) !== 'denied')
    .map((tool) => (verdicts.has(tool.name) ? marked(tool, verdicts.get(tool.name) === 'held', showing) : tool));
  return { ...shown, unaccepted, result: { ...result, tools } };
}

/** Limit in characters of the definitions that people read at once. */
const maxRead = 100_000;

/** Definitions to ask people about: those not yet asked about whose acceptance frees some call. */
async function findUnaccepted(
  showing: Showing,
  principal: Principal,
  judged: ToolDefinition[],
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<Unaccepted[]> {
  const standings = await Promise.all(judged.map(showing.pins.standingOf));
  const unseen = judged.filter((tool, at) => standings[at] === 'unseen' && annotationsOf(tool).readOnlyHint === true);
  if (unseen.length === 0) return [];
  const later = await verdictsOn({ ...showing, isAccepted: async () => true }, principal, unseen);
  if (!later.some(([name, verdict]) => verdict === 'free' && verdicts.get(name) === 'held')) return [];
  const batches: ToolDefinition[][] = [];
  let room = 0;
  for (const tool of unseen) {
    const size = JSON.stringify(tool).length;
    if (size > room) batches.push([]);
    room = (size > room ? maxRead : room) - size;
    batches.at(-1)?.push(tool);
  }
  return Promise.all(batches.map(unacceptedOf));
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

interface Judging extends Pick<Showing, 'client' | 'tools'> {
  /** Has someone accepted this definition, so that its claims count? */
  isAccepted(tool: ToolDefinition): Promise<boolean>;
}

/** Verdicts of the policies on tools of one server, as far as they do not depend on arguments. */
export async function verdictsOn(
  asking: Judging,
  requester: Principal,
  definitions: ToolDefinition[],
): Promise<[name: string, verdict: Verdict][]> {
  const batches = Array.from({ length: Math.ceil(definitions.length / maxPasses) }, (_, at) =>
    judge(asking, requester, definitions.slice(at * maxPasses, (at + 1) * maxPasses)),
  );
  return (await Promise.all(batches)).flat();
}

/** Verdict on each tool by its name. A tool that Assentry could not judge can never be called. */
async function judge(
  { client, tools, isAccepted }: Judging,
  requester: Principal,
  definitions: ToolDefinition[],
): Promise<[name: string, verdict: Verdict][]> {
  const candidates = await Promise.all(
    definitions.map(async (definition) => {
      const schemaDigest = await tools.digestOf(definition);
      const judged = await judgeTool(definition, schemaDigest, isAccepted, requiredArguments(definition));
      return { name: definition.name, ...judged, schemaDigest };
    }),
  );
  const askable = candidates.filter((tool) => AskedTool.safeParse(tool).success);
  const orchestrator = await client;
  const passes = askable.map((tool) => ({ tool, requester }));
  const answer = await withDeadline(timeoutMs, undefined, (signal) => orchestrator.renewPasses({ passes }, { signal }));
  return candidates.map((tool) => {
    const at = askable.indexOf(tool);
    if (answer.denied[at] !== false) return [tool.name, 'denied'];
    return [tool.name, answer.passes[at] ? 'free' : 'held'];
  });
}
