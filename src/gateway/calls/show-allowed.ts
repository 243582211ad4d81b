import type { AssentryClient } from '../../client/client.ts';
import { withDeadline } from '../../client/deadline.ts';
import { AskedTool } from '../../contract/servers/elicitation.ts';
import { mostPasses } from '../../contract/servers/pass.ts';
import { awaitTool } from '../../mcp/tools/pending-tools.ts';
import type { Principal } from '../../mcp/tools/principal.ts';
import { isObject } from '../frames/frame.ts';
import { toolsIn, type ToolDefinition } from '../tools/definition.ts';
import { judgedHints } from '../tools/judged-hints.ts';
import type { KnownTools } from '../tools/known-tools.ts';
import type { Pins } from '../tools/pins.ts';
import { showTools, type ShownTools } from '../tools/show-tools.ts';

/** Milliseconds Assentry has to say what the policies deny. */
const timeoutMs = 10_000;

interface Showing {
  client: Promise<Pick<AssentryClient, 'renewPasses'>>;
  tools: KnownTools;
  pins: Pins;
}

/**
 * The page of tools as this person may see it: those with an accepted definition, but for what the policies deny them
 * whatever the arguments. Rejects if Assentry does not say so in time.
 */
export async function showAllowed(showing: Showing, principal: Principal, page: unknown): Promise<ShownTools> {
  const shown = await showTools(page, showing.pins);
  const { result } = shown;
  const judged = toolsIn(result).filter(({ name }) => name !== awaitTool.name);
  if (!isObject(result) || judged.length === 0) return shown;
  const batches = Array.from({ length: Math.ceil(judged.length / mostPasses) }, (_, at) =>
    deniedAmong(showing, principal, judged.slice(at * mostPasses, (at + 1) * mostPasses)),
  );
  const denied = new Set((await Promise.all(batches)).flat());
  return { ...shown, result: { ...result, tools: toolsIn(result).filter(({ name }) => !denied.has(name)) } };
}

/** Their names. One that Assentry could not be asked about can never be called. */
async function deniedAmong(
  { client, tools }: Showing,
  requester: Principal,
  definitions: ToolDefinition[],
): Promise<string[]> {
  const candidates = await Promise.all(
    definitions.map(async (definition) => {
      const schemaDigest = await tools.digestOf(definition);
      return { name: definition.name, annotations: judgedHints(definition, schemaDigest), schemaDigest };
    }),
  );
  const askable = candidates.filter((tool) => AskedTool.safeParse(tool).success);
  const orchestrator = await client;
  const passes = askable.map((tool) => ({ tool, requester }));
  const { denied } = await withDeadline(timeoutMs, undefined, (signal) =>
    orchestrator.renewPasses({ passes }, { signal }),
  );
  return candidates.filter((tool) => denied[askable.indexOf(tool)] !== false).map(({ name }) => name);
}
