import type { Facts } from '../../../document/rules/document/facts.ts';

/** The same facts without the hint that the tool only reads; null if that hint may count. */
export function withoutHint(facts: Facts): Facts | null {
  const { request, unaccepted } = facts;
  if (!unaccepted || request.annotations['readOnlyHint'] !== true) return null;
  const annotations = { ...request.annotations, readOnlyHint: false };
  return { ...facts, request: { ...request, annotations, risk: request.risk === 'low' ? 'medium' : request.risk } };
}

/** The facts as the server states them and, if no one has accepted the tool's definition, without its hint. */
export function readingsOf(facts: Facts): Facts[] {
  const bare = withoutHint(facts);
  return bare === null ? [facts] : [facts, bare];
}
