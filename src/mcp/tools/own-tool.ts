import type { Elicit } from '../elicit/elicit.ts';
import type { IncomingCall, ToolResult } from '../question/incoming-call.ts';
import type { Binding } from './options.ts';
import { runCall } from './run-call.ts';

/** A tool that was registered with us. */
export interface OwnTool<Config> {
  name: string;
  config: Config;
  schemaDigest: Promise<string>;
  /** Arguments, where the tool has an input schema, then the SDK's context of the call. */
  handler: (...parameters: unknown[]) => unknown;
}

type Described = Pick<IncomingCall['tool'], 'title' | 'description' | 'annotations'>;

/** The tool as approvers see it. */
export async function describeTool(tool: OwnTool<Described>): Promise<IncomingCall['tool']> {
  const { name, config, schemaDigest } = tool;
  const { title, description, annotations } = config;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations }),
    schemaDigest: await schemaDigest,
  };
}

/** Runs the tool's handler with an `elicit` in its context, which is the last of what it is given. */
export function runTool(
  { client, settings }: Pick<Binding<never>, 'client' | 'settings'>,
  { handler }: OwnTool<unknown>,
  call: IncomingCall,
  parameters: unknown[],
): Promise<ToolResult> {
  const args = parameters.slice(0, -1);
  const context = parameters.at(-1) as object;
  const { session: sessionId } = call;
  const handle = async (elicit: Elicit) => (await handler(...args, { ...context, sessionId, elicit })) as ToolResult;
  return runCall(call, client, settings, handle);
}
