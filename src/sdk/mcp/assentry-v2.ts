import { readOptions, type OptionsIn } from './tools/own-tools.ts';
import { bindSdkV2, type AssentryTools, type McpServer, type ServerContext } from './sdk-v2/bind.ts';

export { Problem } from '#platform/model/problem';
export { supportsElicitation, type ElicitationCapabilities } from './question/call.ts';
export type { Approve } from './elicit/elicit.ts';
export type { Elicit } from './elicit/elicit.ts';
export type { Once } from './question/call.ts';
export type { Connect, ConnectOptions } from './connect/connect.ts';
export type { Connection } from './connect/connection.ts';
export type {
  Create,
  Making,
  Paid,
  Payment,
  PaymentWanted,
  Signature,
  SignatureWanted,
  Signed,
} from './connect/outcome.ts';
export type { AskSecret, Secret, SecretOptions } from './connect/secret.ts';
export type { ElicitOptions, Proven } from './question/question.ts';
export type { ElicitResult } from './question/result.ts';
export {
  CallEndedError,
  ElicitationNotSupportedError,
  ElicitationTimeoutError,
  HookFailedError,
  InvalidInputError,
} from './question/errors.ts';
export { onRequest, onResult, type Hook, type RequestHookContext, type ResultHookContext } from './hooks/hooks.ts';
export { DEFAULT_ELICIT_TTL } from './tools/own-tools.ts';
export type { Principal } from './tools/principal.ts';
export type { JsonForm, ZodForm } from './question/question.ts';
export type { AssentryTools, ToolContext } from './sdk-v2/bind.ts';
export type { TokenOptions } from './tools/principal.ts';

export type AssentryOptions = OptionsIn<ServerContext>;

/**
 * Gives the tools of an MCP server an `elicit()` that gets the right person's answer, for every revision of MCP. A
 * client of 2026-07-28 asks its own person between two calls: the tool's code then runs from its start in each round,
 * and gets every earlier answer in its place.
 * Call it before the server has tools. Throws `config-invalid` if it has, or if the orchestrator's address or this
 * server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  return bindSdkV2(mcp, readOptions(options));
}
