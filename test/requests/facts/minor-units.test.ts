import { expect, test } from '@jest/globals';
import { minorUnitOf } from '#requests/facts/contract/facts';
import { showFacts } from '#requests/facts/contract/shown';

test.each([
  ['amount_cents', 'cents'],
  ['amountCents', 'cents'],
  ['amountInCents', 'cents'],
  ['total_pence', 'cents'],
  ['price_micros', 'micros'],
  ['amount_minor', 'minor'],
  ['valueWei', 'minor'],
  ['amount', null],
  ['percent', null],
  ['recent_total', null],
])('%s is counted in %j', (name, unit) => {
  expect(minorUnitOf([name])).toBe(unit);
});

test('an amount in a smaller unit is shown without its currency, chosen by rule or named', () => {
  const args = { payment: { amount_cents: 48_000_000, currency: 'EUR' }, to: 'Bob' };
  const shown = {
    value: '48000000',
    minor: { unit: 'cents', currency: 'EUR' },
    paths: ['/payment/amount_cents', '/payment/currency'],
  };
  const named = [{ label: 'Amount', path: '/payment/amount_cents' }];
  for (const facts of [showFacts(args, [], []), showFacts(args, named, [])]) expect(facts[0]).toMatchObject(shown);
  const [whole] = showFacts({ amount: 480, currency: 'EUR' }, [], []);
  expect(whole).toMatchObject({ value: '480 EUR', minor: null });
});
