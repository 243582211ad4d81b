import type { SaidFacts } from './event.ts';
import type { ExpectedPayment } from './expects.ts';

/** Digits of the minor unit by ISO 4217, of the currencies in use; each other text is no currency. */
const currencies: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW
    KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP
    PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD
    UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};
const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(currencies).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** Digits of minor units where a provider departs from ISO 4217. */
type OtherDigits = Readonly<Record<string, number>>;

const digitsAt = (currency: string, others: OtherDigits): number | undefined =>
  Object.hasOwn(others, currency) ? others[currency] : digitsOf.get(currency);

/** The decimal of an amount in the minor unit: 10050 in EUR is 100.50. Null if it is no whole number of a known currency. */
export function fromMinor(amount: string, currency: string, others: OtherDigits = {}): string | null {
  const digits = digitsAt(currency, others);
  if (digits === undefined || !/^\d{1,18}$/.test(amount)) return null;
  if (digits === 0) return plain(amount);
  const text = amount.padStart(digits + 1, '0');
  return `${plain(text.slice(0, -digits))}.${text.slice(-digits)}`;
}

/** The amount in the minor unit: 100.5 in EUR is 10050. Null if the currency is unknown or has fewer digits. */
export function toMinor(amount: string, currency: string, others: OtherDigits = {}): string | null {
  const digits = digitsAt(currency, others);
  const { whole, fraction } = decimalOf(amount) ?? {};
  if (digits === undefined || whole === undefined || fraction === undefined || fraction.length > digits) return null;
  return plain(whole + fraction.padEnd(digits, '0'));
}

const differences = ['amount', 'currency', 'payee', 'isLive'] as const;
export type Difference = (typeof differences)[number];

/** Settings of a provider that its payments are compared with, besides the expectation. */
interface Ours {
  /** Who may get money, the usual one first; empty where the provider names none. */
  payees: readonly string[];
  /** Null where the provider does not say whether money is live. */
  live: boolean | null;
}

/**
 * Is it the payment that was expected, to the last digit, for the same payee and in the same mode? A fact that the provider
 * leaves out differs.
 */
export function comparePayment(
  expected: Pick<ExpectedPayment, 'amount' | 'currency' | 'payee'>,
  { payees, live }: Ours,
  facts: SaidFacts,
): 'fits' | { differs: Difference[] } {
  const payee = expected.payee ?? payees[0];
  const fits: Record<Difference, boolean> = {
    amount: facts.amount !== undefined && isSameDecimal(facts.amount, expected.amount),
    currency: facts.currency === expected.currency,
    payee: payee === undefined || facts.payee === payee,
    isLive: live === null || facts.isLive === live,
  };
  const differs = differences.filter((name) => !fits[name]);
  return differs.length === 0 ? 'fits' : { differs };
}

function isSameDecimal(left: string, right: string): boolean {
  const [first, second] = [decimalOf(left), decimalOf(right)];
  return first !== null && first.whole === second?.whole && first.fraction === second.fraction;
}

/** Is it a plain decimal of money? */
export const isDecimal = (text: string): boolean => decimalOf(text) !== null;

/** Its digits before and after the point, without zeros that say nothing. */
function decimalOf(text: string): { whole: string; fraction: string } | null {
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  return whole === undefined ? null : { whole: plain(whole), fraction: fraction.replace(/0+$/, '') };
}

const plain = (digits: string): string => digits.replace(/^0+(?=\d)/, '');
