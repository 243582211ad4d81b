import { z } from 'zod';

/** Place of a value in a JSON document, by RFC 6901: `/owner/id`. */
export const Pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'Give a JSON Pointer such as /id.');

/** Value at this place; undefined if there is none. */
export const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(memberOf, document);

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
