import { readOptions, type OptionsIn } from './tools/own-tools/options.ts';
import { bindSdkV1, type AssentryTools, type CallExtra, type McpServer } from './sdk-v1/bind/bind.ts';

export { Problem } from '#platform/model/problem';
export { supportsElicitation, type ElicitationCapabilities } from './question/call/capabilities.ts';
export type { Approve } from './elicit/request/approve.ts';
export type { Elicit } from './elicit/request/elicit.ts';
export type { Once } from './question/call/make-once.ts';
export type { ElicitOptions } from './question/question/elicit-options.ts';
export type { ElicitResult } from './question/result/elicit-result.ts';
export {
  CallEndedError,
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
  HookFailedError,
  InvalidInputError,
} from './question/errors/errors.ts';
export {
  onRequest,
  onResult,
  type Hook,
  type RequestHookContext,
  type ResultHookContext,
} from './hooks/hooks/hooks.ts';
export { DEFAULT_ELICIT_TTL } from './tools/own-tools/options.ts';
export type { Principal } from './tools/principal/principal.ts';
export type { JsonForm, ZodForm } from './question/question/question.ts';
export type { AssentryTools, ToolContext } from './sdk-v1/bind/bind.ts';
export type { TokenOptions } from './tools/principal/tokens.ts';

export type AssentryOptions = OptionsIn<CallExtra>;

/**
 * Gives the tools of an MCP server an `elicit()` that holds the call until the right person has answered.
 * Throws `config-invalid` if the orchestrator's address or this server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  return bindSdkV1(mcp, readOptions(options));
}
