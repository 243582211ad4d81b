import type { PolicyDefaults } from '../../../contract/policy.ts';
import { combine } from './combine.ts';
import { secondAdministrator, type Requirement } from '../../../document/rules/stages/strict-default.ts';
import type { StagePlan } from '../../../document/rules/verdict/verdict.ts';

/**
 * A change of who may decide: whatever the policies require for it, an administrator accepts it as well, or one of the space
 * that it is about, by their address.
 */
export function guardPower(
  [first, ...others]: readonly Requirement[],
  defaults: PolicyDefaults,
  ofSpace: readonly string[] = [],
): Requirement {
  const second = secondAdministrator(ofSpace);
  if (!first) return second;
  const required = others.reduce((all, other) => combine(all, other, defaults), first);
  const stages = required.stages.some(asksAdministrator) ? [] : second.stages;
  return combine(required, { ...second, stages }, defaults);
}

/** Is there a seat in it that only an administrator fills? */
const asksAdministrator = ({ complete, groups, escalation }: StagePlan): boolean =>
  complete === 'all' &&
  escalation === null &&
  groups.some(({ approvers }) => approvers.every((source) => source.kind === 'role' && source.role === 'admin'));
