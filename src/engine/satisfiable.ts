import type { UserId } from '../model/id.ts';
import { Problem } from '../model/problem.ts';
import type { PolicyDocument } from '../policy/policy-document.ts';
import { refuseUnsatisfiable } from '../policy/refuse-unsatisfiable.ts';
import type { PolicyEngine } from './change-policy.ts';
import { directoryOf } from './directory-of.ts';

type SatisfiableEngine = Pick<PolicyEngine, 'directory'>;

/** Why nobody could ever complete what this policy asks, with the people of now; null where somebody can. */
export async function whyUnsatisfiable(
  { directory }: SatisfiableEngine,
  policy: PolicyDocument,
  author: UserId | null = null,
): Promise<string | null> {
  const found = refuseUnsatisfiable(policy, directoryOf(await directory.read()), author);
  return found.ok ? null : found.reason;
}

/** Problem `unsatisfiable`, with why. */
export async function refuseUnsatisfiableNow(
  engine: SatisfiableEngine,
  policy: PolicyDocument,
  author: UserId | null = null,
): Promise<void> {
  const reason = await whyUnsatisfiable(engine, policy, author);
  if (reason !== null) throw new Problem('unsatisfiable', { detail: `${policy.policy}: ${reason}` });
}
