import { readOptions, type OptionsIn } from './options.ts';
import { bindSdkV1, type AssentryTools, type CallExtra, type McpServer } from './sdk-v1.ts';

export { Problem } from '../model/problem.ts';
export { supportsElicitation, type ElicitationCapabilities } from './capabilities.ts';
export type { Elicit } from './elicit.ts';
export type { ElicitOptions } from './elicit-options.ts';
export type { ElicitResult } from './elicit-result.ts';
export {
  CallEndedError,
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
  HookFailedError,
  InvalidInputError,
} from './errors.ts';
export { onRequest, onResult, type Hook, type RequestHookContext, type ResultHookContext } from './hooks.ts';
export { DEFAULT_ELICIT_TTL } from './options.ts';
export type { Principal } from './principal.ts';
export type { JsonForm, ZodForm } from './question.ts';
export type { AssentryTools, ToolContext } from './sdk-v1.ts';
export type { TokenOptions } from './tokens.ts';

export type AssentryOptions = OptionsIn<CallExtra>;

/**
 * Gives the tools of an MCP server an `elicit()` that holds the call until the right person has answered.
 * Throws `config-invalid` where the orchestrator's address or this server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  return bindSdkV1(mcp, readOptions(options));
}
