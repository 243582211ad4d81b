import canonicalize from 'canonicalize';

// The package is CommonJS whose module is the function itself; its type declaration claims a default export.
const serialize = canonicalize as unknown as (value: unknown) => string | undefined;

/** One line of the arguments as they are laid out: a name and its value, or the name of a group that follows. */
export interface ArgumentRow {
  /** From the root, such as "recipients[2].iban": unique, and what a collapsed value is known by. */
  path: string;
  depth: number;
  name: string;
  kind: 'text' | 'number' | 'boolean' | 'null' | 'group' | 'list';
  /** Text without its quotes, numbers and words as JSON writes them; for groups and lists how many members they have. */
  value: string;
}

/**
 * Lays canonical JSON out, whole: every byte of it can be read off the rows.
 * Null if the text is not canonical, or too deep: then it must be shown as it is.
 */
export function layOutArguments(json: string): ArgumentRow[] | null {
  try {
    const value: unknown = JSON.parse(json);
    // Two equal names, or a number JavaScript cannot keep, would be lost in parsing without a trace.
    if (serialize(value) !== json) return null;
    return isCollection(value) ? rowsIn(value, '', 0) : [rowOf(value, '', '', 0)];
  } catch {
    return null;
  }
}

/** Long values are collapsed, and must be opened before anyone approves. */
export const isLongValue = (value: string): boolean => value.length > 600 || value.split('\n', 13).length > 12;

function rowsIn(value: object, path: string, depth: number): ArgumentRow[] {
  return membersOf(value, path).flatMap(([name, member, memberPath]) => {
    const row = rowOf(member, name, memberPath, depth);
    return isCollection(member) ? [row, ...rowsIn(member, memberPath, depth + 1)] : [row];
  });
}

function membersOf(value: object, path: string): [name: string, member: unknown, path: string][] {
  if (Array.isArray(value)) {
    return value.map((member: unknown, at) => [`[${at}]`, member, `${path}[${at}]`]);
  }
  const names = Object.keys(value).sort();
  return names.map((name) => [name, (value as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`]);
}

function rowOf(value: unknown, name: string, path: string, depth: number): ArgumentRow {
  const at = { path, depth, name };
  if (typeof value === 'string') return { ...at, kind: 'text', value };
  if (Array.isArray(value)) return { ...at, kind: 'list', value: `${value.length}` };
  if (isCollection(value)) return { ...at, kind: 'group', value: `${Object.keys(value).length}` };
  const kind = value === null ? 'null' : typeof value === 'number' ? 'number' : 'boolean';
  return { ...at, kind, value: JSON.stringify(value) };
}

const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;
