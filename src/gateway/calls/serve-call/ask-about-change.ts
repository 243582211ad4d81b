import { maxTimerMs } from '#sdk/client/transport/backoff';
import { emptyForm } from '#sdk/mcp/elicit/request/approve';
import type { IncomingCall } from '#sdk/mcp/question/call/incoming-call';
import { runCall } from '#sdk/mcp/tools/own-tools/run-call';
import { definitionTool } from '#platform/model/names';
import { localPrincipal } from '../../identity/caller.ts';
import { pinnedPart } from '../../tools/definition/definition.ts';
import { doubtfulClaim } from '../../tools/definition/doubtful-claim.ts';
import type { Change, Proposed, Unaccepted } from '../../tools/pins/pins.ts';
import { isServerPin, reachIn } from '../../tools/pins/server-pin.ts';
import type { Serving } from '../arguments/received.ts';

type Asking = Pick<Serving, 'client' | 'settings' | 'server' | 'reaches' | 'session' | 'pins'>;

/** The question for approvers, and the effect of their decision. */
interface Proposal {
  tool: IncomingCall['tool'];
  args: Record<string, unknown>;
  question: string;
  accept(): Promise<void>;
  decline?(): Promise<void>;
}

/**
 * Asks approvers whether they accept a changed definition, or definitions that claim to read only, and pins what they
 * say. Every process that sees the same joins the same request. Resolves when it is decided, or with the signal.
 */
export async function askAboutChange(asking: Asking, proposed: Proposed, signal: AbortSignal): Promise<void> {
  const { client, settings, reaches, session } = asking;
  const proposal = 'tools' in proposed ? proposeReading(asking, proposed) : proposeChange(asking, proposed);
  const call: IncomingCall = {
    tool: { ...proposal.tool, reaches },
    args: proposal.args,
    session,
    requester: localPrincipal(),
    capabilities: undefined,
    signal,
    sendProgress: undefined,
    hasOutputSchema: false,
    ask: async () => ({ kind: 'unsupported', reason: 'No one is at a client.' }),
  };
  await runCall(call, client, { ...settings, holdTimeoutMs: maxTimerMs }, async (elicit) => {
    const answer = await elicit(proposal.question.slice(0, maxQuestion), emptyForm, { audience: 'approvers' });
    if (answer.status === 'accept') await proposal.accept();
    if (answer.status === 'decline') await proposal.decline?.();
    return { content: [] };
  });
}

const maxQuestion = 1_000;

function proposeChange({ server, pins }: Asking, change: Change): Proposal {
  const { accepted, definition } = change;
  return {
    tool: isServerPin(definition) ? serverTool : tool,
    args: { server, tool: definition.name, accepted, changed: definition },
    question: questionAbout(definition, server),
    accept: () => pins.accept(change),
  };
}

/** A refusal is kept as well, so that no later session asks again. */
function proposeReading({ server, pins }: Asking, { tools }: Unaccepted): Proposal {
  const names = tools.map(({ name }) => name).join(', ');
  return {
    tool: readingTool,
    args: { server, reads: tools.map(pinnedPart) },
    question: `Accept that these tools of ${server} only read, as the server says? ${names}`,
    accept: () => pins.stand(tools, 'accepted'),
    decline: () => pins.stand(tools, 'refused'),
  };
}

function questionAbout(definition: Change['definition'], server: string): string {
  const { name } = definition;
  if (isServerPin(definition)) return `Accept that ${server} now runs with ${reachIn(definition)}?`;
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

const readingTool: IncomingCall['tool'] = {
  name: definitionTool,
  title: 'Accept that tools only read',
  description:
    'The server says of these tools that they only read. Until someone accepts these definitions, that counts for nothing, and each call waits. A tool that is added or changed later is asked about by itself.',
  annotations: { destructiveHint: true },
};
