import { maxTimerMs } from '#sdk/client/backoff';
import { emptyForm } from '#sdk/mcp/elicit/approve';
import type { IncomingCall } from '#sdk/mcp/question/incoming-call';
import { runCall } from '#sdk/mcp/tools/run-call';
import { definitionTool } from '#protocol/model/names';
import { localPrincipal } from '../identity/caller.ts';
import { doubtfulClaim } from '../tools/doubtful-claim.ts';
import type { Change } from '../tools/pins.ts';
import { isServerPin, reachIn } from '../tools/server-pin.ts';
import type { Serving } from './received.ts';

/**
 * Asks approvers whether they accept a changed definition, and pins it if they do. Every process that sees the change
 * joins the same request. Resolves when it is decided, or with the signal.
 */
export async function askAboutChange(
  asking: Pick<Serving, 'client' | 'settings' | 'server' | 'reaches' | 'session' | 'pins'>,
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  const { client, settings, server, reaches, session, pins } = asking;
  const { accepted, definition } = change;
  const call: IncomingCall = {
    tool: { ...(isServerPin(definition) ? serverTool : tool), reaches },
    args: { server, tool: definition.name, accepted, changed: definition },
    session,
    requester: localPrincipal(),
    capabilities: undefined,
    signal,
    sendProgress: undefined,
    hasOutputSchema: false,
    ask: async () => ({ kind: 'unsupported', reason: 'No one is at a client.' }),
  };
  await runCall(call, client, { ...settings, holdTimeoutMs: maxTimerMs }, async (elicit) => {
    const answer = await elicit(questionAbout(definition, server), emptyForm, { audience: 'approvers' });
    if (answer.status === 'accept') await pins.accept(change);
    return { content: [] };
  });
}

function questionAbout(definition: Change['definition'], server: string): string {
  const { name } = definition;
  if (isServerPin(definition)) return `Accept that ${server} now runs with ${reachIn(definition)}?`.slice(0, 1_000);
  const verb = doubtfulClaim(definition);
  if (verb === null) return `Accept the changed definition of ${name} on ${server}?`;
  return `Accept that ${name} on ${server} only reads? The server says so, but its name or description says “${verb}”.`;
}

/** It gets all that the name has. */
const serverTool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Accept what a server runs now',
  description:
    'Under this name something else ran when it was accepted. What runs now gets its policies, accepted tools and standing; until then, no tool of it is shown or called.',
  annotations: { destructiveHint: true },
};

/** High risk, so that no policy allows it by itself. */
const tool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Accept the definition of a tool',
  description:
    'The server describes this tool in another way than what was accepted. Until it is accepted, no client sees it.',
  annotations: { destructiveHint: true },
};
