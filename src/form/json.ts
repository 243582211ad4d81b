import { valueTypes, type ValueType } from '../model/field-fault.ts';

/** Looks at values of unknown origin without ever calling or descending into them. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON's own word for the kind of value, for messages. */
export function typeName(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return valueTypes.find((name) => name === type) ?? 'undefined';
}

/** An inherited name such as `constructor` is no member; nor is one whose value JSON would drop. */
export const member = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The value as JSON text, or undefined where it has none: cycles, bigints, functions, nesting beyond the stack. */
export function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
