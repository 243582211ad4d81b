import { expect, test } from '@jest/globals';
import { comparePayment, fromMinor, toMinor, type Difference } from '#connect/providers/money';
import type { SaidFacts } from '#connect/providers/event';
import { drawFrom } from '../../support/draw.ts';
import { seedOf } from '../../support/runs.ts';

const expected = { amount: '100.00', currency: 'EUR' };
const ours = { payees: ['acct_own', 'acct_other'], live: true };
const facts: SaidFacts = { amount: '100.00', currency: 'EUR', payee: 'acct_own', isLive: true };

test.each<[string, SaidFacts, 'fits' | Difference[]]>([
  ['the same', facts, 'fits'],
  ['another spelling', { ...facts, amount: '100.0' }, 'fits'],
  ['no point', { ...facts, amount: '100' }, 'fits'],
  ['a zero before', { ...facts, amount: '0100.00' }, 'fits'],
  ['a cent less', { ...facts, amount: '99.99' }, ['amount']],
  ['ten times as much', { ...facts, amount: '1000.00' }, ['amount']],
  ['a hundredth', { ...facts, amount: '1.00' }, ['amount']],
  ['what no double tells apart', { ...facts, amount: '100.00000000000000001' }, ['amount']],
  ['a power', { ...facts, amount: '1e2' }, ['amount']],
  ['a sign', { ...facts, amount: '+100.00' }, ['amount']],
  ['an empty text', { ...facts, amount: '' }, ['amount']],
  ['another currency', { ...facts, currency: 'USD' }, ['currency']],
  ['small letters', { ...facts, currency: 'eur' }, ['currency']],
  ['another payee', { ...facts, payee: 'acct_other' }, ['payee']],
  ['the test mode', { ...facts, isLive: false }, ['isLive']],
  ['nothing', {}, ['amount', 'currency', 'payee', 'isLive']],
])('a payment of 100.00 EUR is compared with %s', (_what, shown, result) => {
  expect(comparePayment(expected, ours, shown)).toEqual(result === 'fits' ? result : { differs: result });
});

test('the payee that was asked for gets it, or else the first one', () => {
  expect(comparePayment({ ...expected, payee: 'acct_other' }, ours, facts)).toEqual({ differs: ['payee'] });
  expect(comparePayment({ ...expected, payee: 'acct_other' }, ours, { ...facts, payee: 'acct_other' })).toBe('fits');
});

test('a provider that names no payee and no mode is not asked for them', () => {
  const { amount, currency } = expected;
  expect(comparePayment(expected, { payees: [], live: null }, { amount, currency })).toBe('fits');
  const payee = 'acct_own';
  expect(comparePayment({ ...expected, payee }, { payees: [], live: null }, { amount, currency })).toEqual({
    differs: ['payee'],
  });
});

test.each<[string, string, string | null]>([
  ['10000', 'EUR', '100.00'],
  ['1', 'EUR', '0.01'],
  ['0', 'EUR', '0.00'],
  ['99', 'USD', '0.99'],
  ['500', 'JPY', '500'],
  ['12345', 'KWD', '12.345'],
  ['12345', 'CLF', '1.2345'],
  ['999999999999999999', 'EUR', '9999999999999999.99'],
  ['900719925474099301', 'EUR', '9007199254740993.01'],
  ['-1', 'EUR', null],
  ['1.5', 'EUR', null],
  ['1e3', 'EUR', null],
  ['', 'EUR', null],
  ['100', 'XXX', null],
  ['100', 'eur', null],
  ['100', 'constructor', null],
])('%s in the minor unit of %s is %s', (minor, currency, amount) => {
  expect(fromMinor(minor, currency)).toBe(amount);
  if (amount !== null) expect(toMinor(amount, currency)).toBe(minor);
});

test('a provider may have other digits than ISO 4217', () => {
  expect(fromMinor('279000', 'ISK', { ISK: 2 })).toBe('2790.00');
  expect(fromMinor('2790', 'ISK')).toBe('2790');
  expect(fromMinor('5', 'USDC', { USDC: 6 })).toBe('0.000005');
});

test.each([
  ['100.001', 'EUR'],
  ['0.5', 'JPY'],
  ['1', 'XXX'],
  ['1,5', 'EUR'],
])('%s %s is no amount in the minor unit', (amount, currency) => {
  expect(toMinor(amount, currency)).toBeNull();
});

test('2,000 drawn payments fit exactly if each fact is the same number, text and mode', () => {
  const draw = drawFrom(seedOf('money'));
  const oneOf = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)] as T;
  const amounts = [
    '100.00',
    '100.0',
    '100',
    '0100',
    '100.01',
    '99.99',
    '1000',
    '1.00',
    '100.',
    '1e2',
    ' 100',
    '100,00',
  ];
  const [currencies, payees] = [
    ['EUR', 'USD', 'JPY', 'eur'],
    ['acct_own', 'acct_other', 'acct_evil'],
  ];
  const counts = { fits: 0, differs: 0 };
  for (let count = 0; count < 2000; count += 1) {
    const isClose = draw() < 0.5; // drawn alone, hardly any would fit
    const wish = {
      amount: oneOf(isClose ? amounts.slice(0, 3) : amounts.slice(0, 8)),
      currency: isClose ? 'EUR' : oneOf(currencies.slice(0, 3)),
      ...(!isClose && draw() < 0.5 && { payee: oneOf(payees.slice(0, 2)) }),
    };
    const client = { payees: oneOf([[], ['acct_own'], ['acct_own', 'acct_other']]), live: oneOf([true, false, null]) };
    const shown: SaidFacts = {
      ...(draw() < 0.95 && { amount: oneOf(isClose ? amounts.slice(0, 4) : amounts) }),
      ...(draw() < 0.95 && { currency: isClose ? 'EUR' : oneOf(currencies) }),
      ...(draw() < 0.9 && { payee: isClose ? 'acct_own' : oneOf(payees) }),
      ...(draw() < 0.9 && { isLive: oneOf([true, false]) }),
    };
    const result = comparePayment(wish, client, shown);
    const right = oracle(wish, client, shown);
    expect({ wish, client, shown, result }).toEqual({ wish, client, shown, result: right });
    counts[right === 'fits' ? 'fits' : 'differs'] += 1;
  }
  expect(Math.min(counts.fits, counts.differs)).toBeGreaterThan(200);
});

/** The same question in whole numbers: each amount in units of 10^-18. */
function oracle(
  wish: { amount: string; currency: string; payee?: string },
  client: { payees: string[]; live: boolean | null },
  shown: SaidFacts,
): 'fits' | { differs: string[] } {
  const differs: string[] = [];
  if (shown.amount === undefined || units(shown.amount) !== units(wish.amount)) differs.push('amount');
  if (wish.currency !== shown.currency) differs.push('currency');
  const [first] = client.payees;
  const payee = wish.payee === undefined ? first : wish.payee;
  if (payee !== undefined && payee !== shown.payee) differs.push('payee');
  if (client.live !== null && shown.isLive !== client.live) differs.push('isLive');
  return differs.length > 0 ? { differs } : 'fits';
}

function units(text: string): bigint | null {
  const [whole = '', fraction, more] = text.split('.');
  const isDigits = (part: string): boolean => part !== '' && [...part].every((digit) => '0123456789'.includes(digit));
  if (more !== undefined || !isDigits(whole) || (fraction !== undefined && !isDigits(fraction))) return null;
  return BigInt(whole) * 10n ** 18n + BigInt((fraction ?? '').padEnd(18, '0'));
}
