import { nameWords } from './name-words.ts';

/** What an amount is counted in, if not in its currency: hundredths, millionths, or the currency's own smallest unit. */
export const minorUnits = ['cents', 'micros', 'minor'] as const;
export type MinorUnit = (typeof minorUnits)[number];

const names: Record<MinorUnit, ReadonlySet<string>> = {
  cents: new Set(['cent', 'cents', 'pence', 'penny', 'pennies']),
  micros: new Set(['micro', 'micros']),
  minor: new Set(['minor', 'minors', 'sat', 'sats', 'satoshi', 'satoshis', 'wei', 'gwei', 'lamports', 'nanos']),
};

/** The unit that a name along the way says, such as `amount_cents` or `amountMinor`; null if none does. */
export function minorUnitOf(steps: string[]): MinorUnit | null {
  const words = new Set(steps.flatMap(nameWords));
  return minorUnits.find((unit) => [...words].some((word) => names[unit].has(word))) ?? null;
}
