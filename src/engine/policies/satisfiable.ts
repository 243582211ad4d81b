import type { UserId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { PolicyDocument } from '../../policy/terms/policy-document.ts';
import { refuseUnsatisfiable } from '../../policy/stages/refuse-unsatisfiable.ts';
import type { PolicyEngine } from './change-policy.ts';
import { directoryOf } from '../directory-of.ts';

type SatisfiableEngine = Pick<PolicyEngine, 'directory'>;

/** Why the current people could never satisfy this policy; null if they can. */
export async function whyUnsatisfiable(
  { directory }: SatisfiableEngine,
  policy: PolicyDocument,
): Promise<string | null> {
  const result = refuseUnsatisfiable(policy, directoryOf(await directory.read()));
  return result.ok ? null : result.reason;
}

/** Problem `unsatisfiable`, with why, for each of these policies that no one could complete. */
export async function refuseUnsatisfiableNow(
  { directory }: SatisfiableEngine,
  policies: PolicyDocument[],
  author: UserId | null = null,
): Promise<void> {
  const users = directoryOf(await directory.read());
  const faults = policies.flatMap((policy) => {
    const result = refuseUnsatisfiable(policy, users, author);
    return result.ok ? [] : [{ path: [policy.policy], message: result.reason }];
  });
  const [fault, ...others] = faults;
  if (!fault) return;
  if (others.length === 0) throw new Problem('unsatisfiable', { detail: `${fault.path[0]}: ${fault.message}` });
  throw new Problem('unsatisfiable', { detail: 'Correct these policies; nothing was published.', errors: faults });
}
