import { z } from 'zod';
import type { ProblemCode } from '../../model/problem.ts';
import { RefusalCode } from './route.ts';
import { idPattern, idPrefixes, type Id, type IdKind } from '../../model/id.ts';

/** A refusal as data; `detail` has it in English. */
export const Refusal = z.object({
  code: RefusalCode,
  values: z.record(z.string(), z.string()).optional(),
});

/** RFC 9457, with a stable `code`. `errorId` finds the occurrence in the log, `requestId` all lines of the request. */
export const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    refusal: Refusal.optional(),
    errorId: z.string().regex(/^err_[0-9a-f]{16}$/),
    /** Same id as in `X-Request-Id`. Nodes of an earlier version send none. */
    requestId: z.string().optional(),
    errors: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type ProblemDocument = z.infer<typeof ProblemDocument>;

/** Status by code; codes that are not sent become `internal`. */
export const problemStatus: Record<ProblemCode, number> = {
  INVALID_INPUT: 400,
  ELICITATION_NOT_SUPPORTED: 400,
  ELICITATION_TIMEOUT: 408,
  'already-closed': 409,
  'not-now': 409,
  'already-voted': 409,
  'digest-mismatch': 412,
  'idempotency-mismatch': 409,
  'already-executed': 409,
  'not-claimed': 409,
  'approval-lapsed': 409,
  'connection-declined': 409,
  'secret-declined': 409,
  'payment-declined': 409,
  'payment-mismatch': 409,
  'signature-declined': 409,
  'provider-outcome-unknown': 409,
  'provider-not-configured': 409,
  'provider-unavailable': 503,
  stopped: 403,
  'outcome-unknown': 409,
  'write-conflict': 503,
  'not-found': 404,
  unauthenticated: 401,
  forbidden: 403,
  'reason-needed': 403,
  'fresh-sign-in-needed': 403,
  'second-factor-needed': 403,
  'passkey-needed': 403,
  'passkey-refused': 403,
  'cross-site': 403,
  'token-invalid': 400,
  'sealed-unreadable': 500,
  'content-erased': 410,
  unproven: 409,
  'rate-limited': 429,
  overloaded: 503,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'method-not-allowed': 405,
  'config-invalid': 500,
  'database-unavailable': 503,
  'migration-failed': 500,
  'already-exists': 409,
  unavailable: 503,
  'shutting-down': 503,
  'policy-invalid': 400,
  'policy-unreadable': 503,
  'policy-denied': 403,
  unsatisfiable: 409,
  'proof-invalid': 500,
  internal: 500,
};

/** The fault of a value, for people who know JSON; undefined uses zod's message. */
export function formatIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return 'Give a value: this is missing.';
  }
  if (issue.code === 'invalid_type') return `Must be ${nouns[issue.expected] ?? issue.expected}.`;
  if (issue.code === 'invalid_value') return `Must be ${issue.values.map(String).join(' or ')}.`;
  if (issue.code === 'too_big') return `Must be at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`;
  if (issue.code === 'too_small') return `Must be at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`;
  return undefined;
}

function unitOf(origin: string, count: number | bigint): string {
  const unit = { string: 'character', array: 'item' }[origin];
  return unit ? ` ${unit}${count === 1 ? '' : 's'} long` : '';
}

const nouns: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** An id of this kind, typed as one, unlike zod's own patterns. */
export function idText<K extends IdKind>(kind: K): z.ZodType<Id<K>, string> {
  const text = z.string().regex(idPattern(kind), `Give an id from Assentry; it begins with ${idPrefixes[kind]}_.`);
  return text as unknown as z.ZodType<Id<K>, string>;
}

/** A SHA-256 digest. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'Give a SHA-256 digest: 64 hexadecimal digits in lower case.');
