import { nearestName } from '#platform/text/nearest-name';
import { hasHiddenCharacters } from '#platform/text/hidden-characters';

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

/** A hint for showing, never for deciding: the names of each kind of group, in the order in which the caller wrote them. */
export type KeyOrders = string[][];

/** More kinds than this are shown sorted. */
const maxOrders = 200;

/** The orders that differ from the sorted one, each once. */
export function keyOrdersOf(value: unknown): KeyOrders {
  const orders = new Map<string, string[]>();
  const collect = (member: unknown): void => {
    if (!isCollection(member)) return;
    if (!Array.isArray(member)) {
      const names = Object.keys(member);
      const kind = kindOf(names);
      if (kind !== JSON.stringify(names) && orders.size < maxOrders && !orders.has(kind)) orders.set(kind, names);
    }
    for (const inner of Object.values(member)) collect(inner);
  };
  collect(value);
  return [...orders.values()];
}

/** The same value with its groups in these orders; a group that none of them fits exactly keeps its own. */
export function inOrders(value: unknown, orders: KeyOrders): unknown {
  if (orders.length === 0) return value;
  const byKind = new Map(orders.map((names) => [kindOf(names), names]));
  const arrange = (member: unknown): unknown => {
    if (!isCollection(member)) return member;
    if (Array.isArray(member)) return member.map(arrange);
    const names = byKind.get(kindOf(Object.keys(member))) ?? Object.keys(member);
    return Object.fromEntries(names.map((name) => [name, arrange((member as Record<string, unknown>)[name])]));
  };
  return arrange(value);
}

const kindOf = (names: readonly string[]): string =>
  JSON.stringify(names.toSorted((first, other) => (first < other ? -1 : 1)));

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

/** What the steps lead to in a JSON value; undefined if they lead nowhere. */
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

/** What is wrong with a pointer as text; null if nothing is. */
export const faultOfPath = (path: string): string | null =>
  path !== '' && readPointer(path) !== null ? null : 'Give a JSON Pointer into the arguments, such as /amount.';

/** What is wrong with a pointer into these arguments; null if it leads to one value or to a list of values. */
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

/** What takes more is folded, and is opened before anyone approves. Characters of the text, or of the JSON. */
const maxCharacters = 600;
/** Lines of a text; of a list or a group, the values in it. */
const maxLines = 12;

/** One rule for texts, lists and groups. */
const isLong = ({ characters, lines }: Size): boolean => characters > maxCharacters || lines > maxLines;

export const isLongText = (text: string): boolean =>
  isLong({ characters: text.length, lines: text.split('\n', maxLines + 1).length });

interface Size {
  characters: number;
  lines: number;
}

interface Measured extends Size {
  /** JSON Pointers of the outermost long lists and groups in it, and of the long texts. */
  groups: string[];
  texts: string[];
}

/**
 * JSON Pointers of the values that must be opened: of long lists and groups the outermost, and every long text. The
 * arguments as a whole are never folded.
 */
export function longValues(args: Record<string, unknown>): string[] {
  const { groups, texts } = measure(args, []);
  return [...groups, ...texts];
}

function measure(value: unknown, steps: string[]): Measured {
  const pointer = writePointer(steps);
  if (!isCollection(value)) {
    const texts = typeof value === 'string' && isLongText(value) ? [pointer] : [];
    return { characters: JSON.stringify(value).length, lines: 1, groups: [], texts };
  }
  const own: Measured = { characters: 2, lines: 0, groups: [], texts: [] };
  for (const [name, member] of Object.entries(value)) {
    const { characters, lines, groups, texts } = measure(member, [...steps, name]);
    own.characters += characters + (Array.isArray(value) ? 1 : name.length + 4);
    own.lines += lines;
    for (const group of groups) own.groups.push(group);
    for (const text of texts) own.texts.push(text);
  }
  own.lines = Math.max(1, own.lines);
  return steps.length > 0 && isLong(own) ? { ...own, groups: [pointer] } : own;
}

/** What a person types before they approve: the value that a JSON Pointer leads to, or else this text. */
export interface ConfirmationRule {
  path: string | null;
  text: string | null;
}

export const maxTypedLength = 200;

/** The text to type. The tool's name stands in for an argument that is missing, is a group, or cannot be typed. */
export function textToType(
  { path, text: fixed }: ConfirmationRule,
  args: Record<string, unknown>,
  tool: string,
): string {
  const value = path === null ? fixed : follow(args, readPointer(path) ?? []);
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? fold(String(value)) : '';
  return text !== '' && text.length <= maxTypedLength && !hasHiddenCharacters(text) ? text : tool;
}

/** The same characters in any Unicode spelling; spaces around them do not count, and case does. */
export const isTyped = (text: string, typed: string): boolean => fold(typed) === fold(text);

const fold = (text: string): string => text.normalize('NFC').trim();

/** The words of a field's name, in lower case: `amountInCents`, `amount_in_cents` and `Amount in cents` have the same. */
export const nameWords = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
