import { policyPin } from '../model/policy.ts';
import { Problem } from '../model/problem.ts';
import { parsePolicy } from '../policy/parse-policy.ts';
import type { Engine } from './engine.ts';

/** Refuses to take a name away that a policy in force finds its approvers by: it would ask nobody. */
export async function refuseNamedTeam({ policies }: Pick<Engine, 'policies'>, team: string): Promise<void> {
  for (const { name, version, document } of await policies.inForce()) {
    const parsed = parsePolicy(document);
    if (!parsed.ok || !names(parsed.policy, team)) continue;
    throw new Problem('not-now', { detail: `The policy ${policyPin(name, version)} names this group.` });
  }
}

/** Wherever approvers stand: in stages, escalations and freeze windows. */
function names(value: unknown, team: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('kind' in value && value.kind === 'group' && 'name' in value && value.name === team) return true;
  return Object.values(value).some((part) => names(part, team));
}
