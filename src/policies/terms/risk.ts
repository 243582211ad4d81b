import { z } from 'zod';
import { risks, type Risk } from '#requests/asking/contract/elicitation';
import { orNull, defineTerm } from '../document/rules/term.ts';

/** Risk shown in the console; null is as computed. */
export const risk = defineTerm({
  key: 'risk',
  schema: z.enum(risks).describe('The risk the console shows; computed if absent.').optional().transform(orNull),
  stricter: higherRisk<Risk | null>,
  clauses: (value) => (value === null ? [] : [{ kind: 'risk', risk: value }]),
});

export function higherRisk<T extends Risk | null>(first: T, other: T): T {
  if (first === null) return other;
  return other !== null && risks.indexOf(other) > risks.indexOf(first) ? other : first;
}
