import { refuseUnapproved } from '#sdk/mcp/elicit/request/approve';
import type { Elicit } from '#sdk/mcp/elicit/request/elicit';
import type { IncomingCall, ToolResult } from '#sdk/mcp/question/call/incoming-call';
import type { OwnTool } from '#sdk/mcp/tools/own-tools/own-tool';
import { describeTool, type ToolDefinition } from '../../tools/definition/definition.ts';
import type { JudgedTool } from '../../tools/definition/judged-hints.ts';

/** A tool of the upstream, as the library for MCP servers has its own. */
export type GatedTool = OwnTool<Pick<IncomingCall['tool'], 'title' | 'description' | 'annotations'>>;

/** Runs the upstream's tool with these arguments. */
type RunUpstream = (args: Record<string, unknown>) => Promise<ToolResult>;

/**
 * An upstream's tool as one of ours: its code asks approvers, and runs the upstream's with what they approved. Its
 * digest is that of the whole definition, so that an approval is for the tool as it was described.
 */
export const gatedTool = (
  { server, reaches }: { server: string; reaches: string },
  definition: ToolDefinition,
  { digest, annotations, unaccepted }: JudgedTool & { digest: string },
  run: RunUpstream,
): GatedTool => ({
  name: definition.name,
  config: { ...describeTool(definition), annotations },
  schemaDigest: Promise.resolve(digest),
  reaches,
  ...(unaccepted && { unaccepted }),
  read: async (args) => args,
  handler: async (args, context) => {
    const { elicit } = context as { elicit: Elicit };
    const refusal = await refuseUnapproved(elicit, `Run ${definition.name} on ${server}?`, { audience: 'approvers' });
    return refusal ?? run(args as Record<string, unknown>);
  },
});
