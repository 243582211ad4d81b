import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../frames/frame.ts';

/** Deeper schemas are not followed: a reference may lead to itself. */
const deepest = 32;

/**
 * Does this value have the shape that a JSON Schema of a server says? False in doubt: for unknown members, references that lead
 * elsewhere, and missing schemas. Patterns and bounds are not looked at: a server's pattern could take for ever, and a bound
 * frees nothing.
 */
export const fitsSchema = (schema: unknown, value: unknown): boolean => fits(schema, value, schema, deepest);

function fits(schema: unknown, value: unknown, root: unknown, depth: number): boolean {
  if (schema === true) return true;
  if (!isObject(schema) || depth === 0) return false;
  const holds = (part: unknown, inner: unknown = value): boolean => fits(part, inner, root, depth - 1);
  const { $ref: reference, type, enum: values, allOf, anyOf, oneOf } = schema;
  if (reference !== undefined && !holds(referredTo(reference, root))) return false;
  if (type !== undefined && ![type].flat().some((name) => isOfType(name, value))) return false;
  if (Array.isArray(values) && !values.some((each) => isDeepStrictEqual(each, value))) return false;
  if ('const' in schema && !isDeepStrictEqual(schema['const'], value)) return false;
  if (Array.isArray(allOf) && !allOf.every((part) => holds(part))) return false;
  for (const ways of [anyOf, oneOf]) if (Array.isArray(ways) && !ways.some((part) => holds(part))) return false;
  if (Array.isArray(value)) return schema['items'] === undefined || value.every((item) => holds(schema['items'], item));
  return !isObject(value) || hasMembers(schema, value, holds);
}

function hasMembers(
  schema: Record<string, unknown>,
  value: Record<string, unknown>,
  holds: (part: unknown, inner: unknown) => boolean,
): boolean {
  const { properties, required, additionalProperties: others } = schema;
  const own = isObject(properties) ? properties : {};
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false;
  return Object.entries(value).every(([name, member]) => {
    if (Object.hasOwn(own, name)) return holds(own[name], member);
    if (others === undefined) return !isObject(properties); // an open object says nothing of its members
    return holds(others, member);
  });
}

/** A definition of the same schema; null for any other address. */
function referredTo(reference: unknown, root: unknown): unknown {
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(reference)) ?? [];
  const definitions = isObject(root) && Object.hasOwn(root, group) ? root[group] : null;
  return isObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : null;
}

const isOfType = (type: unknown, value: unknown): boolean => {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return ['string', 'number', 'boolean'].includes(String(type)) && typeof value === type;
};
