import { runDigest, type ClaimToolCall, type ElicitationState, type OpenElicitation } from '../../client/client.ts';
import { waitAtMost } from '../../client/transport/deadline.ts';
import type { AskedParams, AskedUrl, ElicitationAnswer } from '../options/elicitation-request.ts';
import { fitAnswer, type FormAnswer } from './fit-answer.ts';
import type { HostSettings } from '../options/host-options.ts';
import { isRefused, unavailable, withdrawn, type Refused } from '../options/refusal.ts';

/** Milliseconds to wait for the record of the end; after that the server gets its answer anyway. */
const recordTime = 5_000;

/** What was asked, and whether the server still waits for the answer. */
interface Asked {
  request: OpenElicitation;
  signal: AbortSignal;
}

/** Releases a decision once: it is claimed before anything acts on it, and settled when the server gets it. */
export async function releaseAnswer(
  settings: HostSettings,
  params: AskedParams,
  { request, signal }: Asked,
  state: ElicitationState,
): Promise<ElicitationAnswer | Refused> {
  const attempt = crypto.randomUUID();
  const outcome =
    state.action === 'accept'
      ? await releaseAccept(settings, params, state, { claim: { attempt, run: await runDigest(request) }, signal })
      : { action: state.action ?? 'cancel' };
  await settle(settings, state, attempt);
  return isRefused(outcome) ? { ...outcome, elicitation: state.id } : outcome;
}

async function releaseAccept(
  settings: HostSettings,
  params: AskedParams,
  state: ElicitationState,
  { claim, signal }: { claim: ClaimToolCall; signal: AbortSignal },
): Promise<ElicitationAnswer | Refused> {
  try {
    const { state: claimState } = await settings.client.claim(state.toolCall, claim);
    if (claimState !== 'claimed') return unavailable(settings.whenUnanswered);
  } catch (error) {
    return unavailable(settings.whenUnanswered, error);
  }
  if (signal.aborted) return withdrawn();
  const form: FormAnswer | Refused = params.mode === 'form' ? fitAnswer(settings, params, state.content ?? {}) : {};
  if (isRefused(form)) return form;
  return params.mode === 'url' ? openUrl(settings, params, state) : { action: 'accept', ...form };
}

/** The recorded decision is the consent; an address is passed on only after it. */
async function openUrl(
  { serverName, onOpenUrl }: HostSettings,
  { url }: AskedUrl,
  { id, digest, statusUrl, closedAt, openedAt }: ElicitationState,
): Promise<ElicitationAnswer | Refused> {
  const consent = { server: serverName, elicitation: id, digest, statusUrl, decidedAt: closedAt ?? openedAt };
  try {
    await onOpenUrl?.(url, consent);
    return { action: 'accept' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { reason: 'url-not-opened', action: 'cancel', detail: `The address could not be opened: ${why}` };
  }
}

async function settle({ client }: HostSettings, { toolCall }: ElicitationState, attempt: string): Promise<void> {
  const settled = client.complete(toolCall, { attempt, delivered: true });
  await waitAtMost(
    recordTime,
    settled.catch(() => {}), // the decision and its claim are recorded
  );
}
