import { readOptions, type OptionsIn } from './tools/options.ts';
import { bindSdkV1, type AssentryTools, type CallExtra, type McpServer } from './sdk-v1/bind.ts';

export { Problem } from '#protocol/model/problem';
export { supportsElicitation, type ElicitationCapabilities } from './question/capabilities.ts';
export type { Approve } from './elicit/approve.ts';
export type { Elicit } from './elicit/elicit.ts';
export type { Once } from './question/make-once.ts';
export type { ElicitOptions } from './question/elicit-options.ts';
export type { ElicitResult } from './question/elicit-result.ts';
export {
  CallEndedError,
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
  HookFailedError,
  InvalidInputError,
} from './question/errors.ts';
export { onRequest, onResult, type Hook, type RequestHookContext, type ResultHookContext } from './hooks/hooks.ts';
export { DEFAULT_ELICIT_TTL } from './tools/options.ts';
export type { Principal } from './tools/principal.ts';
export type { JsonForm, ZodForm } from './question/question.ts';
export type { AssentryTools, ToolContext } from './sdk-v1/bind.ts';
export type { TokenOptions } from './tools/tokens.ts';

export type AssentryOptions = OptionsIn<CallExtra>;

/**
 * Gives the tools of an MCP server an `elicit()` that holds the call until the right person has answered.
 * Throws `config-invalid` if the orchestrator's address or this server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  return bindSdkV1(mcp, readOptions(options));
}
