import { writePointer } from '../../../facts/contract/facts/pointer.ts';

/** One value that differs. What was added has no `before`, what was removed no `after`. */
export interface Difference {
  /** From the root, such as `recipients[2].iban`; empty for the whole. */
  path: string;
  /** The same as a JSON Pointer. */
  pointer: string;
  before?: unknown;
  after?: unknown;
}

/** The smallest parts in which two JSON values differ, in the order of their names. */
export function differencesIn(before: unknown, after: unknown, path = '', steps: string[] = []): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const at = { path, pointer: writePointer(steps) };
  const [old, recent] = [membersOf(before), membersOf(after)];
  if (!old || !recent || Array.isArray(before) !== Array.isArray(after)) return [{ ...at, before, after }];
  const pathTo = (name: string): string =>
    Array.isArray(after) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
  return [...new Set([...old.keys(), ...recent.keys()])].flatMap((name): Difference[] => {
    const member = { path: pathTo(name), pointer: writePointer([...steps, name]) };
    if (!recent.has(name)) return [{ ...member, before: old.get(name) }];
    if (!old.has(name)) return [{ ...member, after: recent.get(name) }];
    return differencesIn(old.get(name), recent.get(name), member.path, [...steps, name]);
  });
}

/** By the name of each; null if it has no members. */
const membersOf = (value: unknown): Map<string, unknown> | null =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
