import { nearestName } from '#platform/text/nearest-name';

/** Units of an amount that is not in its currency: hundredths, millionths, or the currency's own smallest unit. */
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

/** The steps of a JSON Pointer (RFC 6901); null if the text is none. The empty text leads to the whole. */
export function readPointer(text: string): string[] | null {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return null;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export const writePointer = (steps: string[]): string =>
  steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Value at these steps in a JSON value; undefined if they lead nowhere. */
export function follow(value: unknown, [step, ...rest]: string[]): unknown {
  if (step === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)) return undefined;
  return follow((value as Record<string, unknown>)[step], rest);
}

/** A step as a label shows it: what could pass for more than one step, or for none, stands in quotes: `"to.name"`. */
export const showStep = (step: string): string => (/^[^\s.[\]"]+$/u.test(step) ? step : JSON.stringify(step));

/** A stored value that people see next to the buttons: what it is called, and a JSON Pointer into the arguments. */
export interface KeyFact {
  label: string;
  path: string;
}

/** More are not taken in before a decision. */
export const maxFacts = 5;

export const maxLabelLength = 40;

export const maxPathLength = 256;

/** The fault of a pointer as text; null if it has none. */
export const faultOfPath = (path: string): string | null =>
  path !== '' && readPointer(path) !== null ? null : 'Give a JSON Pointer into the arguments, such as /amount.';

/** The fault of a pointer into these arguments; null if it leads to one value or to a list of values. */
export function faultOfTarget(args: Record<string, unknown>, path: string): string | null {
  const target = follow(args, readPointer(path) ?? []);
  if (isFact(target)) return null;
  if (target !== undefined) return 'Point to one value or to a list of values: this is a group of them.';
  const [first = ''] = readPointer(path) ?? [];
  const near = Object.hasOwn(args, first) ? null : nearestName(first, Object.keys(args));
  return `Point to an argument of this call: ${path} leads nowhere.${near === null ? '' : ` Did you mean /${near}?`}`;
}

/** Can it be read at a glance? */
export const isFact = (value: unknown): boolean =>
  value !== undefined && (!isCollection(value) || (Array.isArray(value) && !value.some(isCollection)));

export const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * A value as it is read next to the buttons: a list in words where no comma, quotation mark or edge could be mistaken, and
 * everything else as it is stored.
 */
export function factText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every(isPlain)) return value.join(', ');
  return JSON.stringify(value);
}

/** Can it stand between commas without quotation marks? A text that reads as a number would be taken for one. */
const isPlain = (member: unknown): boolean =>
  typeof member === 'string'
    ? /^[^\s,"]/.test(member) &&
      /[^\s,"]$/.test(member) &&
      !/[,"\p{C}\p{Zl}\p{Zp}]/u.test(member) &&
      !readsAsJson.test(member)
    : !isCollection(member) && member !== null;

const readsAsJson = /^(?:-?\d[\d.]*(?:e[-+]?\d+)?|true|false|null|[[{].*)$/i;

/** The words of a field's name, in lower case: `amountInCents`, `amount_in_cents` and `Amount in cents` have the same. */
export const nameWords = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
