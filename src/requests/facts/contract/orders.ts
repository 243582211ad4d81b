import { hasHiddenCharacters } from '#platform/text/hidden-characters';
import { readPointer, writePointer, follow, isCollection } from './facts.ts';

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

/** Longer values are folded, and are opened before anyone approves. Characters of the text, or of the JSON. */
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

/** The text to type before an approval: the value that a JSON Pointer leads to, or else this text. */
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
