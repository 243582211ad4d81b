import { canonicalText } from '#platform/model/hashed-text';
import { sha256 } from '../../../client/digest/digest.ts';
import { runDigest, type AboutToRun } from '../../../client/digest/run-digest.ts';
import type { Audience } from '#requests/asking/contract/elicitation';
import { Problem } from '#platform/model/problem';

export interface CallFacts extends AboutToRun {
  /** Of the call's first question. */
  audience: Audience;
  session: string;
}

/**
 * Names a tool call so that the caller's retry finds it and nothing else does.
 * For approvers: the whole run, so that a restarted client or MCP server joins what is pending.
 * For the requester also the session: one connection's answer is never replayed to another connection.
 */
export async function nameCall({ audience, session, ...facts }: CallFacts): Promise<string> {
  const scope = audience === 'requester' ? session : null;
  return sha256(canonicalText(['assentry/call/v1', scope, await runDigest(facts)]));
}

export const digestJson = (value: unknown): Promise<string> => sha256(canonicalText(value));

/** The arguments as the approver will read them; values that JSON cannot show must not run unseen. */
export function plainArguments(args: unknown): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(args ?? {}, showAll())) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('INVALID_INPUT', { detail: `${unshowable}.`, cause });
  }
}

const unshowable = 'Use arguments that JSON can express: people could not see these';
const shown = new Set(['[object Array]', '[object String]', '[object Number]', '[object Boolean]']);

/** Refuses what would be shown as something it is not: maps, sets, bytes, functions, NaN, instances of classes, and what contains itself. */
function showAll() {
  const holders: unknown[] = [];
  const path: (string | number)[] = [];
  return function showMember(this: unknown, key: string, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    for (; holders.length > 0 && holders.at(-1) !== this; path.pop()) holders.pop();
    const place = holders.length === 0 ? [] : [...path, Array.isArray(this) ? Number(key) : key];
    if (!isShown(value) || holders.includes(value)) throw unshown(place);
    if (typeof value !== 'object') return value;
    holders.push(value);
    path.splice(0, path.length, ...place);
    return value;
  };
}

function isShown(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  const tag = Object.prototype.toString.call(value);
  return tag === '[object Object]' ? isPlain(value as object) : shown.has(tag);
}

/** An object of any realm; an instance of a class may have more in it than can be seen. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const unshown = (path: (string | number)[]): Problem =>
  new Problem('INVALID_INPUT', {
    detail: path.length === 0 ? `${unshowable}.` : `${unshowable} (${path.join('.')}).`,
    errors: [{ path, message: 'Use a value that JSON can express.' }],
  });
