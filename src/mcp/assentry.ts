import type { AssentryClient } from '../client/client.ts';
import { defaultRequesterTtl } from '../model/elicitation.ts';
import { bindSdkV1, type AssentryTools, type McpServer, type PrincipalOption } from './sdk-v1.ts';
import { shareClient } from './shared-client.ts';

export { Problem } from '../model/problem.ts';
export { supportsElicitation, type ElicitationCapabilities } from './capabilities.ts';
export type { Elicit, ElicitOptions, ElicitResult } from './elicit.ts';
export { CallEndedError, ElicitationNotSupportedError, ElicitationTimeoutError, InvalidInputError } from './errors.ts';
export type { Principal } from './principal.ts';
export type { JsonForm, ZodForm } from './question.ts';
export type { AssentryTools, ToolContext } from './sdk-v1.ts';

/** Milliseconds a requester's question stays open where nothing else is said. */
export const DEFAULT_ELICIT_TTL = defaultRequesterTtl;

export interface AssentryOptions {
  /** ASSENTRY_URL by default. */
  url?: string | undefined;
  /** ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of address and key. */
  client?: AssentryClient | undefined;
  /** Who calls; by default the subject of the access token, else the client's name, unverified. */
  principal?: PrincipalOption | undefined;
  /** Milliseconds a call is held for approvers: 50 000 by default, 600 000 where the caller hears progress. */
  patience?: number | undefined;
  /** Milliseconds a question stays open unless it says otherwise itself. */
  ttl?: number | undefined;
  /** Milliseconds between two progress notifications; 10 000 by default. */
  progressEvery?: number | undefined;
  /** Milliseconds after which a run that never reported its end counts as dead; 600 000 by default. */
  deadAfter?: number | undefined;
}

/**
 * Gives the tools of an MCP server an `elicit()` that holds the call until the right person has answered.
 * Throws `config-invalid` where the orchestrator's address or this server's key is missing.
 */
export function assentry(mcp: McpServer, options: AssentryOptions = {}): AssentryTools {
  const { patience, ttl, progressEvery = 10_000, deadAfter = 600_000 } = options;
  return bindSdkV1(mcp, {
    client: options.client ?? shareClient(options),
    settings: { patience, ttl, progressEvery, deadAfter },
    principal: options.principal,
  });
}
