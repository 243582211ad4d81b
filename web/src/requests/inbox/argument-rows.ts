import { canonicalText } from '#platform/model/hashed-text';
import { isCollection, showStep, writePointer } from '#requests/facts/contract/facts';
import { inOrders, type KeyOrders } from '#requests/facts/contract/orders';

/** One line of the laid out arguments: a name and its value, or the name of a group that follows. */
export interface ArgumentRow {
  /** From the root, such as `recipients[2].iban`; a name with a point, bracket or space stands in quotes. */
  path: string;
  /** The path as a JSON Pointer, which is unique. */
  pointer: string;
  depth: number;
  name: string;
  kind: 'text' | 'number' | 'boolean' | 'null' | 'group' | 'list';
  /** Text without its quotes, numbers and words as in JSON; for groups and lists the number of members. */
  value: string;
}

/**
 * Lays canonical JSON out, complete, in the caller's order: every byte of it can be read off the rows. Null if the text is not
 * canonical, or too deep: then it must be shown unchanged.
 */
export function layOutArguments(json: string, keyOrders: KeyOrders = []): ArgumentRow[] | null {
  try {
    const value: unknown = JSON.parse(json);
    // Two equal names, or a number JavaScript cannot keep, would be lost in parsing without a trace.
    if (canonicalText(value) !== json) return null;
    const ordered = inOrders(value, keyOrders);
    return isCollection(ordered)
      ? rowsIn(ordered, { path: '', steps: [], depth: 0 })
      : [rowOf(value, { path: '', steps: [], depth: 0 })];
  } catch {
    return null;
  }
}

interface Place {
  path: string;
  steps: string[];
  depth: number;
}

function rowsIn(value: object, place: Place): ArgumentRow[] {
  const rows: ArgumentRow[] = [];
  for (const [name, member] of membersOf(value)) {
    const at = memberPlace(place, name, Array.isArray(value));
    rows.push(rowOf(member, at));
    if (isCollection(member)) for (const row of rowsIn(member, at)) rows.push(row);
  }
  return rows;
}

const membersOf = (value: object): [name: string, member: unknown][] =>
  Array.isArray(value) ? value.map((member: unknown, at) => [`${at}`, member]) : Object.entries(value);

function memberPlace({ path, steps, depth }: Place, name: string, isItem: boolean): Place & { name: string } {
  const own = isItem ? `[${name}]` : showStep(name);
  const joined = isItem || path === '' ? `${path}${own}` : `${path}.${own}`;
  return { path: joined, steps: [...steps, name], depth: steps.length === 0 ? 0 : depth + 1, name: own };
}

function rowOf(value: unknown, { path, steps, depth, name = '' }: Place & { name?: string }): ArgumentRow {
  const at = { path, pointer: writePointer(steps), depth, name };
  if (typeof value === 'string') return { ...at, kind: 'text', value };
  if (Array.isArray(value)) return { ...at, kind: 'list', value: `${value.length}` };
  if (isCollection(value)) return { ...at, kind: 'group', value: `${Object.keys(value).length}` };
  const kind = value === null ? 'null' : typeof value === 'number' ? 'number' : 'boolean';
  return { ...at, kind, value: JSON.stringify(value) };
}
