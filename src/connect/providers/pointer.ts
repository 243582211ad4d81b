import { z } from 'zod';

/** Place of a value in a JSON document, by RFC 6901: `/owner/id`. */
export const Pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'Give a JSON Pointer such as /id.');

/** Value at this place; undefined if there is none. */
export const valueAt = (document: unknown, pointer: string): unknown =>
  partsOf(pointer).reduce<unknown>(memberOf, document);

const partsOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The document with this value at a place; what is on the way there is made, or replaced if it has no members. */
export function withValue(document: unknown, pointer: string, value: unknown): unknown {
  const place = (current: unknown, [name, ...rest]: string[]): unknown => {
    if (name === undefined) return value;
    const next = place(memberOf(current, name), rest);
    if (isIndex(name) && (current === undefined || Array.isArray(current)))
      return Object.assign([...((current as unknown[] | undefined) ?? [])], { [name]: next });
    return { ...(typeof current === 'object' ? current : {}), [name]: next };
  };
  return place(document, partsOf(pointer));
}

const isIndex = (name: string): boolean => /^(?:0|[1-9]\d*)$/.test(name);

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  if (Array.isArray(value) && !isIndex(name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
