import canonicalize from 'canonicalize';
import { hex } from '../../client/hex.ts';
import type { Audience } from '../../model/elicitation.ts';
import { Problem } from '../../model/problem.ts';

// The package is CommonJS whose module is the function itself; its type declaration claims a default export.
const serialize = canonicalize as unknown as (value: unknown) => string;

export interface CallFacts {
  /** Of the call's first question. */
  audience: Audience;
  requester: { subject: string; issuer?: string | undefined; verified: boolean };
  session: string;
  tool: string;
  args: Record<string, unknown>;
}

/**
 * Names a tool call so that the caller's retry finds it and nobody else does.
 * For approvers: principal, tool and arguments, so that a restarted client or MCP server rejoins what is pending.
 * For the requester also the session: what one connection's person answered is never replayed to another's.
 */
export async function nameCall({ audience, requester, session, tool, args }: CallFacts): Promise<string> {
  const { subject, issuer = null, verified } = requester;
  const scope = audience === 'requester' ? session : null;
  const text = serialize(['assentry/call/v1', issuer, subject, verified, scope, tool, args]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
}

export async function digestJson(value: unknown): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(serialize(value)));
  return hex(new Uint8Array(digest));
}

/** The arguments as the approver will read them; what JSON cannot show must not run behind its back. */
export function plainArguments(args: unknown): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(args ?? {}, showAll)) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    throw new Problem('INVALID_INPUT', { detail: unshowable, cause });
  }
}

const unshowable = 'The arguments of this tool cannot be shown as JSON, so nobody can be asked about them.';
const shown = new Set(['[object Object]', '[object Array]', '[object String]', '[object Number]', '[object Boolean]']);

/** Maps, sets, bytes, functions and NaN would be shown as something they are not. */
function showAll(_: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const isNumberless = typeof value === 'number' && !Number.isFinite(value);
  if (!isNumberless && shown.has(Object.prototype.toString.call(value))) return value;
  throw new Problem('INVALID_INPUT', { detail: unshowable });
}
