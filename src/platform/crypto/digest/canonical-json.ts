import { canonicalText } from '../../model/hashed-text.ts';
import { invalidInput } from '../../model/problem/problem.ts';

/** Deep enough for parsed input inside Assentry's own records, shallow enough to end on a cycle. */
const deepest = 100;

/**
 * The RFC 8785 text of a value: equal values give equal bytes, whatever the order of their keys. Values that JSON
 * cannot represent (undefined, NaN, dates, lone surrogates, cycles) are INVALID_INPUT with their path.
 */
export function canonicalJson(value: unknown): string {
  requireJson(value, []);
  return canonicalText(value);
}

type Path = (string | number)[];

function requireJson(value: unknown, path: Path): void {
  if (path.length > deepest) refuse(path, `Nest this less: it is more than ${deepest} levels deep.`);
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') return requireText(value, path);
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) requireMember(at, value[at], path);
  else if (isRecord(value)) for (const key of Object.keys(value)) requireMember(key, value[key], path);
  else refuse(path, 'Use a value that JSON can express.');
}

function requireMember(step: string | number, member: unknown, path: Path): void {
  path.push(step);
  if (typeof step === 'string') requireText(step, path);
  requireJson(member, path);
  path.pop();
}

function requireText(text: string, path: Path): void {
  if (!isWellFormed(text)) refuse(path, 'Send valid Unicode.');
}

/** A plain object of any realm; a class instance would lose its meaning. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refuse(path: Path, message: string): never {
  throw invalidInput([...path], message);
}

/** True if the text has no lone surrogate. Only such text has exactly one UTF-8 form to hash or compare. */
export const isWellFormed = (text: string): boolean => text.isWellFormed();
