import { Problem } from '#platform/model/problem';
import { comparePayment } from '../providers/money.ts';
import type { OutcomeClient, SaidObject, Verdict } from '../providers/event.ts';
import { isOutcome, type ExpectedOutcome, type Expects } from '../providers/expects.ts';

export type Wanted = ExpectedOutcome;

/** The client of this provider; problem `provider-not-configured`, with the line to add, if the server may not use it so. */
export function outcomeClientFor(
  { outcomes }: { outcomes: readonly OutcomeClient[] },
  server: string,
  expected: Wanted,
): OutcomeClient {
  const client = outcomes.find(({ key }) => key === expected.provider);
  const fault = client ? faultOfClient(client, server, expected) : `Ask an operator to set up ${placeOf(expected)}.`;
  if (client && fault === null) return client;
  throw new Problem('provider-not-configured', { detail: fault ?? undefined });
}

const placeOf = ({ provider }: Wanted): string => `"${provider}" in ASSENTRY_PROVIDERS`;

function faultOfClient(client: OutcomeClient, server: string, expected: Wanted): string | null {
  if (!client.kinds.includes(expected.kind)) return `Use another provider: ${client.label} knows no ${expected.kind}.`;
  if (!client.servers.includes(server))
    return `Ask an operator to add "${server}" to the "servers" of ${placeOf(expected)}.`;
  if (!client.create && !expected.made)
    return `Make it yourself: ${client.label} lets Assentry only hear what happened.`;
  const payee = expected.kind === 'payment' ? expected.payee : undefined;
  if (payee === undefined || client.payees.includes(payee)) return null;
  return `Ask an operator to add "${payee}" to the "accounts" of ${placeOf(expected)}.`;
}

/** Parts of what happened that are not as they were asked; empty if all are. */
export function differencesOf(
  expected: Wanted,
  client: Pick<OutcomeClient, 'payees' | 'live'>,
  { facts, object }: SaidObject,
  ownObject: string | null,
): string[] {
  const isOther = ownObject !== null && object !== null && object !== ownObject;
  const differs = isOther ? ['object'] : [];
  if (expected.kind === 'signature') return differs;
  const compared = comparePayment(expected, client, facts);
  return compared === 'fits' ? differs : [...differs, ...compared.differs];
}

/** Milliseconds until a provider is asked again: more after each time that it knew nothing. */
export const lookAgainAfter = (looks: number): number => Math.min(30_000 * 2 ** Math.min(looks, 7), 3_600_000);

/** Milliseconds until a provider is first asked, if no event comes. */
export const firstLookAfter = 60_000;

/** Is it the end, as far as the provider says? */
export const isFinal = (verdict: Verdict): boolean => ['accept', 'decline', 'cancel'].includes(verdict);

/** Milliseconds for which what is expected can stay unknown after the deadline; null if no outcome is expected. */
export const settlesWithinOf = (
  parts: { outcomes: readonly OutcomeClient[] },
  server: string,
  expects: Expects | undefined,
): number | null => (expects && isOutcome(expects) ? outcomeClientFor(parts, server, expects).settlesWithin : null);
