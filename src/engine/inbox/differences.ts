/** One value that differs. What was added has no `before`, what was removed no `after`. */
export interface Difference {
  /** From the root, such as `recipients[2].iban`; empty for the whole. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** The smallest parts in which two JSON values differ, in the order of their names. */
export function differencesIn(before: unknown, after: unknown, path = ''): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, recent] = [membersOf(before, path), membersOf(after, path)];
  if (!old || !recent || Array.isArray(before) !== Array.isArray(after)) return [{ path, before, after }];
  return [...new Set([...old.keys(), ...recent.keys()])].flatMap((at): Difference[] => {
    if (!recent.has(at)) return [{ path: at, before: old.get(at) }];
    if (!old.has(at)) return [{ path: at, after: recent.get(at) }];
    return differencesIn(old.get(at), recent.get(at), at);
  });
}

/** By the path of each; null if it has no members. */
function membersOf(value: unknown, path: string): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return new Map(value.map((member: unknown, at) => [`${path}[${at}]`, member]));
  return new Map(Object.entries(value).map(([name, member]) => [path === '' ? name : `${path}.${name}`, member]));
}
