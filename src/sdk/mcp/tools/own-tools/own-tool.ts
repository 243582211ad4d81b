import { knownHints } from '../../../client/known-hints.ts';
import type { IncomingCall, ToolResult } from '../../question/call/incoming-call.ts';
import type { Binding } from './options.ts';
import { canonicalText } from '#platform/model/hashed-text';
import { Problem } from '#platform/model/problem';
import { nearestName } from '#platform/text/nearest-name';
import { createApprove, refuseUnapproved } from '../../elicit/request/approve.ts';
import { plainArguments } from '../../question/call/call-name.ts';
import { runCall, type Handle } from './run-call.ts';

/** A tool that was registered with us. */
export interface OwnTool<Config> {
  name: string;
  config: Config;
  schemaDigest: Promise<string>;
  /** What its server runs or where it is, if this code is in front of it. */
  reaches?: string;
  /** No one has accepted its definition. */
  unaccepted?: boolean;
  /** The arguments by the tool's input schema; undefined if they do not fit. Null for a tool without one. */
  read: ((args: Record<string, unknown>) => Promise<unknown>) | null;
  /** Arguments, if the tool has an input schema, then the SDK's context of the call. */
  handler: (...parameters: unknown[]) => unknown;
}

/** What Assentry reads of a tool's registration. */
export interface OwnConfig extends Pick<IncomingCall['tool'], 'title' | 'description' | 'annotations'> {
  /** Each call waits for approvers before the handler runs, unless a policy allows it. */
  approval?: boolean | undefined;
}

/** The tool as approvers see it. */
export async function describeTool(tool: OwnTool<OwnConfig>): Promise<IncomingCall['tool']> {
  const { name, config, schemaDigest, reaches, unaccepted = false } = tool;
  const { title, description, annotations } = config;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations: knownHints(annotations) }),
    schemaDigest: await schemaDigest,
    ...(reaches !== undefined && { reaches }),
    ...(unaccepted && { unaccepted }),
  };
}

/**
 * For code without types: throws `config-invalid` if the tool's registration has a misspelt `approval`, with which it
 * would run without asking.
 */
export function assertApproval(name: string, config: object): void {
  const misspelt = Object.keys(config).find((key) => key !== 'approval' && isLikeApproval(key));
  const value = (config as OwnConfig).approval ?? false;
  if (misspelt === undefined && typeof value === 'boolean') return;
  const wrong = misspelt ?? `approval: ${JSON.stringify(value)}`;
  throw new Problem('config-invalid', { detail: `Write approval: true for the tool ${name}, not ${wrong}.` });
}

/** Makes the SDK's own `registerTool` refuse `approval`, of which it would take no notice. */
export function refuseApprovalOf(mcp: object): void {
  const sdk = mcp as { registerTool(name: string, config: object, handler: unknown): unknown };
  const register = sdk.registerTool.bind(mcp);
  sdk.registerTool = (name, config, handler) => {
    if (!('approval' in config)) return register(name, config, handler);
    const detail = `Register ${name} with the registerTool that assentry() returns: the SDK's own runs it without asking.`;
    throw new Problem('config-invalid', { detail });
  };
}

const isLikeApproval = (key: string): boolean => /approv/i.test(key) || nearestName(key, ['approval']) !== null;

/** The configuration without the members that are for Assentry alone. */
export function sdkConfig<Config extends Pick<OwnConfig, 'approval'>>({
  approval: _ours,
  ...config
}: Config): Omit<Config, 'approval'> {
  return config;
}

/**
 * Runs the tool's handler with the call's arguments, and with an `elicit` in its context, the last of what it is given.
 * A tool with `approval` runs only if approvers, or a policy, said yes.
 */
export function runTool(
  { client, settings }: Pick<Binding<never>, 'client' | 'settings'>,
  tool: OwnTool<OwnConfig>,
  call: IncomingCall,
  context: object,
): Promise<ToolResult> {
  const { session: sessionId } = call;
  const handle: Handle = async (elicit, args, once) => {
    const { name, config } = tool;
    const question = `Run ${config.title ?? name}?`;
    const refusal = config.approval ? await refuseUnapproved(elicit, question, { approval: true }) : null;
    if (refusal) return refusal;
    const toolContext = { ...context, sessionId, elicit, approve: createApprove(elicit), once };
    return (await (tool.read ? tool.handler(args, toolContext) : tool.handler(toolContext))) as ToolResult;
  };
  return runCall({ ...call, readSeen: (args) => readSeen(tool, args) }, client, settings, handle);
}

/**
 * What the tool's code gets for arguments that people have seen: as parsed by the input schema, but only if they are
 * still the same; otherwise undefined.
 */
export async function readSeen({ read }: OwnTool<unknown>, args: Record<string, unknown>): Promise<unknown> {
  const value = await read?.(args);
  return value !== undefined && canonicalText(plainArguments(value)) === canonicalText(args) ? value : undefined;
}
