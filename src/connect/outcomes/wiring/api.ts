import { sendGuarded } from '#platform/http/client/guarded-request';
import { createReach, loopbackNetworks } from '#platform/http/client/reachable-addresses';
import { isLoopback } from '#platform/model/names';
import { Problem } from '#platform/model/problem';
import type { OutcomeClient, SaidObject } from '../../providers/event.ts';
import type { ApiAccess, OutcomeProvider } from '../../providers/provider.ts';

/** Calls an API: bounded in time and size, without redirects. Problem `provider-unavailable` if it does not answer. */
export type Call = (url: string, request?: RequestInit, maxBytes?: number) => Promise<Response>;

/** What an API adds to a client. */
export type OutcomeApi = (
  provider: OutcomeProvider,
  access: ApiAccess,
  call: Call,
  now: () => number,
) => Pick<OutcomeClient, 'create' | 'look'>;

/** What a look says of an object that the provider does not know. */
export const unknownObject: SaidObject = { verdict: 'nothing', reference: null, object: null, facts: {} };

export function createCall({ url: base }: ApiAccess, timeoutMs: number): Call {
  // Only an operator who tries it out names this machine.
  const mayReach = createReach(isLoopback(base) ? loopbackNetworks : []);
  return async (url, request = {}, maxBytes = 1024 * 1024) => {
    const answer = await sendGuarded(new URL(url), request, { mayReach, timeoutMs, maxBytes }).catch(
      (cause: unknown) => {
        throw new Problem('provider-unavailable', { cause });
      },
    );
    const { status } = answer;
    const isDown = status === 408 || status === 429 || status >= 500 || (status >= 300 && status < 400);
    if (isDown) throw new Problem('provider-unavailable', { cause: new Error(`the answer is ${status}`) });
    return answer;
  };
}
