import { readOptions, type OptionsIn } from './tools/own-tools.ts';
import { bindSdkV1, type AssentryTools, type CallExtra, type McpServer } from './sdk-v1/bind.ts';

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
export type { AssentryTools, ToolContext } from './sdk-v1/bind.ts';
export type { TokenOptions } from './tools/principal.ts';

export type AssentryOptions = OptionsIn<CallExtra>;

/**
 * Gives the tools of an MCP server an `elicit()` that holds the call until the right person has answered.
 * Throws `config-invalid` if the orchestrator's address or this server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  return bindSdkV1(mcp, readOptions(options));
}
