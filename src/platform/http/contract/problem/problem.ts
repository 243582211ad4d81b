import { z } from 'zod';
import type { ProblemCode } from '../../../model/problem/problem.ts';
import { RefusalCode } from '../route/permission.ts';

/** The refusal as data; `detail` has it in English. */
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
    /** As in `X-Request-Id`. Nodes of an earlier version send none. */
    requestId: z.string().optional(),
    errors: z.array(z.object({ path: z.array(z.union([z.string(), z.int()])), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type ProblemDocument = z.infer<typeof ProblemDocument>;

/** Codes that are not sent become `internal`. */
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
