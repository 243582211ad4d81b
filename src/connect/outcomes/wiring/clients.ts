import type { ServerOptions } from '#server/options';
import { readEvent } from '../../events/rules/read.ts';
import { sampleEvent } from '../../events/rules/sample.ts';
import type { OutcomeClient } from '../../providers/event.ts';
import type { OutcomeProvider } from '../../providers/provider.ts';
import { says, type ApiName } from '../../providers/signed-events.ts';
import { createCall, type OutcomeApi } from './api.ts';
import { docusignApi } from './docusign.ts';
import { stripeApi } from './stripe.ts';

const apis: Record<ApiName, OutcomeApi> = { stripe: stripeApi, docusign: docusignApi };

/** Providers at which people pay and sign; no provider is called before someone does. */
export const openOutcomes = (
  { outcomeProviders = [] }: Pick<ServerOptions, 'outcomeProviders'>,
  now: () => number,
): OutcomeClient[] => outcomeProviders.map((provider) => createOutcomeClient(provider, now));

/** One provider of payments or signatures. */
export function createOutcomeClient(provider: OutcomeProvider, now: () => number, timeoutMs = 10_000): OutcomeClient {
  const { key, label, pageHosts, servers, accounts, live, events, api } = provider;
  return {
    key,
    label,
    pageHosts,
    servers,
    kinds: events.kinds,
    live: says(events, 'isLive') ? live : null,
    payees: says(events, 'payee') ? accounts : [],
    settlesWithin: millisecondsOf(events.settlesWithin),
    sample: (parts, moment) => sampleEvent(provider, parts, moment),
    read: (body, headers, moment) => readEvent(provider, body, headers, moment),
    ...(api && events.api && apis[events.api.name](provider, api, createCall(api, timeoutMs), now)),
  };
}

/** Reads `14d` or `12h`. */
const millisecondsOf = (duration: string): number =>
  Number.parseInt(duration, 10) * (duration.endsWith('d') ? 86_400_000 : 3_600_000);
