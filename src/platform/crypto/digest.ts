import { canonicalText } from '../model/hashed-text.ts';
import { invalidInput, Problem } from '../model/problem.ts';
import { hash, createHmac, createSecretKey } from 'node:crypto';

/** Depth limit: enough for parsed input inside Assentry's own records, and it ends on a cycle. */
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

/** Is it a plain object of any realm? A class instance would lose its meaning. */
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

export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** SHA-256 of the canonical JSON, in hex: the same for equal values, whatever the order of their keys. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/**
 * HMAC-SHA256 over the parts, one after the other. The key is made a key object first: for other bytes, Node.js 24 spends
 * four times the time of the MAC on finding out that they are none.
 */
export function hmacSha256(key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', createSecretKey(key));
  for (const part of parts) mac.update(part);
  return mac.digest();
}

/** Joins parts so that no other list of parts gives the same bytes: ('ab','c') and ('a','bc') differ. */
export function joinParts(...parts: readonly (string | Uint8Array)[]): Buffer {
  const pieces = parts.map(toBytes);
  const joined = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + 4 + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, joined.writeUInt32BE(piece.length, end));
    end += 4 + piece.length;
  }
  return joined;
}

function toBytes(part: string | Uint8Array): Uint8Array {
  if (typeof part !== 'string') return part;
  // Lone surrogates all become the same replacement character, and two parts would become one.
  if (!isWellFormed(part)) throw new Problem('INVALID_INPUT', { detail: 'Send valid Unicode in names.' });
  return Buffer.from(part, 'utf8');
}
