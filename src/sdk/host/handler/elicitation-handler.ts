import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { underSignals } from '../../client/transport/linked-signal.ts';
import { askApprovers } from './ask-approvers.ts';
import {
  AskedParams,
  elicitationCapabilities,
  type ElicitationAnswer,
  type ElicitationContext,
  type ElicitationRequest,
} from '../options/elicitation-request.ts';
import { readOptions, type HostOptions, type HostSettings } from '../options/host-options.ts';
import { openRequest, refuseAddress } from './open-request.ts';
import { isRefused, unavailable, type Refused } from '../options/refusal.ts';
import { releaseAnswer } from './release-answer.ts';
import { mayAsk } from './sliding-window.ts';

/**
 * Resolves with the approvers' decision, or with a decline or cancel and its reason in `_meta`. Rejects only with error
 * -32602, if the mode is not declared.
 */
export type HandleElicitation = (
  request: ElicitationRequest,
  context?: ElicitationContext,
) => Promise<ElicitationAnswer>;

/**
 * Makes the handler of `elicitation/create` for the client of one server; fits clients of SDK v1 and v2.
 * Throws `config-invalid` if an option is not usable.
 */
export function createElicitationHandler(options: HostOptions): HandleElicitation {
  const settings = readOptions(options);
  return async (request, context = {}) => {
    const mode = request.params?.mode ?? 'form';
    requireDeclared(settings, mode);
    const outcome = await underSignals([settings.signal, context.signal, context.mcpReq?.signal], (signal) =>
      decide(settings, { ...request.params, mode }, signal).catch((error: unknown) =>
        unavailable(settings.whenUnanswered, error),
      ),
    );
    return isRefused(outcome) ? reportRefusal(settings, mode, outcome) : outcome;
  };
}

function requireDeclared(settings: HostSettings, mode: string): void {
  if (Object.hasOwn(elicitationCapabilities(settings).elicitation, mode)) return;
  throw new McpError(
    ErrorCode.InvalidParams,
    `This client has not declared elicitation of mode ${JSON.stringify(mode)}.`,
  );
}

async function decide(
  settings: HostSettings,
  params: unknown,
  signal: AbortSignal,
): Promise<ElicitationAnswer | Refused> {
  const { serverName, perMinute } = settings;
  if (!mayAsk(serverName, perMinute)) return tooMany(settings);
  const result = AskedParams.safeParse(params);
  if (!result.success) return malformed(serverName);
  const refused = refuseAddress(settings, result.data);
  if (refused) return refused;
  const request = openRequest(settings, result.data);
  const state = await askApprovers(settings, request, signal);
  return isRefused(state) ? state : releaseAnswer(settings, result.data, { request, signal }, state);
}

const tooMany = ({ serverName, perMinute }: HostSettings): Refused => ({
  reason: 'rate-limited',
  action: 'decline',
  detail: `${serverName} asked more than the ${perMinute} questions a minute that it may ask.`,
});

const malformed = (serverName: string): Refused => ({
  reason: 'question-not-askable',
  action: 'decline',
  detail: `The question of ${serverName} is not an elicitation: it needs a message, and a requestedSchema or a url.`,
});

/** The server learns the kind of reason, not the text, which may reveal the host's own rules. */
async function reportRefusal(
  { serverName, onRefused }: HostSettings,
  mode: string,
  refused: Refused,
): Promise<ElicitationAnswer> {
  try {
    await onRefused?.({ server: serverName, mode, ...refused });
  } catch {
    // If logging fails, that must not count as a person's answer.
  }
  return { action: refused.action, _meta: { 'assentry/reason': refused.reason } };
}
