import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Problem } from '#platform/model/problem';
import { createElicitationHandler, type HandleElicitation, withCancellation } from './handler.ts';
import { elicitationCapabilities, type HostOptions } from './options.ts';

export { Problem } from '#platform/model/problem';
export type { AllowedDomain } from './options.ts';
export { createElicitationHandler, type HandleElicitation } from './handler.ts';
export {
  elicitationCapabilities,
  type DeclaredElicitation,
  type ElicitationAnswer,
  type ElicitationContext,
  type ElicitationRequest,
} from './options.ts';
export type { HostOptions, HostPrincipal, UrlConsent } from './options.ts';
export type { Refusal, RefusalReason } from './options.ts';
export { answerRequiredUrls } from './handler.ts';

/**
 * Sends the questions that one MCP server asks through this client (SDK v1) to Assentry's approvers, and answers with
 * their decision. Call it before `connect`, so that the client declares elicitation. Returns the handler, for -32042
 * and for tests. Throws `config-invalid` if an option is not usable, or if the client is connected and declared no
 * elicitation.
 */
export function answerThroughAssentry(client: Client, options: HostOptions): HandleElicitation {
  const handleElicitation = createElicitationHandler({ serverInfo: () => client.getServerVersion(), ...options });
  if (!client.transport) client.registerCapabilities(elicitationCapabilities(options));
  try {
    client.setRequestHandler(ElicitRequestSchema, (request, { signal, requestId }) =>
      withCancellation(client, requestId, signal, (cancelled) => handleElicitation(request, { signal: cancelled })),
    );
  } catch (cause) {
    throw new Problem('config-invalid', { detail: tooLate, cause });
  }
  return handleElicitation;
}

const tooLate = 'Call answerThroughAssentry before connect: this client is connected and has not declared elicitation.';
