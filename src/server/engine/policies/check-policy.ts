import { describePolicy } from '#core/policy/deciding/describe-policy';
import { parsePolicy } from '#core/policy/parsing/parse-policy';
import { policySchema } from '#core/policy/parsing/policy-schema';
import type { User } from '#protocol/model/user';
import type { TokenCaller } from '../users/change-directory.ts';
import type { PolicyEngine } from './change-policy.ts';
import { whyUnsatisfiable } from './internal/satisfiable.ts';

/**
 * Checks a document without storing it: its faults and their places, or what it says and whether anyone could decide
 * it.
 */
export async function checkPolicy(
  engine: Pick<PolicyEngine, 'directory' | 'environment'>,
  reader: User | TokenCaller,
  document: string,
) {
  const parsed = parsePolicy(document, { isNew: true });
  if (!parsed.ok) return { ok: false, errors: parsed.errors, name: null, terms: [], unsatisfiable: null };
  const { policy } = parsed;
  const unsatisfiable = await whyUnsatisfiable(engine, reader, policy);
  return { ok: true, errors: [], name: policy.policy, terms: describePolicy(policy), unsatisfiable };
}

/** The JSON Schema of a document, made once. */
export const policyJsonSchema = (): Record<string, unknown> => (shape ??= policySchema());

let shape: Record<string, unknown> | undefined;
