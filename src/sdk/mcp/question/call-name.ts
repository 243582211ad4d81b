import { canonicalText } from '#protocol/model/hashed-text';
import { sha256 } from '../../client/digest.ts';
import { runDigest, type AboutToRun } from '../../client/run-digest.ts';
import type { Audience } from '#protocol/model/elicitation';
import { Problem } from '#protocol/model/problem';

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
    return JSON.parse(JSON.stringify(args ?? {}, showAll)) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('INVALID_INPUT', { detail: unshowable, cause });
  }
}

const unshowable = 'Use arguments that JSON can express: people could not see these.';
const shown = new Set(['[object Object]', '[object Array]', '[object String]', '[object Number]', '[object Boolean]']);

/** Maps, sets, bytes, functions and NaN would be shown as something they are not. */
function showAll(_: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const isNumberless = typeof value === 'number' && !Number.isFinite(value);
  if (!isNumberless && shown.has(Object.prototype.toString.call(value))) return value;
  throw new Problem('INVALID_INPUT', { detail: unshowable });
}
