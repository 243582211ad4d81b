import { describePolicy } from '../../deciding/rules/describe/describe-policy.ts';
import { lookalikeWarnings } from '../../language/rules/faults/hidden-faults.ts';
import { parsePolicy } from '../../language/rules/parse/parse-policy.ts';
import { policySchema } from '../../language/rules/schema/policy-schema.ts';
import type { PolicyDocument } from '../../document/rules/document/policy-document.ts';
import { namesSource } from '../../deciding/rules/approvers/names-source.ts';
import { formatUnadopted } from '../../deciding/rules/approvers/unknown-names.ts';
import type { User } from '#people/directory/contract/user';
import { isAdopted } from '#people/directory/store/directory-record';
import { maySeeOwned } from '../../deciding/verbs/rules/assert-may.ts';
import type { TokenCaller } from '#people/directory/verbs/directory';
import type { PolicyEngine } from '../draft/change-policy.ts';
import { whyUnsatisfiable } from './satisfiable.ts';

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
