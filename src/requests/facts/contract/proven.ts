import { z } from 'zod';
import { minus } from '#platform/model/decimal';
import { ElicitationId } from '../../asking/contract/open.ts';

/** Content of an accept by a provider: what it has confirmed. */
export const ProvenOutcome = z.object({
  provider: z.string(),
  /** The provider's id of the payment or the envelope. */
  object: z.string(),
  /** ISO 8601. */
  at: z.string(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  payee: z.string().optional(),
  /** SHA-256 in hex. */
  document: z.string().optional(),
  signer: z.string().optional(),
});

/** What a provider has confirmed in an earlier step of the same call. */
export const ProvenStep = ProvenOutcome.extend({
  elicitation: ElicitationId,
  /** Action digest of that request. */
  digest: z.string(),
  kind: z.enum(['payment', 'signature']),
  /** What was paid for or signed. */
  for: z.string(),
}).meta({ id: 'ProvenStep' });
export type ProvenStep = z.infer<typeof ProvenStep>;

/** The parts of a step in one line, such as `100.00 EUR · “Order 1042” · cs_1`: what the server calls it stands in quotes. */
export const provenText = ({ amount, currency, for: purpose, signer, object }: ProvenStep): string => {
  const money = amount === undefined ? [] : [`${amount} ${currency}`];
  return [...money, `“${purpose}”`, ...(signer === undefined ? [] : [signer]), object].join(' · ');
};

/**
 * Does what was confirmed stand for what an approval was given after? Of a payment, at least as much money of the same currency
 * for the same payee, at the same provider; of a signature, one under the same name there.
 */
export function standsFor(confirmed: ProvenStep | undefined, approved: ProvenStep): boolean {
  if (confirmed?.kind !== approved.kind || confirmed.provider !== approved.provider) return false;
  if (approved.kind === 'signature') return confirmed.for === approved.for;
  const isSame = confirmed.currency === approved.currency && confirmed.payee === approved.payee;
  return isSame && !minus(confirmed.amount ?? 0, approved.amount ?? 0).startsWith('-');
}
