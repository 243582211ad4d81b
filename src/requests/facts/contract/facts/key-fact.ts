import { nearestName } from '#platform/text/nearest-name';
import { follow, readPointer } from './pointer.ts';

/** A stored value that people see next to the buttons: what it is called, and a JSON Pointer into the arguments. */
export interface KeyFact {
  label: string;
  path: string;
}

/** More are not taken in before a decision. */
export const maxFacts = 5;
export const maxLabelLength = 40;
export const maxPathLength = 256;

/** What is wrong with a pointer as text; null if nothing is. */
export const faultOfPath = (path: string): string | null =>
  path !== '' && readPointer(path) !== null ? null : 'Give a JSON Pointer into the arguments, such as /amount.';

/** What is wrong with a pointer into these arguments; null if it leads to one value or to a list of values. */
export function faultOfTarget(args: Record<string, unknown>, path: string): string | null {
  const target = follow(args, readPointer(path) ?? []);
  if (isFact(target)) return null;
  if (target !== undefined) return 'Point to one value or to a list of values: this is a group of them.';
  const [first = ''] = readPointer(path) ?? [];
  const near = Object.hasOwn(args, first) ? null : nearestName(first, Object.keys(args));
  return `Point to an argument of this call: ${path} leads nowhere.${near === null ? '' : ` Did you mean /${near}?`}`;
}

/** Can it be read at a glance? */
export const isFact = (value: unknown): boolean =>
  value !== undefined && (!isCollection(value) || (Array.isArray(value) && !value.some(isCollection)));

export const isCollection = (value: unknown): value is object => typeof value === 'object' && value !== null;
