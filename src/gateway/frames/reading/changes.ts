import { isObject } from '../frame/frame.ts';

/** Makes of a value the one in its place: the same value if there is nothing to change. */
export type Change = (value: unknown) => unknown;

/** Changes these members of an object. */
export const members =
  (changes: Readonly<Record<string, Change>>): Change =>
  (value) =>
    isObject(value)
      ? Object.entries(changes).reduce((object, [member, change]) => changed(object, member, change), value)
      : value;

function changed(object: Record<string, unknown>, member: string, change: Change): Record<string, unknown> {
  if (object[member] === undefined) return object;
  const value = change(object[member]);
  return value === object[member] ? object : { ...object, [member]: value };
}

/** Changes each entry of a list. */
export const entries =
  (change: Change): Change =>
  (value) => {
    if (!Array.isArray(value)) return value;
    const list: unknown[] = value.map((entry) => change(entry));
    return list.some((entry, at) => entry !== value[at]) ? list : value;
  };

/** Changes each member of an object, whatever it is called. */
export const each =
  (change: Change): Change =>
  (value) =>
    isObject(value) ? members(Object.fromEntries(Object.keys(value).map((name) => [name, change])))(value) : value;

export const text =
  (change: (text: string) => string): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;
