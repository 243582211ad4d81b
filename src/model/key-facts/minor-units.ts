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
  const words = new Set(steps.flatMap(wordsOf));
  return minorUnits.find((unit) => [...words].some((word) => names[unit].has(word))) ?? null;
}

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
