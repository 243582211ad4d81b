import { describePolicy } from '#core/policy/deciding/describe-policy';
import { lookalikeWarnings } from '#core/policy/parsing/hidden-faults';
import { parsePolicy } from '#core/policy/parsing/parse-policy';
import { policySchema } from '#core/policy/parsing/policy-schema';
import type { PolicyDocument } from '#core/policy/terms/policy-document';
import { namesSource } from '#core/policy/stages/names-source';
import { formatUnadopted } from '#core/policy/stages/unknown-names';
import type { User } from '#protocol/model/user';
import { isAdopted } from '../../store/users/directory-record.ts';
import { maySeeOwned } from '../assert-may.ts';
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
  if (!parsed.ok) return { ok: false, errors: parsed.errors, name: null, terms: [], unsatisfiable: null, warnings: [] };
  const { policy } = parsed;
  const unsatisfiable = await whyUnsatisfiable(engine, reader, policy);
  const warnings = [...lookalikeWarnings(document), ...(await unadoptedIn(engine, reader, policy))];
  return { ok: true, errors: [], name: policy.policy, terms: describePolicy(policy), unsatisfiable, warnings };
}

/** Groups of a provider that it names, anywhere in its text, and that no administrator has adopted. */
async function unadoptedIn(
  { directory }: Pick<PolicyEngine, 'directory'>,
  reader: User | TokenCaller,
  policy: PolicyDocument,
): Promise<string[]> {
  const record = await directory.read();
  return record.groups
    .filter(
      (group) =>
        !isAdopted(group) &&
        maySeeOwned(record, reader, group) &&
        namesSource(policy, { kind: 'group', name: group.name }),
    )
    .map(({ name }) => formatUnadopted(name));
}

/** The JSON Schema of a document, made once. */
export const policyJsonSchema = (): Record<string, unknown> => (shape ??= policySchema());

let shape: Record<string, unknown> | undefined;
