import { valueTypes, type ValueType } from '../../model/field-fault.ts';

/** Inspects values of unknown origin without calling or entering them. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON's own word for the kind of value, for messages. */
export function typeName(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return valueTypes.find((name) => name === type) ?? 'undefined';
}

/** An inherited name such as `constructor` is not a member, nor is one whose value JSON would drop. */
export const member = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** The value as JSON text, or undefined if it has none: cycles, bigints, functions, too deep nesting. */
export function toJsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
