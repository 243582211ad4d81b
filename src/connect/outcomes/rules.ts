import { Problem } from '#platform/model/problem';
import type { OutcomeClient } from '../providers/event.ts';
import type { ExpectedPayment, ExpectedSignature } from '../providers/expects.ts';

export type Wanted = ExpectedPayment | ExpectedSignature;

/** The client of this provider; problem `provider-not-configured`, with the line to add, if the server may not use it so. */
export function outcomeClientFor(
  { outcomes }: { outcomes: readonly OutcomeClient[] },
  server: string,
  wanted: Wanted,
): OutcomeClient {
  const client = outcomes.find(({ key }) => key === wanted.provider);
  const fault = client ? faultOfClient(client, server, wanted) : `Ask an operator to set up ${placeOf(wanted)}.`;
  if (client && fault === null) return client;
  throw new Problem('provider-not-configured', { detail: fault ?? undefined });
}

const placeOf = ({ provider }: Wanted): string => `"${provider}" in ASSENTRY_PROVIDERS`;

function faultOfClient(client: OutcomeClient, server: string, wanted: Wanted): string | null {
  if (!client.kinds.includes(wanted.kind)) return `Use another provider: ${client.label} knows no ${wanted.kind}.`;
  if (!client.servers.includes(server))
    return `Ask an operator to add "${server}" to the "servers" of ${placeOf(wanted)}.`;
  if (!client.create && !wanted.made) return `Make it yourself: ${client.label} lets Assentry only hear what happened.`;
  const payee = wanted.kind === 'payment' ? wanted.payee : undefined;
  if (payee === undefined || client.payees.includes(payee)) return null;
  return `Ask an operator to add "${payee}" to the "accounts" of ${placeOf(wanted)}.`;
}
