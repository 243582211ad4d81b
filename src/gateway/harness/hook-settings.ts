import jsonc from 'jsonc-parser';
import { isObject } from '../frames/frame.ts';
import { styleOf } from '../import/rewrite.ts';
import { hookEvents, type Harness, type HookEventName } from './hook-event.ts';

/** How the hook is run. */
export interface HookWords {
  /** The program, and its first words. */
  program: readonly string[];
  /** Where Assentry keeps its data. */
  directory: string;
  event: HookEventName;
  /** Seconds that the harness waits for the hook. */
  timeout: number;
}

/** Every tool: policies say which of them run freely, so that a tool of a later version is held. */
export const hookMatcher = '*';

/** The settings with the hook of Assentry; null if they are not JSON, with or without comments. */
export function addHook(text: string, harness: Harness, words: HookWords): string | null {
  const group = groupOf(harness, words);
  const groups = groupsIn(text);
  if (!groups) return null;
  const own = groups.filter(({ value }) => isOwnGroup(value));
  const isThere = own.length === 1 && own[0]?.event === words.event && sameText(own[0].value, group);
  if (isThere) return text;
  const cleaned = removeHook(text) ?? text;
  return set(cleaned, ['hooks', words.event, atEnd], group);
}

/** The settings without it; all else stays. */
export function removeHook(text: string): string | null {
  const groups = groupsIn(text);
  if (!groups) return null;
  const own = groups.filter(({ value }) => isOwnGroup(value)).toReversed();
  const cleaned = own.reduce((rest, { event, at }) => set(rest, ['hooks', event, at], undefined), text);
  if (own.length === 0) return text;
  const emptied = [...hookEvents.map((event) => ['hooks', event]), ['hooks']];
  return emptied.reduce((rest, place) => (isEmpty(rest, place) ? set(rest, place, undefined) : rest), cleaned);
}

/**
 * Whatever keeps the hook from answering blocks the call: a harness goes on if a hook fails with another code than 2, or
 * with 2 and no words.
 */
const failure = `{ echo 'The hook of Assentry could not run, so nothing was run.' >&2; exit 2; }`;

function groupOf(harness: Harness, { program, directory, timeout }: HookWords) {
  const words = [...program, 'hook', harness, '--timeout', String(timeout), '--data-dir', directory];
  const command = `${words.map(quote).join(' ')} || ${failure}`;
  return { matcher: hookMatcher, hooks: [{ type: 'command', command, timeout }] };
}

const quote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The groups of hooks of both events; null if the text cannot be read. */
function groupsIn(text: string): { event: HookEventName; at: number; value: unknown }[] | null {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parse(text, errors, { allowTrailingComma: true }) as unknown;
  if (errors.length > 0 || !isObject(root)) return null;
  const hooks = isObject(root['hooks']) ? root['hooks'] : {};
  return hookEvents.flatMap((event) => {
    const groups = Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : [];
    return groups.map((value, at) => ({ event, at, value }));
  });
}

export const isOwnGroup = (group: unknown): boolean =>
  JSON.stringify(group).includes('The hook of Assentry could not run');
const sameText = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Nothing is at this place in the settings. */
export function isEmpty(text: string, place: string[]): boolean {
  const value = place.reduce<unknown>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    jsonc.parse(text, [], { allowTrailingComma: true }),
  );
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** A place in a list, as jsonc-parser has it. */
const atEnd = -1;

const set = (text: string, place: jsonc.JSONPath, value: unknown): string =>
  jsonc.applyEdits(text, jsonc.modify(text, place, value, { formattingOptions: styleOf(text) }));
