import type { AssentryClient } from '../../../client/client.ts';
import { assertNames } from '../../../client/transport/connection.ts';
import { defaultRequesterTtl } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';
import { withoutElicitations, type WithoutElicitation } from '../../question/call/channel.ts';
import { readHooks } from '../../hooks/hooks/hooks.ts';
import type { PrincipalOption } from '../principal/principal.ts';
import type { RunSettings } from '../../run/run/run.ts';
import { shareClient } from './shared-client.ts';

/** Milliseconds a requester's question stays open by default. */
export const DEFAULT_ELICIT_TTL = defaultRequesterTtl;

export interface CommonOptions {
  /** ASSENTRY_URL by default. */
  url?: string | undefined;
  /** ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of address and key. */
  client?: AssentryClient | undefined;
  /** Milliseconds a call is held for approvers: 50 000 by default, 600 000 if the caller gets progress. */
  holdTimeoutMs?: number | undefined;
  /** Milliseconds a question stays open unless it says otherwise itself. */
  ttl?: number | undefined;
  /**
   * If the client cannot ask its own person: `link`, the default, ends the call with the address of a page to answer
   * on, and the same call comes back to the answer; `relay` lets the agent ask and pass the answer on with the tool
   * `sendElicitationResult`; `deny` throws ElicitationNotSupportedError.
   */
  withoutElicitation?: WithoutElicitation | undefined;
  /** Milliseconds between two progress notifications; 10 000 by default. */
  progressIntervalMs?: number | undefined;
  /** Milliseconds after which a run that never reported its end counts as dead; 600 000 by default. */
  leaseMs?: number | undefined;
  /** Hooks for the stages of every question, and objects with methods decorated as hooks, in order. */
  hooks?: readonly object[] | undefined;
}

/** With the context of a call as one SDK hands it over. */
export interface OptionsIn<Context> extends CommonOptions {
  /** The caller; by default the subject of the access token, otherwise the client's name, unverified. */
  principal?: PrincipalOption<Context> | undefined;
  /**
   * Sends the caller's access token along with each question, so that the orchestrator verifies the requester itself; it
   * keeps nothing of it. For a server whose issuer is configured there.
   */
  sendAccessToken?: boolean | undefined;
}

/** What an adapter works with. */
export interface Binding<Context> {
  client: AssentryClient;
  settings: RunSettings;
  principal: PrincipalOption<Context> | undefined;
  sendAccessToken: boolean;
}

/**
 * The options with their defaults; throws `config-invalid` if the orchestrator's address or this server's key is
 * missing, or if there is no such option or value.
 */
export function readOptions<Context>(options: OptionsIn<Context>): Binding<Context> {
  assertOptions(options);
  const settings = readSettings(options);
  const { client = shareClient(options), principal, sendAccessToken = false } = options;
  return { client, settings, principal, sendAccessToken };
}

/** For code without types. */
function assertOptions(options: OptionsIn<never>): void {
  assertNames('assentry', options, optionNames);
  const { withoutElicitation = 'link' } = options;
  if (withoutElicitations.includes(withoutElicitation)) return;
  throw new Problem('config-invalid', { detail: `Give withoutElicitation as ${withoutElicitations.join(', ')}.` });
}

const optionNames = Object.keys({
  url: true,
  apiKey: true,
  client: true,
  holdTimeoutMs: true,
  ttl: true,
  withoutElicitation: true,
  progressIntervalMs: true,
  leaseMs: true,
  hooks: true,
  principal: true,
  sendAccessToken: true,
} satisfies Record<keyof OptionsIn<never>, true>);

/** How calls are run, with its defaults. */
export function readSettings(options: CommonOptions): RunSettings {
  const { holdTimeoutMs, ttl, withoutElicitation = 'link', progressIntervalMs = 10_000, leaseMs = 600_000 } = options;
  const hooks = readHooks(options.hooks ?? []);
  return { holdTimeoutMs, ttl, withoutElicitation, progressIntervalMs, leaseMs, hooks };
}
