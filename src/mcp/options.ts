import type { AssentryClient } from '../client/client.ts';
import type { WithoutElicitation } from './channel.ts';
import { readHooks } from './hooks.ts';
import type { RunSettings } from './run.ts';
import { shareClient } from './shared-client.ts';

export interface CommonOptions {
  /** ASSENTRY_URL by default. */
  url?: string | undefined;
  /** ASSENTRY_API_KEY by default. */
  apiKey?: string | undefined;
  /** Instead of address and key. */
  client?: AssentryClient | undefined;
  /** Milliseconds a call is held for approvers: 50 000 by default, 600 000 where the caller hears progress. */
  patience?: number | undefined;
  /** Milliseconds a question stays open unless it says otherwise itself. */
  ttl?: number | undefined;
  /**
   * Where the client cannot ask its own person: `link`, the default, ends the call with the address of a page to answer
   * on, and the same call comes back to the answer; `relay` has the agent ask, and pass the answer on with the tool
   * `sendElicitationResult`; `deny` throws ElicitationNotSupportedError.
   */
  withoutElicitation?: WithoutElicitation | undefined;
  /** Milliseconds between two progress notifications; 10 000 by default. */
  progressEvery?: number | undefined;
  /** Milliseconds after which a run that never reported its end counts as dead; 600 000 by default. */
  deadAfter?: number | undefined;
  /** What takes part in the stages of every question: hooks, and objects with methods decorated as hooks, in order. */
  hooks?: readonly object[] | undefined;
}

/** What every adapter works with; `config-invalid` where the orchestrator's address or this server's key is missing. */
export function readOptions(options: CommonOptions): { client: AssentryClient; settings: RunSettings } {
  const { patience, ttl, withoutElicitation = 'link', progressEvery = 10_000, deadAfter = 600_000 } = options;
  const hooks = readHooks(options.hooks ?? []);
  const settings = { patience, ttl, withoutElicitation, progressEvery, deadAfter, hooks };
  return { client: options.client ?? shareClient(options), settings };
}
