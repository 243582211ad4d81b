import { policyPin } from '../../model/policy.ts';
import { Problem } from '../../model/problem.ts';
import { parsePolicy } from '../../policy/parsing/parse-policy.ts';
import type { Engine } from '../engine.ts';

type PolicyReader = Pick<Engine, 'policies'>;

/** Refuses to take a name away that a policy in force goes by: it would ask no one, or not apply. */
export async function refuseNamedGroup(engine: PolicyReader, group: string): Promise<void> {
  const policy = await policyNaming(engine, group);
  if (policy) throw new Problem('not-now', { refusal: { code: 'group-in-policy', values: { policy } } });
}

/** Refuses to give a group, with anyone who is in it, a name that a policy in force goes by. */
export async function refuseWantedName(engine: PolicyReader, group: string): Promise<void> {
  const policy = await policyNaming(engine, group);
  if (policy) throw new Problem('not-now', { refusal: { code: 'group-name-in-policy', values: { policy } } });
}

/** The first that does, by name and version; null for none. */
async function policyNaming({ policies }: PolicyReader, group: string): Promise<string | null> {
  for (const { name, version, document } of await policies.inForce()) {
    const parsed = parsePolicy(document);
    if (parsed.ok && names(parsed.policy, group)) return policyPin(name, version);
  }
  return null;
}

/** Wherever approvers stand, in stages, escalations and freeze windows; and as a text in what is CEL, or could be. */
function names(value: unknown, group: string): boolean {
  if (typeof value === 'string') return value.includes(`"${group}"`) || value.includes(`'${group}'`);
  if (typeof value !== 'object' || value === null) return false;
  if ('kind' in value && value.kind === 'group' && 'name' in value && value.name === group) return true;
  return Object.values(value).some((part) => names(part, group));
}
