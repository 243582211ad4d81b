import { isCollection } from './key-fact.ts';

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
