import jsonc from 'jsonc-parser';
import { isObject } from '../../../frames/frame/frame.ts';
import { styleOf } from '../../../import/rewrite/rewrite.ts';
import type { HookFile, HookWords } from '../adapter/adapter.ts';
import { mark } from './hook-command.ts';

interface JsonHooks {
  /** The names of the events, by which hooks are listed. */
  events: readonly string[];
  /** What is listed, by event. */
  groupsOf(words: HookWords): Readonly<Record<string, object>>;
  /** Members that the file needs. */
  needs?: Readonly<Record<string, unknown>>;
  /** Members of the listed hook that must be as they were installed. */
  fixed: readonly string[];
}

/** Hooks as lists in a file of JSON, with or without comments, under `hooks` and the name of an event. */
export function jsonHooks({ events, groupsOf, needs = {}, fixed }: JsonHooks): HookFile {
  const add = (text: string, words: HookWords): string | null => {
    const listed = Object.entries(groupsOf(words));
    const groups = groupsIn(text, events);
    if (!groups) return null;
    const own = groups.filter(({ value }) => isOwn(value));
    const isThere = listed.every(([name, group]) =>
      own.some(({ event, value }) => event === name && sameText(value, group)),
    );
    if (isThere && own.length === listed.length) return text;
    const cleaned = remove(text) ?? text;
    const prepared = Object.entries(needs).reduce(
      (rest, [name, value]) => (name in (parse(rest) ?? {}) ? rest : set(rest, [name], value)),
      cleaned,
    );
    return listed.reduce((rest, [event, group]) => set(rest, ['hooks', event, atEnd], group), prepared);
  };
  const remove = (text: string): string | null => {
    const groups = groupsIn(text, events);
    if (!groups) return null;
    const own = groups.filter(({ value }) => isOwn(value)).toReversed();
    if (own.length === 0) return text;
    const cleaned = own.reduce((rest, { event, at }) => set(rest, ['hooks', event, at], undefined), text);
    const emptied = [...events.map((event) => ['hooks', event]), ['hooks']];
    return emptied.reduce((rest, place) => (holdsNothing(rest, place) ? set(rest, place, undefined) : rest), cleaned);
  };
  return {
    empty: '{}\n',
    add,
    remove,
    isEmpty: (text) => Object.keys(parse(text) ?? { unread: true }).every((name) => name in needs),
    check(file, text) {
      if (text === null) return [notInstalled];
      const groups = groupsIn(text, events);
      if (!groups) return [`${file} is not valid JSON, so its hooks may not run.`];
      const own = groups.filter(({ value }) => isOwn(value)).map(({ value }) => value as Record<string, unknown>);
      if (own.length === 0) return [notInstalled];
      const listed = groupsOf({ program: [], directory: '', event: 'PreToolUse', timeout: 0 });
      const [usual = {}] = Object.values(listed) as Record<string, unknown>[];
      const isChanged = own.some((group) => fixed.some((name) => group[name] !== usual[name]));
      return isChanged ? [`The hook in ${file} leaves tools out: ${again}.`] : [];
    },
  };
}

export const again = 'run "assentry hook install --write" again';
export const notInstalled = 'The hook is not installed: run "assentry hook install --write".';

/** Is it the hook of Assentry? */
export const isOwn = (group: unknown): boolean => JSON.stringify(group).includes(mark);

/** The settings as an object; null if they are none. */
export function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  const errors: jsonc.ParseError[] = [];
  const value = jsonc.parse(text, errors, { allowTrailingComma: true }) as unknown;
  return errors.length === 0 && isObject(value) ? value : null;
}

/** The hooks of these events; null if the text cannot be read. */
export function groupsIn(
  text: string | null,
  events: readonly string[],
): { event: string; at: number; value: unknown }[] | null {
  const root = parse(text);
  if (root === null) return null;
  const hooks = isObject(root['hooks']) ? root['hooks'] : {};
  return events.flatMap((event) => {
    const groups = Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : [];
    return groups.map((value, at) => ({ event, at, value }));
  });
}

const sameText = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Is there nothing at this place in the settings? */
function holdsNothing(text: string, place: string[]): boolean {
  const value = place.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), parse(text));
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** A place in a list, as jsonc-parser has it. */
const atEnd = -1;

const set = (text: string, place: jsonc.JSONPath, value: unknown): string =>
  jsonc.applyEdits(text, jsonc.modify(text, place, value, { formattingOptions: styleOf(text) }));
